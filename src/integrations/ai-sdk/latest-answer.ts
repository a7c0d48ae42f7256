import { answerId } from './answer-chunks.ts'
import type { StoredThread } from './read-thread.ts'

export interface LatestAnswer {
  /** The id of its message. */
  readonly id: string
  /** The position of the input that it answers. */
  readonly input: number
  /** Up to here it was told when it waited for the client the last time; if it never has, this is all of it. */
  readonly after: number
  /** Its turn has ended behind that. */
  readonly hasEnded: boolean
}

/** The answer that was given last in a turn, or is being given. */
export function latestAnswer({ uid, entries }: StoredThread): LatestAnswer | undefined {
  const place = entries.findLastIndex(({ kind }) => kind === 'input-admit')
  const admitted = entries[place]
  if (admitted?.kind !== 'input-admit') return undefined
  const since = entries.slice(place)
  const after = since.findLast(({ kind }) => kind === 'turn-park')?.seq ?? since[since.length - 1].seq
  return {
    id: answerId(uid, admitted.seq),
    input: admitted.inputs[admitted.inputs.length - 1],
    after,
    hasEnded: since.some(({ kind, seq }) => kind === 'turn-end' && seq > after),
  }
}
