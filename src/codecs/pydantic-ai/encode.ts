import {
  asRecord,
  type CallPart,
  type Conversation,
  type Fields,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
} from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { isUntouched, type MessageGroup, sharedMessages } from '../shared/message-groups.ts'
import { fieldsAround, overlay, unlessEqual } from '../shared/overlay.ts'
import { isId, text } from '../shared/text.ts'
import { contentText, inputOf, textIn } from './decode.ts'

/** Writes neighbours that share a request together, unchanged if nothing in it was changed. */
export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  return sharedMessages(messages).map(group => {
    const before = history[group[0].origin ?? -1]
    return isUntouched(group, decoded) ? before : unlessEqual(before, encodeGroup(group, history))
  })
}

function encodeGroup(group: Readonly<MessageGroup>, history: readonly unknown[]): unknown {
  const [{ role, origin }] = group
  if (role === 'other') return history[origin as number]
  const around = fieldsAround(group, history)
  if (role === 'assistant') return { ...around, parts: group.flatMap(encodeResponse), kind: 'response' }
  return { ...around, parts: group.flatMap(message => encodeRequest(message, history)), kind: 'request' }
}

/** Content that is there and empty is an empty text. */
const isEmptyText = ({ parts, blank }: Message): boolean => parts.length === 0 && blank === 'empty'

const encodeResponse = (message: Message): unknown[] =>
  isEmptyText(message) ? [{ content: '', part_kind: 'text' }] : message.parts.map(encodeResponsePart)

function encodeRequest(message: Message, history: readonly unknown[]): unknown[] {
  const { role, parts, origin } = message
  if (isEmptyText(message)) return [{ content: '', part_kind: role === 'system' ? 'system-prompt' : 'user-prompt' }]
  if (role === 'tool') return parts.map(part => encodeResult(part as ResultPart))
  if (role === 'system') return encodeSystem(parts)
  const prompts: unknown[] = []
  for (const run of promptsIn(parts)) prompts.push(encodePrompt(run, asRecord(history[origin ?? -1]).parts))
  return prompts
}

/** Each system prompt is a message of its own, so one message becomes one prompt. */
function encodeSystem(parts: readonly Part[]): unknown[] {
  const texts = parts.filter(part => part.kind === 'text')
  const [first] = texts
  if (!first || parts.length === 1 || texts.length < parts.length)
    return parts.map(part => encodeText(part, 'system-prompt'))
  return [encodeText({ ...first, text: texts.map(({ text }) => text).join('\n\n') }, 'system-prompt')]
}

/** The parts of a user message by the prompt that they come from, in their order. */
function promptsIn(parts: readonly Part[]): Part[][] {
  const runs: Part[][] = []
  for (const part of parts) {
    const last = runs.at(-1)
    const before = last?.[0]
    if (last && before && !isWhole(before) && !isWhole(part) && before.slot === part.slot) last.push(part)
    else runs.push([part])
  }
  return runs
}

/** Whether a part is a whole prompt, and not one of a list. */
const isWhole = ({ raw }: Part): boolean => isRecord(raw) && typeof raw.part_kind === 'string'

function encodePrompt(run: readonly Part[], before: unknown): unknown {
  const [first] = run
  if (first && run.length === 1 && (isWhole(first) || first.slot === undefined)) {
    if (first.kind === 'text') return encodeText(first, 'user-prompt')
    if (isWhole(first)) return first.raw
  }
  const content = run.map(encodeItem)
  const prompt = Array.isArray(before) && first?.slot !== undefined ? before[first.slot] : undefined
  const isOwn =
    isRecord(prompt) && Array.isArray(prompt.content) && prompt.content.some(item => equal(item, first?.raw))
  return { ...(isOwn ? prompt : { part_kind: 'user-prompt' }), content }
}

function encodeItem(part: Part): unknown {
  if (part.kind !== 'text') return part.raw
  if (textIn(part.raw) === part.text) return part.raw
  return isRecord(part.raw) ? { ...part.raw, content: part.text } : part.text
}

function encodeText(part: Part, kind: string): unknown {
  if (part.kind !== 'text') return part.raw
  const { raw, text: words } = part
  if (!isRecord(raw) || typeof raw.part_kind !== 'string') return { content: words, part_kind: kind }
  const isEmptyList = Array.isArray(raw.content) && raw.content.length === 0 && words === ''
  if (isEmptyList || contentText(raw.content) === words) return raw
  return overlay(raw, raw.content === words ? {} : { content: words })
}

function encodeResponsePart(part: Part): unknown {
  switch (part.kind) {
    case 'text':
      return encodeText(part, 'text')
    case 'call':
      return encodeCall(part)
    case 'reasoning':
      return part.raw ?? { content: part.text, part_kind: 'thinking' }
    default:
      return part.raw
  }
}

function encodeCall(part: CallPart): unknown {
  const { id, name, input } = part
  if (!isRecord(part.raw)) return { tool_name: name, args: input, tool_call_id: id, part_kind: 'tool-call' }
  const { raw } = part
  return overlay(
    raw,
    text(raw.tool_name) === name ? {} : { tool_name: name },
    isSameInput(raw.args, input) ? {} : { args: input },
    isId(raw.tool_call_id, part) ? {} : { tool_call_id: id },
  )
}

const isSameInput = (args: unknown, input: unknown): boolean => equal(args, input) || equal(inputOf(args), input)

function encodeResult(part: ResultPart): unknown {
  const { id, name = '', content, error, denied } = part
  const outcome: Fields = error ? { outcome: denied ? 'denied' : 'failed' } : {}
  if (!isRecord(part.raw)) return { tool_name: name, content, tool_call_id: id, ...outcome, part_kind: 'tool-return' }
  const { raw } = part
  return overlay(
    raw,
    text(raw.tool_name) === name ? {} : { tool_name: name },
    equal(raw.content, content) ? {} : { content },
    isId(raw.tool_call_id, part) ? {} : { tool_call_id: id },
  )
}
