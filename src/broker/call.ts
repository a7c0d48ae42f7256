import type { CodecId } from '../codecs/index.ts'
import { isRecord } from '../core/conversation.ts'
import type { Call, Step, ThreadState } from '../journal/fold.ts'
import { callsOf } from './render.ts'

/** A call as the one who performs it sees it. */
export interface CallHandle {
  /** The journal's own id: for approve, deny and settle, and as the tool's idempotency key. */
  readonly id: string
  /** The id on the wire; empty where the wire has none. */
  readonly providerId: string
  readonly name: string
  /** The arguments, parsed; the text as it came if it does not parse. */
  readonly input: unknown
  /** The arguments are a JSON object. */
  readonly isReadable: boolean
  /** A run that was started before the crash, and may be started again. */
  readonly again: boolean
  /** Somebody has approved it. */
  readonly isApproved: boolean
  readonly turn: number
}

/** The calls of some steps, with their arguments. */
export function handlesOf(state: ThreadState, calls: Iterable<Call>): CallHandle[] {
  const inputs = new Map<number, readonly unknown[]>()
  return [...calls].map(call => {
    const { step, index } = call.place
    const known = inputs.get(step) ?? inputsOf(stepAt(state, step))
    inputs.set(step, known)
    const { value, isReadable } = parsed(known[index])
    const { id, providerId, name, turn, startedAt, decision } = call
    const isApproved = decision?.approved === true
    return { id, providerId, name, input: value, isReadable, again: startedAt !== undefined, isApproved, turn }
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

const inputsOf = (step: Step | undefined): readonly unknown[] =>
  step ? callsOf(step.response.format as CodecId, step.response.messages).map(({ input }) => input) : []

function parsed(input: unknown): { value: unknown; isReadable: boolean } {
  if (typeof input !== 'string') return { value: input ?? {}, isReadable: input == null || isRecord(input) }
  if (input.trim() === '') return { value: {}, isReadable: true }
  try {
    const value: unknown = JSON.parse(input)
    return { value, isReadable: isRecord(value) }
  } catch {
    return { value: input, isReadable: false }
  }
}
