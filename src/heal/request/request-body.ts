import type { Codec } from '../../codecs/codec.ts'
import { type CodecId, codecs } from '../../codecs/index.ts'
import { isRecord } from '../../core/conversation.ts'
import { detect } from '../detect.ts'

/** A request as JSON: a history, and what stands around it. */
export interface RequestBody {
  readonly fields: Readonly<Record<string, unknown>>
  /** The field that holds the history. */
  readonly key: string
  /** A single text can stand for the whole history, where the wire has that. */
  readonly history: unknown
  /** The shape that the fields speak for, where the messages alone fit several. */
  readonly shape: CodecId | undefined
  readonly model: string | undefined
  /** It goes on with a conversation that the provider holds. */
  readonly continues: boolean
}

/** The request that a value is, or undefined if it has no field for a history. */
export function readBody(value: unknown): RequestBody | undefined {
  if (!isRecord(value)) return undefined
  const key = keys.find(key => Array.isArray(value[key])) ?? keys.find(key => value[key] !== undefined)
  if (key === undefined) return undefined
  const shape = shapeOf(value, key)
  return {
    fields: value,
    key,
    history: value[key],
    shape,
    model: [value.model, value.modelId].find(name => typeof name === 'string'),
    continues: Object.values<Codec>(codecs).some(
      ({ wire, envelope }) => wire.root === key && envelope?.continues?.(value),
    ),
  }
}

/**
 * The format of the history in a request: what its messages say counts first, then the format that the reader
 * takes at home, then what its fields say. The fields alone say it only of an empty list.
 */
export const shapeOfHistory = ({ history, shape }: RequestBody, home?: string): CodecId | undefined =>
  Array.isArray(history) && history.length === 0 ? shape : detect(history, home ?? shape)

/** The fields that hold a history, by the root of their wires. */
export const keys = [...new Set(Object.values<Codec>(codecs).map(({ wire }) => wire.root))]

function shapeOf(fields: Readonly<Record<string, unknown>>, key: string): CodecId | undefined {
  if (key !== 'messages') return (Object.keys(codecs) as CodecId[]).find(id => codecs[id].wire.root === key)
  return (Object.keys(signs) as CodecId[]).find(id => signs[id]?.some(field => field in fields))
}

/** Fields that only one wire has beside `messages`. */
const signs: Partial<Record<CodecId, readonly string[]>> = {
  bedrock: ['modelId', 'inferenceConfig', 'toolConfig', 'additionalModelRequestFields'],
  anthropic: ['anthropic_version', 'system'],
  'ag-ui': ['threadId', 'runId'],
} as Partial<Record<string, readonly string[]>>
