import { type Fields, isRecord } from '../../core/conversation.ts'
import { finishOf, mayEndInCall } from '../shared/finish.ts'
import { type Finish, type Reply, type ReplyMetadata, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { text } from '../shared/text.ts'

/** Reads a response that was not streamed. */
export function read(response: unknown): Reply | undefined {
  if (!isRecord(response) || !isRecord(response.message) || typeof response.done !== 'boolean') return undefined
  return toReply(response.message, response.done ? response.done_reason : 'error', replyMetadataOf(response))
}

/** Responses have no ids. The usage is whatever was counted. */
export const replyMetadataOf = (response: Fields): ReplyMetadata => {
  const counted = Object.entries(response).filter(([key, value]) => countKeys.test(key) && typeof value === 'number')
  return { model: response.model, ...(counted.length > 0 ? { usage: Object.fromEntries(counted) } : {}) }
}

const countKeys = /^(prompt_)?eval_|_duration$/

/** The reply with this message, if it ended for this reason. */
export function toReply(message: Fields, reason: unknown, about: ReplyMetadata): Reply {
  const finish = finishOf(reason)
  const { role: _, content, thinking, tool_calls, ...rest } = message
  const calls = (Array.isArray(tool_calls) ? tool_calls : []).filter(isRecord)
  const kept = finish === 'cut' ? [] : calls.filter(call => !mayEndInCall(finish) || isWhole(call))
  const left = calls.filter(call => !kept.includes(call))
  const words = text(content)
  const thought = typeof thinking === 'string' && thinking !== '' ? { thinking } : {}
  const isSent = kept.length > 0 || (finish === 'cut' ? hasWords(words) : words !== '')
  const around = finish === 'cut' ? {} : { ...rest, ...thought }
  const sent = { role: 'assistant', content: words, ...around, ...(kept.length > 0 ? { tool_calls: kept } : {}) }
  const unsent = {
    ...(isSent && finish !== 'cut' ? {} : thought),
    ...(left.length > 0 ? { tool_calls: left } : {}),
  }
  return replyOf(finish, isSent ? [sent] : [], leftOut(unsent, finish), about)
}

const leftOut = (unsent: Fields, _finish: Finish): Fields[] =>
  Object.keys(unsent).length > 0 ? [{ role: 'assistant', content: '', ...unsent }] : []

/** Calls arrive whole: arguments are an object. */
const isWhole = ({ function: called }: Fields): boolean => isRecord(called) && isRecord(called.arguments ?? {})
