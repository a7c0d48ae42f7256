import { isRecord } from '../../core/conversation.ts'
import type { Settings } from '../../core/settings.ts'

export type Body = Readonly<Record<string, unknown>>

/** How a request is built around its history, which is under the root field of the format. */
export interface Envelope {
  /** What the request contains in addition to its history. */
  read(body: Body): Settings
  /** The request with what has changed between two settings; everything else is left as it is. */
  write(body: Body, before: Settings, after: Settings): Body
  /** Whether the request continues state that the provider holds. */
  continues?(body: Body): boolean
}

/** The settings of a request that is only a list: nothing that a rule could act on. */
export const unknownSettings: Settings = { tools: 'declared', thinking: 'free', system: [] }

/** Whether a request names state of the provider in one of these fields. */
export const holdsAny =
  (fields: readonly string[]): NonNullable<Envelope['continues']> =>
  body =>
    fields.some(field => body[field] !== undefined && body[field] !== null && body[field] !== '')

/** For formats whose system prompt is a message: a `system` field is left over from another format. */
export const leftoverSystem: Envelope = {
  read: body => ({ ...unknownSettings, system: textsOf(body.system) }),
  write(body, before, after) {
    if (after.system.length === before.system.length) return body
    const { system: _, ...rest } = body
    return rest
  },
}

/** System text as blocks, with all their other fields. */
export const systemBlocks = (words: readonly unknown[], write: (text: string) => unknown): unknown[] =>
  words.flat().map(word => (typeof word === 'string' ? write(word) : word))

/** Whether a list has anything in it. */
export const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** A text, or the texts of a list of blocks. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!Array.isArray(value)) return []
  return value.map(block => block?.text).filter(text => typeof text === 'string' && text !== '')
}

/** A thinking setting, as providers of Claude models accept it. */
export function readThinking(setting: unknown): Settings['thinking'] {
  if (setting === undefined || setting === null) return 'unset'
  const type = isRecord(setting) ? setting.type : undefined
  return type === 'enabled' ? 'on' : type === 'disabled' ? 'off' : 'free'
}
