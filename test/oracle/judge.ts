import { isObject } from '../../src/strict/json.ts'
import type { HistoryEntry } from '../../src/strict/judge/entry.ts'
import type { RejectionReason } from '../../src/strict/judge/rejection-reason.ts'
import { unknown } from '../../src/strict/judge/runs.ts'
import { validators } from '../../src/strict/judge/validators.ts'
import type { Api } from '../../src/strict/provider.ts'
import { read } from './readers/read.ts'

export type Format = Api | 'ai-sdk' | 'ai-sdk-ui' | 'langchain' | 'ag-ui' | 'pydantic-ai'

/**
 * Why a provider of this dialect would refuse the history as the next request; nothing if it accepts. A history in
 * another format than the provider's own is judged as a gateway would translate it. It shares no code with the healer.
 */
export function judge(history: unknown[], format: Format, dialect: string, model?: string): RejectionReason[] {
  const validate = validators[dialect]
  if (!validate) throw new Error(`no judge for the dialect ${dialect}`)
  const messages = history.map(message => (isObject(message) ? message : {}))
  const chat = read(history, format)
  const sent = isAiSdk(format) && omitting.includes(dialect) ? chat.filter(saysSomething) : chat
  const isPartial = messages.some(({ type }) => type === 'item_reference')
  return validate(isPartial ? withoutStrangers(sent) : sent, {
    format,
    messages,
    ...(model === undefined ? {} : { model }),
  })
}

/** The list without results that have no call in front of them: in an input that refers to stored items they answer those. */
function withoutStrangers(chat: HistoryEntry[]): HistoryEntry[] {
  const strangers = new Set(unknown(chat))
  return chat.filter(entry => !strangers.has(entry))
}

const isAiSdk = (format: Format): boolean => format === 'ai-sdk' || format === 'ai-sdk-ui'

/** For these the AI SDK leaves a message of the assistant out that comes to nothing, as one of unsigned reasoning does. */
const omitting = ['anthropic', 'bedrock']

const saysSomething = ({ role, texts, media, calls }: HistoryEntry): boolean =>
  role !== 'assistant' || media || calls.length > 0 || texts.some(text => text !== '')

export const dialects = Object.keys(validators)
