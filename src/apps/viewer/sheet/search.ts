import type { Message, Part } from '../../../core/conversation.ts'
import { jsonText } from './json-text.ts'
import type { Reading } from './reading.ts'
import { bodyOf } from './row.ts'

/**
 * Whether a message holds these words, given in small letters: in what it says, calls or answers, in names and in ids, and
 * in the records that it was read from.
 */
export const holds = (message: Message, words: string, { recordsOf }: Pick<Reading, 'recordsOf'> = {}): boolean =>
  message.parts.some(part => textOf(part).includes(words)) ||
  (recordsOf?.(message) ?? []).some(({ text }) => text.toLowerCase().includes(words))

function textOf(part: Part): string {
  const body = bodyOf(part)
  const said = typeof body === 'string' ? body : body === undefined ? '' : jsonText(body)
  const names = part.kind === 'call' || part.kind === 'result' ? `${part.name ?? ''}\n${part.id}\n` : ''
  return (names + said).toLowerCase()
}
