import { type AgentQuestion, findCall, questionsIn } from '../../../journal/agents/agent-questions.ts'
import type { Outcome } from '../../../journal/entry.ts'
import type { Thread } from '../../../journal/thread.ts'

/** What the client of a chat is told about the agents of its thread. */
export interface AgentNews {
  readonly questions: readonly AgentQuestion[]
  /** The results of questions that were shown before, by the ids of their calls. */
  readonly outcomes: ReadonlyMap<string, Outcome>
}

/** News of the agents of a chat, in whichever process they run. */
export async function agentNews(thread: Thread, shown: Iterable<string>): Promise<AgentNews> {
  const open = await thread.openCalls({ deep: true })
  const waiting = new Set(open.map(({ id }) => id))
  const outcomes = new Map<string, Outcome>()
  for (const id of shown) {
    const outcome = waiting.has(id) ? undefined : (await findCall(thread, id))?.call.outcome
    if (outcome) outcomes.set(id, outcome)
  }
  return { questions: questionsIn(open), outcomes }
}
