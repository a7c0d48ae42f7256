import { isRecord } from '../../core/conversation.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'

/** What a thread is about. */
export interface ThreadMetadata {
  readonly title?: string
  /** Without duplicates. */
  readonly labels: readonly string[]
  /** Any JSON of the caller. */
  readonly data?: unknown
}

/** The metadata of a thread as a store has it. */
export interface StoredMetadata extends ThreadMetadata {
  /** How often it was changed. */
  readonly revision: number
  /** Title and data, if they are sealed and cannot be read here. */
  readonly sealed?: { readonly content: string; readonly key: string }
}

export const metadataText = ({ revision: _, ...metadata }: StoredMetadata): string => JSON.stringify(metadata)

/** Ignores what is not metadata: anyone may have written the file. Labels count whatever the data are, since they may keep a thread from being erased. */
export function readMetadata(text: string, revision: number): StoredMetadata {
  const parsed = tryParseJson(text)
  const { title, labels, data, sealed } = isRecord(parsed) ? parsed : {}
  return {
    ...(typeof title === 'string' && { title }),
    labels: Array.isArray(labels) ? labels.filter(label => typeof label === 'string') : [],
    ...(data !== undefined && !isTooDeep(data) && { data }),
    ...(isSealedContent(sealed) && { sealed }),
    revision,
  }
}

const isSealedContent = (value: unknown): value is NonNullable<StoredMetadata['sealed']> =>
  isRecord(value) && typeof value.content === 'string' && typeof value.key === 'string'
