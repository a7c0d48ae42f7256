import { asRecord, type Fields, isRecord } from '../../core/conversation.ts'
import { isJsonObject } from '../../core/json/is-json-object.ts'
import { finishOf, mayEndInCall } from '../shared/finish.ts'
import { type Finish, type Reply, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'
import { idText, text } from '../shared/text.ts'
import { blockId } from './calls.ts'
import { isReasoning } from './decode.ts'
import { contentOf, fieldsOf, formOf, isFilled, roleOf, typeOf } from './form.ts'
import { withFields } from './make.ts'

/** Reads a message of the assistant: an object becomes plain fields, anything else keeps its form. */
export function read(response: unknown): Reply | undefined {
  const fields = assistantFields(response)
  if (!fields) return undefined
  const raw = response as Fields
  const isObject = formOf(raw) === 'instance'
  return toReply(isObject ? plain(fields) : raw, endOf(fields) ?? 'stop')
}

/** The fields of a message of the assistant, in any of its forms; undefined if it is none. */
export function assistantFields(message: unknown): Fields | undefined {
  if (!isRecord(message) || !['type', 'lc', '_getType'].some(key => key in message)) return undefined
  if (roleOf(typeOf(message)) !== 'assistant' || typeof message.role === 'string') return undefined
  const fields = fieldsOf(message)
  return 'content' in fields || 'content_blocks' in fields || isFilled(fields.tool_calls) ? fields : undefined
}

/** The fields of a message object, without those of its class. */
function plain(fields: Fields): Fields {
  const known = ownKeys.map(key => [key, fields[key]] as const).filter(([, value]) => !isNothing(value))
  return { type: 'ai', content: contentOf(fields), ...Object.fromEntries(known) }
}

const ownKeys = [
  ...['id', 'name', 'tool_calls', 'invalid_tool_calls', 'tool_call_chunks'],
  ...['additional_kwargs', 'response_metadata', 'usage_metadata'],
]

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

/** Why a message ended, by the field of any provider; undefined if there is none. */
export function endOf(fields: Fields): Finish | undefined {
  const { response_metadata, additional_kwargs } = fields
  const metadata = asRecord(response_metadata)
  const { stop_reason } = asRecord(additional_kwargs)
  const { finish_reason, finishReason, stopReason, done_reason, messageStop, status, incomplete_details } = metadata
  const reason = [finish_reason, metadata.stop_reason, stop_reason, finishReason, stopReason, done_reason].find(isText)
  if (reason !== undefined) return finishOf(reason)
  if (isRecord(messageStop)) return finishOf(messageStop.stopReason)
  if (status === 'incomplete') return finishOf(asRecord(incomplete_details).reason) === 'refusal' ? 'refusal' : 'length'
  if (fields.chunk_position === 'last' || status === 'completed') return 'stop'
  return status === 'failed' || status === 'cancelled' ? 'cut' : undefined
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** The reply of a message with this finish reason. `withoutArguments` has the ids of calls whose arguments never arrived. */
export function toReply(message: Fields, end: Finish, withoutArguments: readonly string[] = []): Reply {
  const fields = fieldsOf(message)
  const { refusal } = asRecord(fields.additional_kwargs)
  const finish = end === 'stop' && isText(refusal) ? 'refusal' : end
  const metadata = asRecord(fields.response_metadata)
  const about = { id: fields.id, model: metadata.model_name ?? metadata.model, usage: fields.usage_metadata }
  if (finish === 'cut') return replyOf(finish, words(fields), left(fields), about)
  const gone = new Set(mayEndInCall(finish) ? [...incompleteCallIds(fields), ...withoutArguments] : [])
  const { tool_call_chunks: chunks, ...kept } = gone.size > 0 ? without(fields, gone) : fields
  if (!hasMoreThanReasoning(kept))
    return replyOf(finish, [], hasMoreThanReasoning(fields) || hasContent(fields) ? [message] : [], about)
  const isSame = gone.size === 0 && chunks === undefined
  const unsent = gone.size > 0 ? [{ type: 'ai', content: '', ...only(fields, gone) }] : []
  return replyOf(finish, [isSame ? message : withFields(message, kept)], unsent, about)
}

/** The text of a message, without provider metadata, which may belong to removed parts. */
function words(fields: Fields): Fields[] {
  const words = textOf(contentOf(fields))
  return hasWords(words) ? [{ type: 'ai', content: words }] : []
}

/** The rest of a message without its text. */
function left(fields: Fields): Fields[] {
  const content = contentOf(fields)
  const unsaid = Array.isArray(content) ? content.filter(block => isRecord(block) && block.type !== 'text') : []
  const { reasoning_content, tool_calls, function_call, audio } = asRecord(fields.additional_kwargs)
  const unread = Object.entries({ reasoning_content, tool_calls, function_call, audio }).filter(
    ([, value]) => !isBlank(value),
  )
  const calls = ['tool_calls', 'invalid_tool_calls'].map(key => [key, fields[key]] as const)
  const known = calls.filter(([, list]) => isFilled(list))
  if (unsaid.length + unread.length + known.length === 0) return []
  const extras = unread.length > 0 ? { additional_kwargs: Object.fromEntries(unread) } : {}
  return [{ type: 'ai', content: unsaid, ...Object.fromEntries(known), ...extras }]
}

const isBlank = (value: unknown): boolean => isNothing(value) || value === ''

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return text(content)
  return content
    .map(block =>
      typeof block === 'string' ? block : isRecord(block) && block.type === 'text' ? text(block.text) : '',
    )
    .join('')
}

/** Whether a message has anything except reasoning. */
function hasMoreThanReasoning(fields: Fields): boolean {
  const content = contentOf(fields)
  if (isFilled(fields.tool_calls) || isFilled(fields.invalid_tool_calls)) return true
  const { tool_calls, function_call, refusal, audio } = asRecord(fields.additional_kwargs)
  if (isFilled(tool_calls) || isRecord(function_call) || isText(refusal) || isRecord(audio)) return true
  if (!Array.isArray(content)) return isText(content)
  return content.some(block => isText(block) || (isRecord(block) && block.text !== '' && !isReasoning(block)))
}

const hasContent = (fields: Fields): boolean =>
  isFilled(contentOf(fields)) || isText(asRecord(fields.additional_kwargs).reasoning_content)

/**
 * The ids of calls whose arguments are not an object: the library completes incomplete JSON, but the provider's original
 * shows it. The single call of the old form has no id.
 */
function incompleteCallIds(fields: Fields): string[] {
  const { tool_calls: raw, function_call: only } = asRecord(fields.additional_kwargs)
  return [
    ...(isRecord(only) && !isWhole(only.arguments) ? [''] : []),
    ...idsOf(fields.invalid_tool_calls, () => true),
    ...idsOf(fields.tool_calls, ({ args, function: called }) => !isRecord(args) && !isRecord(called)),
    ...idsOf(raw, ({ function: called }) => !isWhole(asRecord(called).arguments)),
    ...idsOf(fields.tool_call_chunks, ({ args }) => !isWhole(args)),
  ]
}

const isWhole = (input: unknown): boolean => typeof input === 'string' && isJsonObject(input)

const idsOf = (list: unknown, isIncomplete: (call: Fields) => boolean): string[] =>
  (Array.isArray(list) ? list : []).filter(call => isRecord(call) && isIncomplete(call)).map(({ id }) => idText(id))

/** A message without some of its calls, in every list that has them. */
const without = (fields: Fields, gone: ReadonlySet<string>): Fields => sifted(fields, id => !gone.has(id))

/** The calls alone, where the library keeps them. */
function only(fields: Fields, gone: ReadonlySet<string>): Fields {
  const { tool_calls, invalid_tool_calls, additional_kwargs } = sifted(fields, id => gone.has(id))
  const { function_call } = asRecord(additional_kwargs)
  return {
    ...(isFilled(tool_calls) ? { tool_calls } : {}),
    ...(isFilled(invalid_tool_calls) ? { invalid_tool_calls } : {}),
    ...(isRecord(function_call) ? { additional_kwargs: { function_call } } : {}),
  }
}

function sifted(fields: Fields, stays: (id: string) => boolean): Fields {
  const sift = (list: unknown, idOf: (entry: unknown) => unknown): unknown =>
    Array.isArray(list) ? list.filter(entry => idOf(entry) === undefined || stays(idText(idOf(entry)))) : list
  const listed = (entry: unknown): unknown => (isRecord(entry) ? (entry.id ?? '') : undefined)
  const { additional_kwargs, response_metadata } = fields
  const { tool_calls: raw, function_call: only, ...rest } = asRecord(additional_kwargs)
  const kwargs = only === undefined || !stays('') ? rest : { ...rest, function_call: only }
  const kept = sift(raw, listed)
  const { output } = asRecord(response_metadata)
  return {
    ...fields,
    ...('content' in fields ? { content: sift(fields.content, blockId) } : {}),
    ...('tool_calls' in fields ? { tool_calls: sift(fields.tool_calls, listed) } : {}),
    ...('invalid_tool_calls' in fields ? { invalid_tool_calls: sift(fields.invalid_tool_calls, listed) } : {}),
    ...(raw === undefined && only === undefined
      ? {}
      : { additional_kwargs: isFilled(kept) ? { ...kwargs, tool_calls: kept } : kwargs }),
    ...(Array.isArray(output)
      ? { response_metadata: { ...asRecord(response_metadata), output: sift(output, blockId) } }
      : {}),
  }
}
