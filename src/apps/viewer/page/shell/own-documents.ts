import { failures } from '../../../demo-failures.ts'
import type { Document, Item, Notice, Source } from '../../protocol.ts'

/** What was dropped or pasted here, and the examples that come with the page: documents without a server. */
export const hereSource: Source = { id: 'here', kind: 'history', name: 'Opened here' }
export const exampleSource: Source = { id: 'examples', kind: 'history', name: 'Examples' }

export const examples: readonly { readonly item: Item; readonly story: string; readonly document: Document }[] =
  failures.map(({ title, story, history, format, for: reader }, index) => ({
    item: { source: exampleSource.id, id: String(index + 1), title, state: 'broken' },
    story,
    document: { kind: 'history', name: title, value: history, options: { format, for: reader } },
  }))

export const exampleDocument = (item: string): Document | undefined =>
  examples.find(example => example.item.id === item)?.document

/** Lists the examples beside what else there is. */
export function tellExamples(hear: (notice: Notice) => void): void {
  hear({ kind: 'source', source: exampleSource })
  for (const { item } of examples) hear({ kind: 'item', item })
  hear({ kind: 'listed', source: exampleSource.id })
}

/** What the first screen needs of a long list, so that it is drawn before all of it has been read. */
export function headOf(document: Document): Document | undefined {
  if (document.kind !== 'history' || !Array.isArray(document.value) || document.value.length < longList)
    return undefined
  return { ...document, value: document.value.slice(0, headLength), total: document.value.length }
}

const longList = 2_000
const headLength = 200
