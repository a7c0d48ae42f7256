import {
  type AgentQuestion,
  agentQuestions,
  areAgentsWorking,
  findCall,
} from '../../../journal/agents/agent-questions.ts'
import type { Outcome } from '../../../journal/entry.ts'
import type { Store } from '../../../journal/stores/store.ts'
import type { Thread } from '../../../journal/thread.ts'

/** What the client of a chat is told about the agents of its thread. */
export interface AgentNews {
  readonly questions: readonly AgentQuestion[]
  /** The results of questions that were shown before, by the ids of their calls. */
  readonly outcomes: ReadonlyMap<string, Outcome>
}

/** The agents of a chat, in whichever process they run. */
export class ChatAgents {
  readonly #store: Store
  readonly #thread: Thread

  constructor(store: Store, thread: Thread) {
    this.#store = store
    this.#thread = thread
  }

  /** Whether an agent goes on without a decision of a person. */
  isWorking(): Promise<boolean> {
    return areAgentsWorking(this.#store, this.#thread)
  }

  async news(shown: Iterable<string>): Promise<AgentNews> {
    const outcomes = new Map<string, Outcome>()
    for (const id of shown) {
      const outcome = (await findCall(this.#thread, id))?.call.outcome
      if (outcome) outcomes.set(id, outcome)
    }
    return { questions: await agentQuestions(this.#thread), outcomes }
  }
}
