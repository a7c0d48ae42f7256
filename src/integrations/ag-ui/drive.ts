import { warn } from '../../heal/warn.ts'
import { runTurn } from '../../journal/run.ts'
import type { RunEvent } from '../../journal/run-event.ts'
import type { Thread } from '../../journal/thread.ts'
import { findTool } from '../../journal/tool.ts'
import { notify } from '../fetch/notify.ts'
import { type AppRun, toolsOf } from './app-run.ts'
import type { Goal } from './goal.ts'
import type { AgUiOptions } from './handler-options.ts'
import type { LiveThread } from './live-threads.ts'

export interface Drive {
  readonly thread: Thread
  readonly live: LiveThread
  readonly app: AppRun
  readonly options: AgUiOptions
  readonly goal: Goal
  /** Gets the turns that are run here. */
  readonly owned: Set<number>
  /** Aborted when the client has gone, and its turn is to stop. */
  readonly gone: AbortSignal
}

/**
 * Brings a thread on until what the client said is answered, or waits for somebody outside. Whoever has the thread already
 * is waited for, and what it does is told; what waits in front is done first.
 */
export async function drive({ thread, live, app, options, goal, owned, gone }: Drive): Promise<void> {
  const { model, format, for: dialect, maxSteps } = options
  const tools = toolsOf(options.tools ?? {}, app)
  const isSafe = (name: string): boolean => findTool(tools, name)?.replay === 'safe'
  const runOptions = {
    model: (request: Parameters<typeof model>[0]) => model({ ...request, ...runOf(app) }),
    tools,
    ...(format && { format }),
    ...(dialect && { for: dialect }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  }
  // What is told harms no turn.
  const announce = (event: RunEvent): void => {
    try {
      if (event.kind === 'delta') live.delta(event.delta)
      if (event.kind === 'response-retract') live.retract()
    } catch (error) {
      notify(options.onError ?? warn, error)
    }
  }
  while (!gone.aborted) {
    const turn = await thread.turn({ waitMs, signal: gone, isSafe })
    if (turn) {
      owned.add(turn.number)
      const stop = (): void => {
        const stopped = thread.interrupt('the client went away', { turn: turn.number })
        stopped.catch(error => notify(options.onError ?? warn, error))
      }
      if (gone.aborted) stop()
      gone.addEventListener('abort', stop, { once: true })
      try {
        await runTurn(thread, turn, runOptions as Parameters<typeof runTurn>[2], announce)
      } catch (error) {
        // It was about what somebody else has said: what this client says comes next.
        if (!goal.isWaiting) throw error
        notify(options.onError ?? warn, error)
      } finally {
        gone.removeEventListener('abort', stop)
      }
    } else if ((await thread.status()).state !== 'running') return
    if (goal.isReached) return
  }
}

/** As plain fields, so that a model can take them apart. */
const runOf = (app: AppRun) => ({
  input: app.input,
  get state() {
    return app.state
  },
  setState: app.setState,
  send: app.send,
})

/** How long one look at a thread that somebody else has may last. */
const waitMs = 1_000
