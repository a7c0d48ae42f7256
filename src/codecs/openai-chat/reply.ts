import { type Fields, isRecord } from '../../core/conversation.ts'
import { isJsonObject } from '../../core/json/is-json-object.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { textsOf } from '../shared/envelope.ts'
import { finishOf, mayEndInCall } from '../shared/finish.ts'
import { type Finish, type Reply, type ReplyMetadata, replyOf } from '../shared/reply.ts'
import { hasWords } from '../shared/scan.ts'

/** Reads a completion: its first choice is the answer. */
export function read(response: unknown): Reply | undefined {
  if (!isRecord(response) || !Array.isArray(response.choices)) return undefined
  const choice = firstChoice(response.choices)
  if (!choice || !isRecord(choice.message)) return undefined
  return toReply(choice.message, isRecord(choice.error) ? 'error' : choice.finish_reason, response)
}

/** The choice with index 0, or the first if none has an index. */
export function firstChoice(choices: readonly unknown[]): Fields | undefined {
  const [first] = choices
  const choice = choices.find(choice => isRecord(choice) && choice.index === 0) ?? first
  return isRecord(choice) && (choice.index === 0 || typeof choice.index !== 'number') ? choice : undefined
}

/** The reply with this message, if it ended for this reason. */
export function toReply(message: Fields, reason: unknown, about: ReplyMetadata): Reply {
  const refuses = typeof message.refusal === 'string' && message.refusal !== ''
  const finish = refuses && finishOf(reason) === 'stop' ? 'refusal' : finishOf(reason)
  const { kept, left } = finish === 'cut' ? cut(message) : splitSendable(message, finish)
  return replyOf(
    finish,
    kept ? [kept] : [],
    Object.keys(left).length > 0 ? [{ role: 'assistant', ...left }] : [],
    about,
  )
}

interface SplitParts {
  readonly kept: Fields | undefined
  readonly left: Fields
}

/** Removes what requests do not accept: annotations, and calls that were cut off. A message without content is left out. */
function splitSendable(message: Fields, finish: Finish): SplitParts {
  const fields = withoutNulls(message)
  const { role: _, content = null, refusal, tool_calls, function_call, audio, annotations, ...rest } = fields
  const calls = callsOf(tool_calls)
  const isKept = (call: Fields, index: number): boolean =>
    !mayEndInCall(finish) || isWhole(call, index < calls.length - 1)
  const kept = calls.filter(isKept)
  const incomplete = calls.filter((call, index) => !isKept(call, index))
  const isCalled = isRecord(function_call) && (!mayEndInCall(finish) || isReadable(function_call.arguments))
  const keptFields = {
    ...(refusal === undefined || refusal === '' ? {} : { refusal }),
    ...(isRecord(audio) && typeof audio.id === 'string' ? { audio: { id: audio.id } } : {}),
    ...(kept.length > 0 ? { tool_calls: kept } : {}),
    ...(isCalled ? { function_call } : {}),
  }
  const left = {
    ...(incomplete.length > 0 ? { tool_calls: incomplete } : {}),
    ...(function_call === undefined || isCalled ? {} : { function_call }),
    ...(isFilled(annotations) ? { annotations } : {}),
  }
  if (Object.keys(keptFields).length > 0 || saysSomething(content))
    return {
      kept: { role: 'assistant', content: 'refusal' in keptFields ? content || null : content, ...rest, ...keptFields },
      left,
    }
  return { kept: undefined, left: { ...(isFilled(content) ? { content } : {}), ...rest, ...left } }
}

/** Only the text of a cut message is kept. */
function cut(message: Fields): SplitParts {
  const { role: _, content, refusal, tool_calls, ...rest } = withoutNulls(message)
  const words = textsOf(content).join('')
  const refused = typeof refusal === 'string' && hasWords(refusal) ? { refusal } : undefined
  const keptText = hasWords(words) ? words : null
  const otherBlocks = Array.isArray(content) ? content.filter(block => isRecord(block) && block.type !== 'text') : []
  const calls = callsOf(tool_calls)
  return {
    kept: keptText === null && !refused ? undefined : { role: 'assistant', content: keptText, ...refused },
    left: {
      ...(otherBlocks.length > 0 ? { content: otherBlocks } : {}),
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '')),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  }
}

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0

/** Null is valid for content only and rejected elsewhere. Fields that a client parsed are not part of the format. */
const withoutNulls = (message: Fields): Fields =>
  Object.fromEntries(
    Object.entries(message).filter(([key, value]) => value !== null && value !== undefined && key !== 'parsed'),
  )

/** Thinking can be a block of the content. */
const saysSomething = (content: unknown): boolean =>
  Array.isArray(content)
    ? content.some(block => isRecord(block) && block.type !== 'thinking' && block.text !== '')
    : content !== null && content !== ''

const callsOf = (calls: unknown): Fields[] => (Array.isArray(calls) ? calls.filter(isRecord).map(sendable) : [])

/** A call as requests accept it, without its position in a stream and fields that a client parsed. */
function sendable({ index: _, ...call }: Fields): Fields {
  if (isRecord(call.custom)) return { ...call, type: 'custom' }
  if (!isRecord(call.function)) return call
  const { parsed_arguments: __, ...called } = call.function
  const input = isRecord(called.arguments) ? { arguments: jsonText(called.arguments) } : {}
  return { ...call, type: 'function', function: { ...called, ...input } }
}

/** Whether a call is complete: for the text of a custom tool, only what follows it shows that. */
const isWhole = ({ function: called, custom }: Fields, isFollowed: boolean): boolean =>
  isRecord(custom) ? isFollowed : isRecord(called) && isReadable(called.arguments)

const isReadable = (input: unknown): boolean => typeof input === 'string' && isJsonObject(input)
