/** How JSON is laid out in a file, so that what is new in it looks like the rest. */
export interface Layout {
  /** One step of indentation; absent if a message takes one line. */
  readonly indent?: string
  /** The indentation of a message as a whole. */
  readonly base: string
  readonly lineBreak: string
  /** A space behind commas and colons, in one line. */
  readonly spaced: boolean
}

export function layoutOf(messages: readonly string[], base: string): Layout {
  for (const message of messages) {
    const opening = /^\{(\r?\n)([ \t]*)/.exec(message)
    if (opening) return { indent: opening[2].slice(base.length) || '  ', base, lineBreak: opening[1], spaced: true }
  }
  return { base, lineBreak: '\n', spaced: messages.some(message => /^\{\s*"(?:[^"\\]|\\.)*":\s/.test(message)) }
}

export function print(value: unknown, { indent, base, lineBreak, spaced }: Layout): string {
  if (indent !== undefined) return JSON.stringify(value, null, indent).replaceAll('\n', lineBreak + base)
  if (!spaced) return JSON.stringify(value)
  // JSON text has line breaks between its tokens only, never inside a string.
  return JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '')
}
