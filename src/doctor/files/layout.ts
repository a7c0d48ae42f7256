/** The JSON formatting of a file, so that new text looks like the rest. */
export interface JsonLayout {
  /** One level of indentation; absent if a message is on one line. */
  readonly indent?: string
  /** The indentation of a message as a whole. */
  readonly base: string
  readonly lineBreak: string
  /** A space after commas and colons, on one line. */
  readonly spaced: boolean
}

export function jsonLayoutOf(messages: readonly string[], base: string): JsonLayout {
  for (const message of messages) {
    const [, lineBreak, margin = ''] = /^\{(\r?\n)([ \t]*)/.exec(message) ?? []
    if (lineBreak !== undefined) return { indent: margin.slice(base.length) || '  ', base, lineBreak, spaced: true }
  }
  return { base, lineBreak: '\n', spaced: messages.some(message => /^\{\s*"(?:[^"\\]|\\.)*":\s/.test(message)) }
}

export function printJson(value: unknown, { indent, base, lineBreak, spaced }: JsonLayout): string {
  if (indent !== undefined) return JSON.stringify(value, null, indent).replaceAll('\n', lineBreak + base)
  if (!spaced) return JSON.stringify(value)
  // JSON text has line breaks between its tokens only, never inside a string.
  return JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '')
}
