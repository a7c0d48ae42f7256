import type { CodecId } from '../codecs/index.ts'
import { type CallPart, isRecord } from '../core/conversation.ts'
import type { Call, Step, ThreadState } from './fold.ts'
import { callsOf } from './render/render.ts'

/** A call as the one who performs it sees it. */
export interface CallHandle {
  /** The journal's own id: for approve, deny and settle, and as the tool's idempotency key. */
  readonly id: string
  /** The id on the wire; empty where the wire has none. */
  readonly providerId: string
  readonly name: string
  /** The arguments, parsed; the text as it came if it does not parse, or if the tool takes free text. It is a copy. */
  readonly input: unknown
  /** The arguments are a JSON object, or free text. */
  readonly isReadable: boolean
  /** A run that was started before the crash, and may be started again. */
  readonly again: boolean
  /** Somebody has approved it. */
  readonly isApproved: boolean
  readonly turn: number
}

/** The calls of some steps, with their arguments. Those in `again` may run although they were started. */
export function handlesOf(
  state: ThreadState,
  calls: Iterable<Call>,
  again: ReadonlySet<string> = new Set(),
): CallHandle[] {
  const parts = new Map<number, readonly CallPart[]>()
  return [...calls].map(call => {
    const { step, index } = call.place
    const known = parts.get(step) ?? partsOf(stepAt(state, step))
    parts.set(step, known)
    const { value, isReadable } = inputOf(known[index])
    const { id, providerId, name, turn, decision } = call
    const isApproved = decision?.approved === true
    return { id, providerId, name, input: value, isReadable, again: again.has(id), isApproved, turn }
  })
}

/** Only the last steps of a thread have open calls, so the search is short. */
function stepAt({ items }: ThreadState, seq: number): Step | undefined {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item.kind === 'step' && item.step.seq === seq) return item.step
  }
  return undefined
}

const partsOf = (step: Step | undefined): readonly CallPart[] =>
  step ? callsOf(step.response.format as CodecId, step.response.messages) : []

/** Whoever performs the call may change its input as it likes: the conversation stays as it is. */
function inputOf(part: CallPart | undefined): { value: unknown; isReadable: boolean } {
  const { input, sort } = part ?? {}
  if (typeof input !== 'string')
    return { value: structuredClone(input ?? {}), isReadable: input == null || isRecord(input) }
  // The input of a custom tool is free text, also where it looks like JSON.
  if (sort === 'custom') return { value: input, isReadable: true }
  if (input.trim() === '') return { value: {}, isReadable: true }
  try {
    const value: unknown = JSON.parse(input)
    return { value, isReadable: isRecord(value) }
  } catch {
    return { value: input, isReadable: false }
  }
}
