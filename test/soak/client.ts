import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type BaseEvent, HttpAgent, type Message, type ResumeEntry, type RunFinishedEvent } from '@ag-ui/client'
import { Random } from '../laws/random.ts'
import { randomPlan, wordsOf } from './plan.ts'
import { clientTool, type Dialect, dialects } from './settings.ts'
import { answerOpenCalls, describe, erase, interrupt } from './user-actions.ts'
import type { World } from './world.ts'

/** A user with an AG-UI client, in one thread after the other. */
export async function chat(world: World, index: number): Promise<void> {
  const random = new Random(world.seed * 2_003 + index)
  for (let count = 0; !world.over.aborted; count++) {
    const dialect = random.pick(dialects)
    const threadId = `client ${index}, thread ${count}`
    const agent = new HttpAgent({ url: world.agents + dialect, threadId })
    await world.visit(`client ${index}`, { dialect, name: threadId }, async () => {
      await describe(world, random, dialect, threadId)
      for (let turns = random.range(2, 7); turns > 0 && !world.over.aborted; turns--)
        await new Chat(world, random, dialect, agent).converse()
      if (random.chance(0.2)) await erase(world, random, dialect, threadId)
    })
  }
}

/** What somebody says, and what comes of it. */
class Chat {
  readonly #world: World
  readonly #random: Random
  readonly #dialect: Dialect
  readonly #agent: HttpAgent

  constructor(world: World, random: Random, dialect: Dialect, agent: HttpAgent) {
    this.#world = world
    this.#random = random
    this.#dialect = dialect
    this.#agent = agent
  }

  /** Runs until it is answered: questions are decided, client tools run; some runs are left, some are begun twice. */
  async converse(): Promise<void> {
    const [world, random, agent] = [this.#world, this.#random, this.#agent]
    const id = random.id('said-')
    agent.addMessage({ id, role: 'user', content: wordsOf(randomPlan(random), world.word('in')) })
    let resume: ResumeEntry[] = []
    for (let runs = 0; runs < 10; runs++) {
      const isDouble = random.chance(0.12)
      const twin = isDouble
        ? new HttpAgent({ url: agent.url, threadId: agent.threadId, initialMessages: agent.messages })
        : undefined
      if (twin) world.counters.count('twins of runs')
      const ends = await Promise.all([this.#run(agent, resume), ...(twin ? [this.#run(twin, resume)] : [])])
      const [end] = ends
      if (end && end.type !== 'RUN_ERROR') world.promises(this.#dialect, agent.threadId).taken.add(id)
      if (!end) return
      resume = this.#answers(end)
      const hasBrought = this.#bring(end)
      await answerOpenCalls(world, random, this.#dialect, this.#thread, { approvals: 0.2, results: 0.8 })
      if (world.over.aborted) return
      const isFinal = end.type === 'RUN_FINISHED' && resume.length === 0 && !hasBrought
      if (isFinal && (await world.insist(() => this.#thread.status())).state === 'idle') return
      if (end.type === 'RUN_ERROR' || isFinal) await sleep(random.range(50, 300))
    }
  }

  get #thread() {
    return this.#world.thread(this.#dialect, this.#agent.threadId)
  }

  /** One run to its last event; nothing if the client has left it. */
  async #run(agent: HttpAgent, resume: ResumeEntry[]): Promise<BaseEvent | undefined> {
    const [world, random, dialect, thread] = [this.#world, this.#random, this.#dialect, this.#thread]
    const abortAfter = random.chance(0.1) ? random.range(1, 25) : Number.POSITIVE_INFINITY
    const stopAfter = random.chance(0.07) ? random.range(1, 25) : Number.POSITIVE_INFINITY
    let [seen, stopping]: [number, Promise<void> | undefined] = [0, undefined]
    let last: BaseEvent | undefined
    let shown: readonly Message[] | undefined
    // What it was asked before somebody else may have answered.
    agent.pendingInterrupts = []
    try {
      await agent.runAgent(
        { tools, ...(resume.length > 0 ? { resume } : {}) },
        {
          onEvent({ event }) {
            last = event
            if (event.type === 'MESSAGES_SNAPSHOT') shown = event.messages as Message[]
            if (++seen === stopAfter) stopping = interrupt(world, dialect, thread)
            if (seen > abortAfter) agent.abortRun()
          },
        },
      )
    } catch (error) {
      // A client that aborts makes an error of its own of that. Else it is one that breaks the rules of the protocol.
      if (seen <= abortAfter) this.#wrong(`a client broke off a run: ${error}`)
    }
    await stopping
    const isLeft = seen > abortAfter
    if (!isLeft && shown && last?.type === 'RUN_FINISHED' && !isAsShown(agent.messages, shown))
      this.#wrong('a client has other messages than the last snapshot')
    world.counters.count(isLeft ? 'runs left' : `runs ${endOf(last)}`)
    return isLeft ? undefined : last
  }

  /** The decisions about what it was asked; those that it does not give expire. */
  #answers(end: BaseEvent): ResumeEntry[] {
    const { outcome } = end as RunFinishedEvent
    if (outcome?.type !== 'interrupt') return []
    return outcome.interrupts.flatMap(({ id: interruptId }): ResumeEntry[] => {
      const kind = this.#random.pick(['yes', 'yes', 'yes', 'no', 'cancel', 'none'])
      this.#world.counters.count(`answers ${kind}`)
      if (kind === 'none') return []
      if (kind === 'cancel') return [{ interruptId, status: 'cancelled' }]
      return [{ interruptId, status: 'resolved', payload: { approved: kind === 'yes' } }]
    })
  }

  /** Runs the client's own tool, sometimes twice. True if there was a call of it. */
  #bring(end: BaseEvent): boolean {
    const { outcome } = end as RunFinishedEvent
    const pending = outcome?.type === 'success' ? (outcome.pendingToolCallIds ?? []) : []
    const calls = this.#agent.messages.flatMap(message =>
      message.role === 'assistant' ? (message.toolCalls ?? []) : [],
    )
    const own = calls.filter(({ id, function: called }) => pending.includes(id) && called.name === clientTool)
    for (const { id: toolCallId } of own)
      for (let times = this.#random.chance(0.2) ? 2 : 1; times > 0; times--) {
        this.#world.counters.count('results brought by clients')
        const content = `the browser showed it ${this.#world.word('out')}`
        this.#agent.addMessage({ id: this.#random.id('brought-'), role: 'tool', toolCallId, content })
      }
    return own.length > 0
  }

  #wrong(what: string): void {
    this.#world.problems.push(`${this.#agent.threadId}: ${what}`)
  }
}

/** Thoughts that the model had in vain are in no snapshot, and a client keeps them. */
function isAsShown(messages: readonly Message[], shown: readonly Message[]): boolean {
  const known = new Set(shown.map(({ id }) => id))
  return isDeepStrictEqual(
    messages.filter(({ id, role }) => role !== 'reasoning' || known.has(id)),
    shown,
  )
}

const endOf = (event: BaseEvent | undefined): string => {
  if (event?.type === 'RUN_ERROR') return `failed ${event.code}`
  const { outcome } = (event ?? {}) as Partial<RunFinishedEvent>
  return `ended ${outcome?.type ?? event?.type ?? 'without an event'}`
}

const tools = [{ name: clientTool, description: 'Shows something.', parameters: { type: 'object', properties: {} } }]
