import { type Fields, isRecord } from '../../core/conversation.ts'
import { type Finish, type Reply, type ReplyMetadata, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { idText, text } from '../shared/text.ts'
import { nameIn } from './field-names.ts'

/** Reads an assistant message, or the result of a run as a client returns it. */
export function read(response: unknown): Reply | undefined {
  if (!isRecord(response)) return undefined
  if (Array.isArray(response.newMessages)) return toReply(response.newMessages, 'stop', {})
  return isAssistant(response) ? toReply([response], 'stop', { id: response.id }) : undefined
}

/** Every message has an id and a role, and no type. */
function isAssistant(message: Fields): boolean {
  if (message.role !== 'assistant' || typeof message.id !== 'string' || 'parts' in message || 'type' in message)
    return false
  return typeof message.content === 'string' || nameIn(message, 'calls') !== undefined
}

/** The reply with these messages, if it ended so. Of a cut one only calls stay that were answered: those have run. */
export function toReply(messages: readonly unknown[], finish: Finish, about: ReplyMetadata): Reply {
  const all = messages.filter(isRecord)
  const answers = all.filter(({ role }) => role === 'tool')
  const answered = new Set(answers.map(message => idText(message[nameIn(message, 'answers') ?? ''])))
  const stays = (call: unknown): boolean => finish !== 'cut' || (isRecord(call) && answered.has(idText(call.id)))
  const kept: unknown[] = []
  const left: unknown[] = []
  for (const message of all) {
    if (message.role === 'assistant') splitSendable(message, stays, kept, left)
    else if (finish === 'cut' && message.role === 'reasoning') left.push(message)
    else kept.push(message)
  }
  const hasContent = kept.some(message => (message as Fields).role !== 'reasoning')
  return hasContent ? replyOf(finish, kept, left, about) : replyOf(finish, [], [...kept, ...left], about)
}

function splitSendable(message: Fields, stays: (call: unknown) => boolean, kept: unknown[], left: unknown[]): void {
  const field = nameIn(message, 'calls') ?? ''
  const { [field]: list, content, ...rest } = message
  const calls = Array.isArray(list) ? list : []
  const sent = calls.filter(stays)
  const hasContent = Array.isArray(content) ? content.length > 0 : hasWords(text(content))
  if (sent.length === calls.length && (hasContent || sent.length > 0)) kept.push(message)
  else if (hasContent || sent.length > 0)
    kept.push({ ...rest, ...(hasContent ? { content } : {}), ...(sent.length > 0 ? { [field]: sent } : {}) })
  const unsent = calls.filter(call => !stays(call))
  if (unsent.length > 0) left.push({ ...rest, [field]: unsent })
}
