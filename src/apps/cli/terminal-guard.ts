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

/**
 * What we write ourselves is kept: line breaks, tabs, the colours of `paint.ts`, and at the start of a write the sign that a line is
 * drawn again. Other colours could hide text, and a line that is drawn again elsewhere could replace our words.
 */
const ours = String.raw`\r?\n|\t|\u001b\[(?:1|2|22|3[12369])m|^\r\u001b\[K`
const steering = new RegExp(String.raw`(${ours})|[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]`, 'gu')

export const harmless = (text: string): string =>
  text.replace(steering, (character, kept: string | undefined) => kept ?? spellOut(character))
