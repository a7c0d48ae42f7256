import { answerId } from './answer-chunks.ts'
import type { StoredThread } from './read-thread.ts'

export interface LatestAnswer {
  /** The id of its message. */
  readonly id: string
  /** The position of the answered input. */
  readonly input: number
  /** The position before the one at which the input was admitted. */
  readonly since: number
  /** The position up to which it was sent when it last waited for the client; if it never has, all of it. */
  readonly after: number
  /** Its turn has ended after that. */
  readonly hasEnded: boolean
}

/** The latest answer of a turn, finished or in progress. */
export function latestAnswer({ uid, entries }: StoredThread): LatestAnswer | undefined {
  const place = entries.findLastIndex(({ kind }) => kind === 'input-admit')
  const admitted = entries[place]
  if (admitted?.kind !== 'input-admit') return undefined
  const input = admitted.inputs.at(-1)
  if (input === undefined) return undefined
  const since = entries.slice(place)
  const after = since.findLast(({ kind }) => kind === 'turn-park')?.seq ?? since.at(-1)?.seq ?? admitted.seq
  return {
    id: answerId(uid, admitted.seq),
    input,
    since: admitted.seq - 1,
    after,
    hasEnded: since.some(({ kind, seq }) => kind === 'turn-end' && seq > after),
  }
}
