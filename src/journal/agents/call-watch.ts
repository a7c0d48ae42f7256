import { type Clock, sleep } from '../clock.ts'
import type { Log } from '../log.ts'
import { isErased } from '../turn-errors.ts'

export interface CallWatch {
  /** Aborted when the call has a result, or its thread was erased. */
  readonly settled: AbortSignal
  stop(): void
}

/** Watches an open call: at once for what this process writes, and by polling for what others write. */
export function watchCall(log: Log, clock: Clock, callId: string): CallWatch {
  const settled = new AbortController()
  const stopped = new AbortController()
  const over = AbortSignal.any([settled.signal, stopped.signal])
  const check = (): void => {
    if (log.isRead && !log.state.open.has(callId)) settled.abort(callSettled)
  }
  const leave = log.live.join()
  const unsubscribe = log.listen(check)
  void poll()
  return { settled: settled.signal, stop: () => stopped.abort() }

  async function poll(): Promise<void> {
    for (let pauseMs = pauseMin; !over.aborted; pauseMs = Math.min(2 * pauseMs, pauseMax)) {
      try {
        await log.catchUp()
        check()
      } catch (error) {
        // A store that is unreachable may come back.
        if (isErased(error)) settled.abort(error)
      }
      await sleep(clock, log.live.isConnected ? safetyMs : pauseMs, over)
    }
    unsubscribe()
    leave()
  }
}

const callSettled = new Error('the call of the agent has a result')

const pauseMin = 50
const pauseMax = 1_000
const safetyMs = 10_000
