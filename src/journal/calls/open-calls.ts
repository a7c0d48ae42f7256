import { type CallHandle, handleReader } from '../call.ts'
import type { JournalCall } from '../fold.ts'
import type { Log } from '../log.ts'

export interface OpenCallsOptions {
  /** Include the open calls of agents. Each call then has its `thread` and its `path`. */
  readonly deep?: boolean
}

/** A call without a result. */
export interface OpenCall extends CallHandle, Pick<JournalCall, 'parked' | 'decision'> {
  /** The name of the thread that made the call. */
  readonly thread?: string
  /** The ids of the calls whose agents led to it, from the outside in; empty for a call of this thread. */
  readonly path?: readonly string[]
}

export async function openCallsOf(log: Log): Promise<OpenCall[]> {
  const state = await log.catchUp()
  const handleOf = handleReader(state)
  return Array.from(state.open.values(), call => {
    const { parked, decision } = call
    return { ...handleOf(call), ...(parked && { parked }), ...(decision && { decision }) }
  })
}
