import type { Message, UserMessage } from '@ag-ui/core'
import { present } from '../../core/invariant.ts'
import { repair } from '../../heal/heal.ts'
import { systemClock } from '../../journal/clock.ts'
import { Journal } from '../../journal/journal.ts'
import { MemoryStore } from '../../journal/stores/memory.ts'
import type { Thread } from '../../journal/thread.ts'
import type { AgUiRepair } from './handler-options.ts'
import { isEmptyMessage } from './sort-messages.ts'

/** A turn in the history of a client: user messages, and the messages that answer them. */
interface ClientTurn {
  readonly inputs: UserMessage[]
  readonly answers: Message[]
}

export interface ImportedHistory {
  readonly repairs: readonly AgUiRepair[]
  /** The user messages after the last answer, which are new. */
  readonly inputs: readonly UserMessage[]
}

/**
 * Writes the history of a client into an empty thread: repaired, and turn by turn, each as one response that includes its results. The last
 * turn is left open if the model has to answer it. It is written at once, so that a crash leaves all of it or nothing. Returns undefined if
 * the thread is not empty any more.
 */
export async function importHistory(
  journal: Journal,
  thread: Thread,
  messages: readonly Message[],
): Promise<ImportedHistory | undefined> {
  const { messages: healed, repairs } = repair(messages.filter(isImported), { format: 'ag-ui', for: 'lenient' })
  const turns = turnsOf(healed)
  const last = turns.at(-1)
  const inputs = last?.answers.length === 0 ? last.inputs : []
  const answered = inputs.length > 0 ? turns.slice(0, -1) : turns
  const { uid } = await journal.store.open(thread.name)
  const draft = new MemoryStore({ uid: () => uid })
  await writeTurns(new Journal(draft, systemClock, 'import'), thread.name, answered, inputs.length === 0)
  if (answered.length > 0 && !(await thread.beginAs(draft))) return undefined
  return {
    repairs: repairs.map(({ rule, class: kind, at, help }) => ({ rule, class: kind, at, message: help })),
    inputs,
  }
}

/** Writes turns into an empty thread. The last one stays open if it `isLast` in the history and the model has to answer it. */
async function writeTurns(
  journal: Journal,
  name: string,
  turns: readonly ClientTurn[],
  isLast: boolean,
): Promise<void> {
  const thread = journal.thread(name, { for: 'lenient', format: 'ag-ui' })
  for (const [index, { inputs, answers }] of turns.entries()) {
    // Without keys: two messages may have the same id.
    for (const [place, message] of inputs.entries())
      await thread.submit(message, { whenBusy: place === 0 ? 'queue' : 'steer' })
    const turn = present(await thread.turn(), 'the input waits for its turn')
    try {
      await turn.record({ newMessages: answers })
      if (!turn.open) continue
      if (isLast && index === turns.length - 1) await turn.handOver()
      else await turn.finish('done')
    } finally {
      await turn[Symbol.asyncDispose]()
    }
  }
}

/** Reasoning, activities, empty messages and instructions of the client are not imported. */
const isImported = (message: Message): boolean =>
  message.role === 'user' ? !isEmptyMessage(message) : message.role === 'assistant' || message.role === 'tool'

/** Messages before the first user message belong to no turn and are left out. */
function turnsOf(messages: readonly Message[]): ClientTurn[] {
  const turns: ClientTurn[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.role !== 'user') last?.answers.push(message)
    else if (last && last.answers.length === 0) last.inputs.push(message)
    else turns.push({ inputs: [message], answers: [] })
  }
  return turns
}
