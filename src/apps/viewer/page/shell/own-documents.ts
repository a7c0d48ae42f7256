import { failures } from '../../../demo-failures.ts'
import type { CatalogueItem, Document, Notice, SourceInfo } from '../../protocol.ts'

/** Documents without a server: what was dropped or pasted, and the examples of the page. */
export const localSource: SourceInfo = { id: 'here', kind: 'history', name: 'Opened here' }
export const exampleSource: SourceInfo = { id: 'examples', kind: 'history', name: 'Examples' }
/** Histories that are in the URL itself. */
export const sharedSource: SourceInfo = { id: 'shared', kind: 'history', name: 'From a link' }

export const examples: readonly {
  readonly item: CatalogueItem
  readonly story: string
  readonly document: Document
}[] = failures.map(({ title, story, history, format, for: dialect }, index) => ({
  item: { source: exampleSource.id, id: String(index + 1), title, state: 'broken' },
  story,
  document: { kind: 'history', name: title, value: history, options: { format, for: dialect } },
}))

export const exampleDocument = (item: string): Document | undefined =>
  examples.find(example => example.item.id === item)?.document

/** Adds the examples to the list. */
export function listExamples(addNotice: (notice: Notice) => void): void {
  addNotice({ kind: 'source', source: exampleSource })
  for (const { item } of examples) addNotice({ kind: 'item', item })
  addNotice({ kind: 'listed', source: exampleSource.id })
}

/** The first messages of a long history, so that they are drawn before the rest is decoded. */
export function firstMessages(document: Document): Document | undefined {
  if (document.kind !== 'history' || !Array.isArray(document.value) || document.value.length < longList)
    return undefined
  return { ...document, value: document.value.slice(0, headLength), total: document.value.length }
}

const longList = 2_000
const headLength = 200
