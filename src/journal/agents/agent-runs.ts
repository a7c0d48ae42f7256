import type { RunEvent } from '../run-event.ts'
import type { Thread } from '../thread.ts'
import { type AgentOptions, findTool, type Tools } from '../tool.ts'
import { isErased } from '../turn-errors.ts'

export interface AgentRunsOptions {
  readonly thread: Thread
  readonly tools: Tools
  /** Runs the thread of an agent until there is nothing left to do. */
  run(child: Thread, agent: AgentOptions, stop: AbortSignal, emit: (event: RunEvent) => void): Promise<unknown>
  emit(event: RunEvent): void
}

/**
 * The agents of one thread, as far as this process runs them. An agent runs until it has ended, and its result is then given to its call; or until
 * it waits for something itself. It is stopped when its call gets a result from elsewhere.
 */
export class AgentRuns {
  readonly #options: AgentRunsOptions
  readonly #running = new Map<string, Promise<void>>()
  /** Agents that wait, or that another process runs, and the head of their thread when that was seen. */
  readonly #waiting = new Map<string, number>()
  readonly #failures: unknown[] = []
  readonly #unsubscribes: (() => void)[] = []
  #isChanged = false
  #wake = (): void => {}

  constructor(options: AgentRunsOptions) {
    this.#options = options
    this.#unsubscribes.push(options.thread.listen(() => this.#notify()))
  }

  /** Runs the agent of a call, unless it runs already. */
  begin(callId: string): void {
    if (this.#running.has(callId)) return
    const work = this.#run(callId)
      .catch(error => {
        // Its call has a result then, and the turn goes on.
        if (!isErased(error)) this.#failures.push(error)
      })
      .finally(() => {
        this.#running.delete(callId)
        this.#notify()
      })
    this.#running.set(callId, work)
  }

  /** Runs the agents of all open calls that can continue, unless `mayBegin` is false. Returns whether any agent runs. The first failure is thrown after all agents have stopped. */
  async start(mayBegin: boolean): Promise<boolean> {
    const { agents } = this.#options.thread
    if (mayBegin && this.#failures.length === 0)
      for (const { callId } of agents.open) if (await this.#canContinue(callId)) this.begin(callId)
    if (this.#running.size === 0 && this.#failures.length > 0) throw this.#failures[0]
    return this.#running.size > 0
  }

  /** Waits until an agent stops, or something is written to the thread, or a call of an agent is decided. */
  async nextChange(): Promise<void> {
    if (!this.#isChanged)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    this.#isChanged = false
  }

  /** Waits until no agent runs here. */
  async end(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
    for (const unsubscribe of this.#unsubscribes) unsubscribe()
  }

  #notify(): void {
    this.#isChanged = true
    this.#wake()
  }

  /**
   * An agent that stopped continues if something was written to its thread since, such as an approval, or if the process that ran it is gone. It
   * waits for another process if this one does not have it.
   */
  async #canContinue(callId: string): Promise<boolean> {
    if (this.#running.has(callId) || !(await this.#agentOf(callId))) return false
    return this.#options.thread.agents.of(callId).hasMore(this.#waiting.get(callId) ?? 0)
  }

  /** The agent of a call, if it is among the tools here. */
  async #agentOf(callId: string): Promise<AgentOptions | undefined> {
    const { thread, tools } = this.#options
    const { calls } = await thread.read()
    return findTool(tools, calls.get(callId)?.name ?? '')?.agent
  }

  async #run(callId: string): Promise<void> {
    const { thread, run, emit } = this.#options
    const agent = await this.#agentOf(callId)
    if (!agent) return
    const child = thread.child(callId, agent.thread)
    const call = thread.agents.watch(callId)
    let failure: { readonly error: unknown } | undefined
    try {
      await run(child, agent, call.settled, event =>
        emit({ kind: 'agent-event', call: callId, thread: child.name, event }),
      )
    } catch (error) {
      failure = { error }
    } finally {
      call.stop()
    }
    // A failure that is recorded is the result of the call.
    const hasEnded = await child.agents.deliver(child.settings.outputBytesMax)
    if (failure && !hasEnded) throw failure.error
    if (!hasEnded && !this.#waiting.has(callId))
      this.#unsubscribes.push(
        child.listen(entries => {
          if (entries.some(({ kind }) => kind === 'call-decide' || kind === 'call-settle')) this.#notify()
        }),
      )
    this.#waiting.set(callId, (await child.read()).head)
  }
}
