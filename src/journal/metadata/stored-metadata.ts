import { isRecord } from '../../core/conversation.ts'
import { parseObject } from '../../core/json/json-text.ts'

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

/** Ignores what is not metadata: anyone may have written the file. */
export function readMetadata(text: string, revision: number): StoredMetadata {
  const { title, labels, data, sealed } = parseObject(text) ?? {}
  return {
    ...(typeof title === 'string' && { title }),
    labels: Array.isArray(labels) ? labels.filter(label => typeof label === 'string') : [],
    ...(data !== undefined && { data }),
    ...(isSealedContent(sealed) && { sealed }),
    revision,
  }
}

const isSealedContent = (value: unknown): value is NonNullable<StoredMetadata['sealed']> =>
  isRecord(value) && typeof value.content === 'string' && typeof value.key === 'string'
