import { codecs } from '../../../codecs/index.ts'
import { isRecord } from '../../../core/conversation.ts'
import { memberSpans, type TextSpan } from '../../../core/json/json-spans.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { detectFormat } from '../../../heal/detect.ts'
import { whyNotWritten } from '../../backup/proof.ts'
import { examineList } from '../../examine-list.ts'
import { fileError } from '../../files/file-error.ts'
import { type JsonDocument, repairListIn } from '../../json-document.ts'
import type { Waiting } from '../../judge.ts'
import { lostContent } from '../../lost-content.ts'
import { quote } from '../../quote.ts'
import type { Examination } from '../../system.ts'

/** A chat: the list of its messages, and the key under which an object has it. */
export interface UiChat {
  readonly messages: readonly unknown[]
  readonly key?: string
  readonly title?: string
}

/** Whether a list holds messages of a chat. */
export const isOfChat = (messages: readonly unknown[]): boolean => detectFormat(messages) === 'ai-sdk-ui'

/** The chat in a value: the value itself, or its member `messages` or another one. */
export function chatIn(value: unknown): UiChat | undefined {
  if (Array.isArray(value)) return { messages: value }
  if (!isRecord(value)) return undefined
  const lists = Object.keys(value).filter(key => Array.isArray(value[key]))
  const key = lists.find(key => isOfChat(value[key] as unknown[])) ?? lists.find(key => key === 'messages')
  if (key === undefined) return undefined
  const title = typeof value.title === 'string' ? { title: value.title } : {}
  return { messages: value[key] as unknown[], key, ...title }
}

/** Examines a chat. Its last calls may wait for the browser that runs them or for a person. */
export function examineUiChat(document: JsonDocument): Examination {
  const chat = chatIn(document.value)
  if (!chat) throw fileError(document.path, 'it is not a chat: neither a list of messages nor an object that has one')
  const { messages } = chat
  const { messages: healed, ...found } = examineList(messages, { format: 'ai-sdk-ui' }, waitingIn(messages))
  const isBroken = found.repairs.length > 0
  const whyNot = isBroken ? whyNotWritten(messages, healed, codecs['ai-sdk-ui']) : undefined
  return {
    ...found,
    repairs: found.repairs.map(inWordsOfTheSdk),
    dropped: [...found.dropped, ...lostContent(messages, healed, found, 'messages')],
    notes: [
      ...(isStreaming(document.value) ? ['a stream was running when it was saved last'] : []),
      ...(whyNot === undefined ? [] : [whyNot]),
    ],
    ...(isBroken && whyNot === undefined
      ? { storeRepair: repairListIn(document, listSpan(document, chat), messages, healed) }
      : {}),
  }
}

/** The SDK itself rejects a call without a result, before it sends a request. */
const inWordsOfTheSdk = (repair: Repair): Repair =>
  repair.rule === 'unanswered-call' && repair.callId !== undefined
    ? { ...repair, refusal: `Tool result is missing for tool call ${repair.callId}.` }
    : quote(repair, 'openai')

/**
 * The last step may wait, unless it has a call that nothing marks as waiting: then only the marked calls may. Calls of
 * a step before it never wait.
 */
function waitingIn(messages: readonly unknown[]): Waiting {
  const last = messages.at(-1)
  const parts = isRecord(last) && Array.isArray(last.parts) ? last.parts.filter(isRecord) : []
  const step = parts.slice(parts.findLastIndex(({ type }) => type === 'step-start') + 1)
  const calls = step.filter(part => typeof part.toolCallId === 'string')
  if (calls.length > 0 && calls.every(({ state }) => typeof state === 'string')) return { tail: true }
  const earlier = new Set(messages.slice(0, -1).flatMap(callIdsOf))
  const waiting = calls.filter(({ state, toolCallId }) => waits.has(state) && !earlier.has(toolCallId))
  return { pendingCalls: waiting.map(({ toolCallId }) => String(toolCallId)) }
}

/** A call is identified only by its id, so a repeated id is ambiguous. */
const callIdsOf = (message: unknown): unknown[] =>
  isRecord(message) && Array.isArray(message.parts) ? message.parts.filter(isRecord).map(part => part.toolCallId) : []

/** For the browser to run the call, for a person to decide, or for the server to act on the decision. */
const waits: ReadonlySet<unknown> = new Set(['input-available', 'approval-requested', 'approval-responded'])

const isStreaming = (value: unknown): boolean => isRecord(value) && typeof value.activeStreamId === 'string'

function listSpan({ text }: JsonDocument, { key }: UiChat): TextSpan {
  if (key === undefined) return { start: text.indexOf('['), end: text.trimEnd().length }
  const members = memberSpans(text, text.indexOf('{'))
  return members.findLast(member => JSON.parse(member.key) === key) as TextSpan
}
