import { warn } from '../../heal/warn.ts'
import { sleep, systemClock } from '../../journal/clock.ts'
import { agentRuns, continueAgents, type RunOptions, runTurn } from '../../journal/run.ts'
import type { Thread } from '../../journal/thread.ts'
import { canReplay, findTool } from '../../journal/tool.ts'
import type { Turn } from '../../journal/turn.ts'
import { notify } from '../fetch/notify.ts'
import { type AppRun, toolsOf } from './app-run.ts'
import type { AgUiOptions } from './handler-options.ts'
import type { RunTarget } from './run-target.ts'

export interface RunLoopOptions {
  readonly thread: Thread
  readonly app: AppRun
  readonly options: AgUiOptions
  readonly target: RunTarget
  /** The turns that are run here are added. */
  readonly owned: Set<number>
  /** Aborted when the client has disconnected and its turn must stop. */
  readonly gone: AbortSignal
}

/**
 * Runs turns of a thread until the client's input is answered, or waits for an external decision or result. If another process owns the
 * thread, it waits for it. Input that was queued earlier is answered first. The agents of a turn are run too.
 */
export async function runLoop({ thread, app, options, target, owned, gone }: RunLoopOptions): Promise<void> {
  const { model, format, for: dialect, maxSteps } = options
  const tools = toolsOf(options.tools ?? {}, app)
  const isSafe = canReplay(tools)
  const runOptions = {
    model: (request: Parameters<typeof model>[0]) => model({ ...request, ...runFields(app) }),
    tools,
    ...(format && { format }),
    ...(dialect && { for: dialect }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  }
  const agents = agentRuns(thread, runOptions as RunOptions, () => {})
  const onAgent = agents.begin.bind(agents)
  // A client that disconnects stops its own turn, whichever process runs it, and no other turn.
  const stop = (): void => {
    const turn = target.ownTurn(owned)
    if (turn === undefined) return
    const stopped = thread.interrupt('the client went away', { turn })
    stopped.catch(error => notify(options.onError ?? warn, error))
  }
  gone.addEventListener('abort', stop, { once: true })
  try {
    while (!gone.aborted) {
      const turn = await thread.turn({ waitMs, signal: gone, isSafe })
      if (turn) await runHere(turn)
      else if (await continueAgents(thread, agents, target.ownTurn(owned) === undefined ? undefined : gone)) continue
      else if (await areAgentsElsewhere()) await sleep(systemClock, agentsPauseMs, gone)
      else if ((await thread.status()).state !== 'running') return
      // A turn that waits for its agents goes on here.
      if (target.isReached && !(target.isCurrent && thread.agents.open.length > 0)) return
    }
  } finally {
    gone.removeEventListener('abort', stop)
    await agents.end()
  }

  /** Whether the turn waits for agents that another process runs, and that could go on here if it stopped. */
  async function areAgentsElsewhere(): Promise<boolean> {
    if (!target.isCurrent || thread.agents.open.length === 0) return false
    const calls = (await thread.openCalls()).filter(({ parked }) => parked?.why === 'agent')
    return calls.every(({ name }) => findTool(tools, name)?.agent) && thread.agents.areWorking()
  }

  async function runHere(turn: Turn): Promise<void> {
    owned.add(turn.number)
    // It may have disconnected while the turn began.
    if (gone.aborted) stop()
    try {
      await runTurn(thread, turn, { ...(runOptions as RunOptions), onAgent }, () => {})
    } catch (error) {
      // The failed turn was for other input: this client's input comes next.
      if (!target.isWaiting) throw error
      notify(options.onError ?? warn, error)
    }
  }
}

/** As plain fields, so that a model can destructure them. */
const runFields = (app: AppRun) => ({
  input: app.input,
  get state() {
    return app.state
  },
  setState: app.setState,
  send: app.send,
})

/** How long one attempt to claim a thread may wait for its owner. */
const waitMs = 1_000

/** How often agents that another process runs are checked. */
const agentsPauseMs = 250
