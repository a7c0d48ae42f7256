import { isRecord } from '../../../core/conversation.ts'

/** What a compaction records of the messages that it kept, by node. */
export interface Kept {
  /** The summary that they are attached to. */
  readonly anchor: number
  readonly head?: number
  readonly tail?: number
  /** Each of them, if they are listed one by one. */
  readonly list?: readonly number[]
}

/** Messages that the program attaches after the summary, regardless of their own links. */
export interface Preserved {
  readonly nodes: ReadonlySet<number>
  /** The summary, and the last of them: to the program, what follows the one follows the other. */
  readonly anchor: number
  readonly last: number
  /** Each of them is listed: then even a new link of one of them is ignored. */
  readonly isListed: boolean
}

export function keptBy(metadata: unknown, nodes: ReadonlyMap<string, number>): Kept | undefined {
  if (!isRecord(metadata)) return undefined
  const { preservedMessages: list, preservedSegment: segment } = metadata
  const named = isRecord(list) ? list : isRecord(segment) ? segment : undefined
  const anchor = nodes.get(String(named?.anchorUuid))
  if (!named || anchor === undefined) return undefined
  if (named === list) {
    const uuids = Array.isArray(named.uuids) ? named.uuids : []
    const found = uuids.flatMap(uuid => nodes.get(String(uuid)) ?? [])
    return new Set(found).size === uuids.length ? { anchor, list: found } : undefined
  }
  const [head, tail] = [nodes.get(String(named.headUuid)), nodes.get(String(named.tailUuid))]
  return head === undefined || tail === undefined ? undefined : { anchor, head, tail }
}

/** Changes the links of preserved messages as the program does when it loads a session. */
export function preserve(kept: Kept | undefined, parents: number[]): Preserved | undefined {
  const chain = kept && (kept.list ?? between(kept, parents))
  const last = chain?.at(-1)
  if (!chain || last === undefined) return undefined
  const { anchor } = kept
  const nodes = new Set(chain)
  for (let node = anchor; node >= 0; node = parents[node] ?? -1) if (nodes.has(node)) return undefined
  for (let node = 0; node < parents.length; node++) if (parents[node] === anchor) parents[node] = last
  chain.forEach((node, index) => {
    parents[node] = chain[index - 1] ?? anchor
  })
  return { nodes, anchor, last, isListed: kept.list !== undefined }
}

/** From the tail back to the head, which must be reached. */
function between({ head, tail = -1 }: Kept, parents: readonly number[]): number[] | undefined {
  const chain: number[] = []
  for (let node = tail; node >= 0; node = parents[node] ?? -1) {
    chain.push(node)
    if (node === head) return chain.reverse()
  }
  return undefined
}
