import type { Codec } from '../../codecs/codec.ts'
import { isContent } from '../../codecs/gemini-interactions/steps.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import { isRecord } from '../../core/conversation.ts'
import { detectFormat } from '../detect.ts'

/** A request as JSON: a history and the fields around it. */
export interface RequestBody {
  readonly fields: Readonly<Record<string, unknown>>
  /** The field that holds the history. */
  readonly key: string
  /** A single text can be the whole history, where the format allows that. */
  readonly history: unknown
  /** The format that the fields suggest, where the messages alone fit several. */
  readonly format: CodecId | undefined
  readonly model: string | undefined
  /** It continues a conversation that the provider stores. */
  readonly continues: boolean
}

/** Reads a request; undefined if the value has no field for a history. */
export function readBody(value: unknown): RequestBody | undefined {
  if (!isRecord(value)) return undefined
  const key =
    historyFields.find(key => Array.isArray(value[key])) ?? historyFields.find(key => value[key] !== undefined)
  if (key === undefined) return undefined
  const format = formatOfFields(value, key)
  return {
    fields: value,
    key,
    history: value[key],
    format,
    model: [value.model, value.modelId].find(name => typeof name === 'string'),
    continues: Object.values<Codec>(codecs).some(
      ({ format, envelope }) => format.root === key && envelope?.continues?.(value),
    ),
  }
}

/**
 * The format of the history in a request: decided by its messages, then the native format of the provider, then the
 * other fields. The fields alone decide only for an empty list.
 */
export function formatOfHistory({ history, format }: RequestBody, native?: string): CodecId | undefined {
  if (Array.isArray(history) && history.length === 0) return format
  const preferred = native ?? format
  const isContents = preferred === 'gemini-interactions' && Array.isArray(history) && history.every(isContent)
  return isContents ? preferred : detectFormat(history, preferred)
}

const rootsOf = (all: readonly Codec[]): string[] => [...new Set(all.map(({ format }) => format.root))]

/** The fields that hold a history, by format. */
export const historyFields = /* @__PURE__ */ rootsOf(/* @__PURE__ */ Object.values<Codec>(codecs))

function formatOfFields(fields: Readonly<Record<string, unknown>>, key: string): CodecId | undefined {
  const possible = (Object.keys(codecs) as CodecId[]).filter(id => codecs[id].format.root === key)
  const typical = possible.find(id => typicalFields[id]?.some(field => field in fields))
  return typical ?? (key === 'messages' ? undefined : possible[0])
}

/** Fields that only one format has, of those with the same field for the history. */
const typicalFields: Partial<Record<CodecId, readonly string[]>> = {
  bedrock: ['modelId', 'inferenceConfig', 'toolConfig', 'additionalModelRequestFields'],
  anthropic: ['anthropic_version', 'system'],
  'ag-ui': ['threadId', 'runId'],
  ollama: ['keep_alive', 'think'],
  'gemini-interactions': ['previous_interaction_id', 'system_instruction', 'generation_config', 'agent'],
} as Partial<Record<string, readonly string[]>>
