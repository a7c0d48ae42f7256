import { asFields, asList, type BodyDraft, type MutableFields } from './body-draft.ts'

/** A cache point of Bedrock: a block of its own in a list of blocks. */
export interface CachePoint {
  readonly list: unknown[]
  readonly block: MutableFields
  /** The block before it in the list. */
  readonly before: MutableFields | undefined
  readonly at: string
}

/** The cache points of a request: those of messages, the oldest first, then those of the system prompt and of tools. */
export function cachePoints(draft: BodyDraft): CachePoint[] {
  const found: CachePoint[] = []
  const look = (list: unknown, at: string): void => {
    const blocks = asList(list)
    for (let index = 0; index < blocks.length; index++) {
      const block = asFields(blocks[index])
      if (block?.cachePoint === undefined) continue
      found.push({ list: blocks, block, before: asFields(blocks[index - 1]), at: `${at}[${index}]` })
    }
  }
  draft.history.forEach((message, index) => {
    look(asFields(message)?.content, `${draft.root}[${index}].content`)
  })
  look(draft.body.system, 'system')
  look(asFields(draft.body.toolConfig)?.tools, 'toolConfig.tools')
  return found
}

/** Removes cache points, each list of blocks in one pass. */
export function removeCachePoints(draft: BodyDraft, points: readonly CachePoint[], why: string): void {
  const lists = new Set<unknown[]>()
  const gone = new Set<unknown>()
  for (const { list, block, at } of points)
    draft.change('lossless', at, why, () => {
      lists.add(list)
      gone.add(block)
    })
  for (const list of lists) {
    const kept = list.filter(block => !gone.has(block))
    list.length = 0
    for (const block of kept) list.push(block)
  }
}
