import { escapeCharacter } from '../plain.ts'

/**
 * Escapes everything written to a terminal that could control it: control characters (C0, DEL and C1), line separators and bidirectional
 * controls, also inside JSON, where the escape is the same value. If the stream is not a terminal, nothing is changed.
 */
export function guardTerminal(stream: NodeJS.WriteStream): void {
  if (!stream.isTTY) return
  const write = stream.write.bind(stream) as (chunk: string, ...rest: unknown[]) => boolean
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) =>
    write(escapeControls(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)), ...rest)
}

/**
 * Sequences that Antiphon writes itself are kept: line breaks, tabs, the colours of `paint.ts`, and, at the start of a write, the sequence that
 * clears the progress line. Other colours could hide text, and clearing a line elsewhere could overwrite our output.
 */
const ours = String.raw`\r?\n|\t|\u001b\[(?:1|2|22|3[12369])m|^\r\u001b\[K`
const steering = new RegExp(String.raw`(${ours})|[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]`, 'gu')

export const escapeControls = (text: string): string =>
  text.replace(steering, (character, kept: string | undefined) => kept ?? escapeCharacter(character))
