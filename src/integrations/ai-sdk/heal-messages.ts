import type { CodecId } from '../../codecs/index.ts'
import { isRecord } from '../../core/conversation.ts'
import { repair } from '../../heal/heal.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { healMessageLimits, joinReports } from '../../heal/request/heal-limits.ts'
import { notify } from '../fetch/notify.ts'
import { type AiSdkOptions, readAiSdkOptions } from './adapter-options.ts'
import { type ModelName, modelDialect } from './model-dialect.ts'

export interface HealMessagesOptions extends AiSdkOptions {
  /** The model, or its name: without `for` the dialect is that of the model's provider. */
  readonly model?: string | ModelName
}

/**
 * Heals the messages of `generateText` and `streamText`, which throw on calls without results before any request to a model.
 * A healthy list is returned unchanged.
 */
export const healModelMessages = <Messages extends readonly unknown[]>(
  messages: Messages,
  options: HealMessagesOptions = {},
): Messages => healAs('ai-sdk', messages, options)

/**
 * Heals the messages of a chat, as `useChat` and stores have them, before `convertToModelMessages`. A healthy list is
 * returned unchanged.
 */
export const healUIMessages = <Messages extends readonly ChatMessage[]>(
  messages: Messages,
  options: HealMessagesOptions = {},
): Messages => healAs('ai-sdk-ui', messages, options)

/** What the `UIMessage`s of all versions have in common. */
interface ChatMessage {
  readonly id: string
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly unknown[]
}

/** A `prepareStep` for `generateText` and `streamText`: heals the messages of every step, for the model of that step. */
export const healSteps =
  (options: HealMessagesOptions = {}) =>
  <Message>({ messages, model }: { messages: Message[]; model?: unknown }): { messages?: Message[] } => {
    const healed = healModelMessages(messages, isModel(model) ? { model, ...options } : options)
    return healed === messages ? {} : { messages: healed }
  }

function healAs<Messages>(format: CodecId, messages: Messages, options: HealMessagesOptions): Messages {
  const { model, ...rest } = options
  const { onRepair, onError, choices } = readAiSdkOptions(rest)
  try {
    const dialect = choices.for ?? (isModel(model) ? modelDialect(model) : 'lenient')
    const modelId = isModel(model) ? model.modelId : model
    const named = modelId === undefined ? {} : { model: modelId }
    const pendingCalls = [...(choices.pendingCalls ?? []), ...(Array.isArray(messages) ? deniedCalls(messages) : [])]
    const reading: HealOptions = { ...choices, for: dialect, format, pendingCalls, ...named }
    const within = Array.isArray(messages) ? healMessageLimits(messages, planFor(messages, reading)) : undefined
    const { messages: healed, ...found } = repair((within?.messages ?? messages) as Messages, reading)
    const report = joinReports(within, found)
    if (report.changed) notify(onRepair, { ...report, dialect, ...named })
    return healed
  } catch (error) {
    notify(onError, error)
    return messages
  }
}

const isModel = (model: unknown): model is ModelName =>
  typeof model === 'object' && model !== null && 'provider' in model && 'modelId' in model

/** The calls that the last message denies: the SDK answers them itself, and tells the client. */
function deniedCalls(messages: readonly unknown[]): string[] {
  const { role, ...last } = asRecord(messages.at(-1))
  if (role === 'assistant')
    return recordsIn(last.parts).flatMap(({ state, approval, toolCallId }) =>
      state === 'approval-responded' && asRecord(approval).approved === false ? [String(toolCallId)] : [],
    )
  if (role !== 'tool') return []
  const denied = new Set(
    recordsIn(last.content).flatMap(({ type, approved, approvalId }) =>
      type === 'tool-approval-response' && approved === false ? [approvalId] : [],
    ),
  )
  const before = recordsIn(messages.slice(messages.findLastIndex(message => asRecord(message).role === 'user') + 1))
  return before.flatMap(({ content }) =>
    recordsIn(content).flatMap(({ type, approvalId, toolCallId }) =>
      type === 'tool-approval-request' && denied.has(approvalId) ? [String(toolCallId)] : [],
    ),
  )
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})

const recordsIn = (value: unknown): Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map(asRecord) : []
