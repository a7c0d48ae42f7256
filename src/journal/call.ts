import type { CodecId } from '../codecs/index.ts'
import { type CallPart, isRecord } from '../core/conversation.ts'
import { isTooDeep } from '../core/json/nesting.ts'
import type { JournalCall, RecordedStep, ThreadState } from './fold.ts'
import { decodeCalls } from './render/render.ts'

/** A call to perform. */
export interface CallHandle {
  /** The journal's own id: for approve, deny and settle, and as the tool's idempotency key. */
  readonly id: string
  /** The id that the provider gave the call; empty if the format has no call ids. */
  readonly providerId: string
  readonly name: string
  /**
   * The input to run the call with: a copy of the parsed arguments, or the input as a person changed it, also if that happened after the handle
   * was made. It is the original text if that is not JSON, or if the tool takes free text.
   */
  readonly input: unknown
  /** What the model asked for, if a person changed it. */
  readonly asked?: unknown
  /** The arguments are a JSON object, or free text. */
  readonly isReadable: boolean
  /** The call was started before a crash, and may run again, or is looked up. */
  readonly again: boolean
  /** The call was approved. */
  readonly isApproved: boolean
  readonly turn: number
}

/** Handles for the given calls, with their arguments. Calls in `again` may run although they were started. */
export const handlesOf = (
  state: ThreadState,
  calls: Iterable<JournalCall>,
  again: ReadonlySet<string> = new Set(),
): CallHandle[] => Array.from(calls, handleReader(state, again))

/** Makes the handle of a call, with its arguments. The response of a step is decoded once for all of its calls. */
export function handleReader(
  state: ThreadState,
  again: ReadonlySet<string> = new Set(),
): (call: JournalCall) => CallHandle {
  const parts = new Map<number, readonly CallPart[]>()
  return call => {
    const { step, index } = call.place
    const known = parts.get(step) ?? partsOf(state, step)
    parts.set(step, known)
    const asked = inputOf(known[index])
    const { id, providerId, name, turn, decision } = call
    const isApproved = decision?.approved === true
    return {
      ...{ id, providerId, name, again: again.has(id), isApproved, turn },
      ...(call.edited && { asked: asked.value }),
      isReadable: call.edited !== undefined || asked.isReadable,
      // Read again when the call has started: the change may have come from another process in between.
      get input() {
        return call.edited ? structuredClone(call.edited.input) : asked.value
      },
    }
  }
}

/** Open calls are in the last steps, so the search starts there. */
function stepAt({ items }: ThreadState, seq: number): RecordedStep | undefined {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item?.kind === 'step' && item.step.seq === seq) return item.step
  }
  return undefined
}

/** The calls of the step of a thread that was decoded last: handles of its calls are often made one at a time. */
const lastDecoded = new WeakMap<ThreadState, { readonly step: RecordedStep; readonly parts: readonly CallPart[] }>()

function partsOf(state: ThreadState, seq: number): readonly CallPart[] {
  const step = stepAt(state, seq)
  if (!step) return []
  const last = lastDecoded.get(state)
  if (last?.step === step) return last.parts
  const parts = decodeCalls(step.response.format as CodecId, step.response.messages)
  lastDecoded.set(state, { step, parts })
  return parts
}

/** The input is a copy, so that a tool can change it without changing the history. */
function inputOf(part: CallPart | undefined): { value: unknown; isReadable: boolean } {
  const { input, callKind } = part ?? {}
  if (typeof input !== 'string')
    return { value: structuredClone(input ?? {}), isReadable: input == null || isRecord(input) }
  // The input of a custom tool is free text, also if it looks like JSON.
  if (callKind === 'custom') return { value: input, isReadable: true }
  if (input.trim() === '') return { value: {}, isReadable: true }
  try {
    const value: unknown = JSON.parse(input)
    return isTooDeep(value) ? { value: input, isReadable: false } : { value, isReadable: isRecord(value) }
  } catch {
    return { value: input, isReadable: false }
  }
}
