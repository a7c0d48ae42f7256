import { breaksOff } from './finish.ts'
import type { Finish } from './reply.ts'

/**
 * What a part of a reply is, as far as it matters for sending it again: a `blank` text has no words, a `half` call has
 * arguments that nobody can read, or that may not be all.
 */
export type Sort = 'text' | 'blank' | 'call' | 'half' | 'reasoning' | 'other'

/** How a wire tells the parts of its replies. */
export interface PartReader {
  sort(part: unknown, isLast: boolean): Sort
  /** The text of a part with nothing that points at parts which are gone. */
  bare(part: unknown): unknown
  /** Whether reasoning may be the last that a message says, as long as it says anything else. */
  readonly mayEndInReasoning?: true
}

/** Parts that may be sent again, and parts that may not. Blank text is in neither. */
export interface Divided {
  readonly kept: unknown[]
  readonly left: unknown[]
}

/**
 * Divides what a model said. Of a cut reply only the text is kept. Otherwise half calls go where the reply may have ended
 * in the middle of one, all calls if the model itself failed to make one, and reasoning that leads to nothing.
 */
export function divide(parts: readonly unknown[], finish: Finish, reader: PartReader, callless = false): Divided {
  const sorts = parts.map((part, index) => reader.sort(part, index === parts.length - 1))
  const keeps = (sort: Sort): boolean => {
    if (finish === 'cut') return sort === 'text'
    if (sort === 'call' || sort === 'half') return !callless && (sort === 'call' || !breaksOff(finish))
    return sort !== 'blank'
  }
  const end = finish === 'pause' ? parts.length : endOf(sorts, keeps, reader)
  const kept: unknown[] = []
  const left: unknown[] = []
  for (const [index, sort] of sorts.entries()) {
    if (index < end && keeps(sort)) kept.push(finish === 'cut' ? reader.bare(parts[index]) : parts[index])
    else if (sort !== 'blank') left.push(parts[index])
  }
  return { kept, left }
}

/** The index behind the last part that is worth a message. */
function endOf(sorts: readonly Sort[], keeps: (sort: Sort) => boolean, { mayEndInReasoning }: PartReader): number {
  const last = sorts.findLastIndex(sort => sort !== 'reasoning' && keeps(sort))
  return mayEndInReasoning && last >= 0 ? sorts.length : last + 1
}
