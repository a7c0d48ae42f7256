import { spellOut } from './plain.ts'

/**
 * Has a stream spell out what could steer a terminal in whatever is written to it, JSON of others included: control characters
 * (C0, DEL and C1), line separators, and marks that turn the direction of text. In JSON that is the same value. Where the stream is
 * not a terminal every byte stays as it is.
 */
export function guardTerminal(stream: NodeJS.WriteStream): void {
  if (!stream.isTTY) return
  const write = stream.write.bind(stream) as (chunk: string, ...rest: unknown[]) => boolean
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
    write(harmless(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)), ...rest)
}

/** What we write ourselves is kept: line breaks, tabs, colours, and the start of a line that is drawn again. */
const ours = String.raw`\r?\n|\t|\u001b\[[\d;]*m|\r\u001b\[K`
const steering = new RegExp(String.raw`(${ours})|[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]`, 'gu')

export const harmless = (text: string): string =>
  text.replace(steering, (character, kept: string | undefined) => kept ?? spellOut(character))
