import type { Message, UserMessage } from '@ag-ui/core'
import { repair } from '../../heal/heal.ts'
import type { Journal } from '../../journal/journal.ts'
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
 * turn is left open if the model has to answer it. Returns undefined if another process owns the thread: then it is no longer empty.
 */
export async function importHistory(
  journal: Journal,
  thread: Thread,
  messages: readonly Message[],
): Promise<ImportedHistory | undefined> {
  const { messages: healed, repairs } = repair(messages.filter(isImported), { format: 'ag-ui', for: 'lenient' })
  const turns = turnsOf(healed)
  const clientThread = journal.thread(thread.name, { for: 'lenient', format: 'ag-ui' })
  const last = turns.at(-1)
  const inputs = last?.answers.length === 0 ? last.inputs : []
  const answered = inputs.length > 0 ? turns.slice(0, -1) : turns
  for (const [index, { inputs, answers }] of answered.entries()) {
    for (const [place, message] of inputs.entries())
      await clientThread.submit(message, { key: message.id, whenBusy: place === 0 ? 'queue' : 'steer' })
    const turn = await thread.turn()
    if (!turn) return undefined
    try {
      await turn.record({ newMessages: answers }, { format: 'ag-ui', for: 'lenient' })
      if (!turn.open) continue
      if (index < turns.length - 1) await turn.finish('done')
      else await turn.handOver()
    } finally {
      await turn[Symbol.asyncDispose]()
    }
  }
  return {
    repairs: repairs.map(({ rule, class: kind, at, help }) => ({ rule, class: kind, at, message: help })),
    inputs,
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
