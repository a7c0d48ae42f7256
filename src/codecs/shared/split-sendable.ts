import { mayEndInCall } from './finish.ts'
import type { Finish } from './reply.ts'

/**
 * What a part of a reply is, as far as it matters for sending it again: a `blank` text is empty or white space, an
 * `incomplete-call` has arguments that cannot be parsed or may be cut off.
 */
export type PartKind = 'text' | 'blank' | 'call' | 'incomplete-call' | 'reasoning' | 'other'

/** How a format classifies the parts of its replies. */
export interface PartReader {
  kindOf(part: unknown, isLast: boolean): PartKind
  /** The text of a part with nothing that points at parts which are gone. */
  bare(part: unknown): unknown
  /** Whether reasoning may be the last part of a message that has other content. */
  readonly mayEndInReasoning?: true
}

/** Parts that may be sent again, and parts that may not. Blank text is in neither. */
export interface SplitParts {
  readonly kept: unknown[]
  readonly left: unknown[]
}

/**
 * Separates what can be sent again from what cannot. Of a cut reply only text is kept. Otherwise this removes incomplete
 * calls if the reply may have ended within one, all calls if the model failed to write one, and reasoning that nothing
 * follows.
 */
export function splitSendable(
  parts: readonly unknown[],
  finish: Finish,
  reader: PartReader,
  callless = false,
): SplitParts {
  const kinds = parts.map((part, index) => reader.kindOf(part, index === parts.length - 1))
  const keeps = (kind: PartKind): boolean => {
    if (finish === 'cut') return kind === 'text'
    if (kind === 'call' || kind === 'incomplete-call') return !callless && (kind === 'call' || !mayEndInCall(finish))
    return kind !== 'blank'
  }
  const end = finish === 'pause' ? parts.length : endOf(kinds, keeps, reader)
  const kept: unknown[] = []
  const left: unknown[] = []
  for (const [index, kind] of kinds.entries()) {
    if (index < end && keeps(kind)) kept.push(finish === 'cut' ? reader.bare(parts[index]) : parts[index])
    else if (kind !== 'blank') left.push(parts[index])
  }
  return { kept, left }
}

/** The index after the last part to keep. */
function endOf(
  kinds: readonly PartKind[],
  keeps: (kind: PartKind) => boolean,
  { mayEndInReasoning }: PartReader,
): number {
  const last = kinds.findLastIndex(kind => kind !== 'reasoning' && keeps(kind))
  return mayEndInReasoning && last >= 0 ? kinds.length : last + 1
}
