import type { Message, Part } from '../../../core/conversation.ts'
import type { DecodedDocument } from './decoded-document.ts'
import { deepJsonText } from './deep-json.ts'
import { partBody } from './row.ts'

/**
 * Whether a message contains these words, given in lower case: in its text, calls and results, in names and ids, and in its stored
 * records.
 */
export const messageContains = (
  message: Message,
  words: string,
  { recordsOf }: Pick<DecodedDocument, 'recordsOf'> = {},
): boolean =>
  message.parts.some(part => textOf(part).includes(words)) ||
  (recordsOf?.(message) ?? []).some(({ text }) => text.toLowerCase().includes(words))

function textOf(part: Part): string {
  const body = partBody(part)
  const content = typeof body === 'string' ? body : body === undefined ? '' : deepJsonText(body)
  const names = part.kind === 'call' || part.kind === 'result' ? `${part.name ?? ''}\n${part.id}\n` : ''
  return (names + content).toLowerCase()
}
