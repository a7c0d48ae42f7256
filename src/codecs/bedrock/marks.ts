import { isRecord } from '../../core/conversation.ts'

/** A cache point has no content: it marks how far the cache reaches. */
export const isMark = (block: unknown): boolean =>
  isRecord(block) && block.cachePoint !== undefined && Object.keys(block).length === 1

/**
 * Blocks with the marks that belong to them: those directly after a block, and those before the first one. So a mark is never
 * alone, nor between a call and its result. A list of nothing but marks has no content.
 */
export function withMarks<Read>(content: readonly unknown[], read: (raw: unknown, slot: number) => Read): Read[] {
  const found: Read[] = []
  let from = 0
  let slot = 0
  while (slot < content.length && isMark(content[slot])) slot++
  while (slot < content.length) {
    let to = slot + 1
    while (to < content.length && isMark(content[to])) to++
    const isAlone = to - from === 1 && !Array.isArray(content[slot])
    found.push(read(isAlone ? content[slot] : content.slice(from, to), slot))
    from = to
    slot = to
  }
  return found
}

/** The block that is marked; itself if it is not. */
export const withoutMarks = (raw: unknown): unknown => (Array.isArray(raw) ? raw.find(block => !isMark(block)) : raw)

/** The blocks of a part; only the one that is not a mark is rewritten. */
export const rewrite = (raw: unknown, write: (block: unknown) => unknown): unknown[] =>
  Array.isArray(raw) ? raw.map(block => (isMark(block) ? block : write(block))) : [write(raw)]
