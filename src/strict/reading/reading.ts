import { type JsonObject, jsonText, objects, stringOf } from '../json.ts'
import type { Choice } from './choice.ts'

/** What a reader finds in a request. */
export interface Reading extends Choice {
  tools: Tool[]
  /** The schema that the answer has to fit, if there is one. */
  answer?: JsonObject
  /** The history in order. */
  said: Entry[]
}

export interface Tool {
  name: string
  schema: unknown
}

/** What stands for the schema of a tool that takes a text. */
export const freeForm: JsonObject = { type: 'string' }

export type Entry =
  | { by: 'user'; text: string }
  | { by: 'assistant' }
  | { by: 'call'; id: string; name: string }
  | { by: 'tool'; id: string; name?: string; text: string }

/** The words of a content that is a text, or a list with texts in it. */
export function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  return objects(content)
    .flatMap(({ text }) => stringOf(text) ?? [])
    .join('\n')
}

/** What a tool gave: its words, else all of it as JSON. */
export const outcomeOf = (content: unknown): string =>
  wordsOf(content) || (content === undefined ? '' : jsonText(content))

/** The user's entry, unless there are no words in it. */
export const userSaid = (text: string): Entry[] => (text === '' ? [] : [{ by: 'user', text }])

/** The tools that have a name. */
export const named = (tools: { name: unknown; schema: unknown }[]): Tool[] =>
  tools.flatMap(({ name, schema }) => (typeof name === 'string' ? [{ name, schema }] : []))

export const idOf = (id: unknown): string => stringOf(id) ?? ''
