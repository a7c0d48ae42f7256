import { type JsonObject, objects, stringOf, textOrJson } from '../json.ts'
import type { ToolChoice } from './choice.ts'

/** The parts of a request that a script needs. */
export interface RequestSummary extends ToolChoice {
  tools: SummaryTool[]
  /** The schema that the answer must match, if there is one. */
  answer?: JsonObject
  /** The history in order. */
  history: SummaryEntry[]
}

export interface SummaryTool {
  name: string
  schema: unknown
}

/** The schema of a tool with free-form text input. */
export const freeForm: JsonObject = { type: 'string' }

export type SummaryEntry =
  | { by: 'user'; text: string }
  | { by: 'assistant' }
  | { by: 'call'; id: string; name: string }
  | { by: 'tool'; id: string; name?: string; text: string }

/** The text of a content that is a string, or a list with text parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return objects(content)
    .flatMap(({ text }) => stringOf(text) ?? [])
    .join('\n')
}

/** The text of a tool result, else all of it as JSON. */
export const toolResultText = (content: unknown): string =>
  contentText(content) || (content === undefined ? '' : textOrJson(content))

/** The user's entry, unless the text is empty. */
export const userEntry = (text: string): SummaryEntry[] => (text === '' ? [] : [{ by: 'user', text }])

/** The tools that have a name. */
export const namedTools = (tools: { name: unknown; schema: unknown }[]): SummaryTool[] =>
  tools.flatMap(({ name, schema }) => (typeof name === 'string' ? [{ name, schema }] : []))

export const idOrEmpty = (id: unknown): string => stringOf(id) ?? ''
