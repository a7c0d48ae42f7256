import { AntiphonError } from '../../core/errors.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { depthMax, isTooDeep } from '../../core/json/nesting.ts'
import { assertNotErased } from '../erasure/tombstone.ts'
import type { Log } from '../log.ts'
import { sealedError } from '../seal/sealed-error.ts'
import { metadataText, type StoredMetadata, type ThreadMetadata } from './stored-metadata.ts'

/** What to change; the rest stays. Null removes the title or the data. */
export interface MetadataChange {
  readonly title?: string | null
  /** All labels that the thread has from now on. */
  readonly labels?: readonly string[]
  /** Any JSON. */
  readonly data?: unknown
}

/** Changes the metadata of a thread. If another process does so at the same time, both changes are made. */
export async function describeThread(log: Log, change: MetadataChange): Promise<ThreadMetadata> {
  const copied = copyChange(change)
  for (;;) {
    const { metadata: known = empty } = assertNotErased(await log.row())
    const changed = changedBy(known, copied)
    const { sealed: _, ...open } = changed
    const bytes = new TextEncoder().encode(metadataText(open)).length
    if (bytes > bytesMax) throw invalid(`it has ${bytes} bytes as JSON`)
    if (await log.describe(changed)) return publicMetadata(changed)
  }
}

export async function metadataOf(log: Log): Promise<ThreadMetadata> {
  const { metadata = empty } = assertNotErased(await log.row())
  if (metadata.sealed) throw unreadable()
  return publicMetadata(metadata)
}

const empty: StoredMetadata = { labels: [], revision: 0 }

const publicMetadata = ({ revision: _, sealed: __, ...metadata }: StoredMetadata): ThreadMetadata => metadata

/** A copy as JSON, which the caller cannot change any more. */
function copyChange({ title, labels, data }: MetadataChange): MetadataChange {
  if (title !== undefined && title !== null && typeof title !== 'string') throw invalid('its title is not a string')
  const areLabels = labels === undefined || (Array.isArray(labels) && labels.every(isLabel))
  if (!areLabels) throw invalid('its labels are not an array of non-empty strings')
  if (isTooDeep({ data })) throw invalid(`its data is nested deeper than ${depthMax} levels`)
  const json = data === undefined ? undefined : jsonText(data)
  if (json === '') throw invalid('its data is not JSON')
  return {
    ...(title !== undefined && { title }),
    ...(labels && { labels: [...new Set(labels)] }),
    ...(json !== undefined && { data: JSON.parse(json) }),
  }
}

const isLabel = (label: unknown): boolean => typeof label === 'string' && label !== ''

function changedBy({ title, labels, data, sealed, revision }: StoredMetadata, change: MetadataChange): StoredMetadata {
  if (sealed && (change.title !== undefined || change.data !== undefined)) throw unreadable()
  const now = { title, data, ...change }
  return {
    ...(typeof now.title === 'string' && { title: now.title }),
    labels: change.labels ?? labels,
    ...(now.data !== undefined && now.data !== null && { data: now.data }),
    ...(sealed && { sealed }),
    revision: revision + 1,
  }
}

const unreadable = (): AntiphonError => sealedError('the metadata of the thread cannot be decrypted')

const invalid = (why: string): AntiphonError =>
  new AntiphonError('invalid-metadata', `invalid metadata: ${why}`, {
    hint: 'use a string as title, an array of strings as labels, and JSON as data, together at most 16 KB',
  })

const bytesMax = 16 * 1024
