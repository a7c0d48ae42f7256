import { isObject } from '../../src/strict/json.ts'
import type { Entry } from '../../src/strict/judge/entry.ts'
import type { Objection } from '../../src/strict/judge/objection.ts'
import { unknown } from '../../src/strict/judge/runs.ts'
import { validators } from '../../src/strict/judge/validators.ts'
import type { Api } from '../../src/strict/provider.ts'
import { read } from './readers/read.ts'

export type Format = Api | 'ai-sdk' | 'ai-sdk-ui' | 'langchain' | 'ag-ui'

/**
 * Why a provider of this dialect would refuse the history as the next request; nothing if it accepts. A history in
 * another format than the provider's own is judged as a gateway would translate it. It shares no code with the healer.
 */
export function judge(history: unknown[], format: Format, dialect: string): Objection[] {
  const validate = validators[dialect]
  if (!validate) throw new Error(`no judge for the dialect ${dialect}`)
  const messages = history.map(message => (isObject(message) ? message : {}))
  const chat = read(history, format)
  const isPartial = messages.some(({ type }) => type === 'item_reference')
  return validate(isPartial ? withoutStrangers(chat) : chat, { format, messages })
}

/** The list without results that have no call in front of them: in an input that refers to stored items they answer those. */
function withoutStrangers(chat: Entry[]): Entry[] {
  const strangers = new Set(unknown(chat))
  return chat.filter(entry => !strangers.has(entry))
}

export const dialects = Object.keys(validators)
