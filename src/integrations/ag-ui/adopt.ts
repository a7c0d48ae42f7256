import type { Message, UserMessage } from '@ag-ui/core'
import { repair } from '../../heal/heal.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Thread } from '../../journal/thread.ts'
import type { AgUiRepair } from './handler-options.ts'
import { isEmpty } from './sort-messages.ts'

/** A turn as a client has it: what the user said, and what came of it. */
interface ToldTurn {
  readonly inputs: UserMessage[]
  readonly answers: Message[]
}

export interface Adopted {
  readonly repairs: readonly AgUiRepair[]
  /** The words behind the last answer, which are new. */
  readonly inputs: readonly UserMessage[]
}

/**
 * Writes the history of a client into a thread that has none: healed, and turn by turn, each as one response that brought its
 * results along. The last turn is left to the model if it has an answer to give. Nothing comes back if somebody else has
 * the thread already: then it is not without a history any more.
 */
export async function adopt(
  journal: Journal,
  thread: Thread,
  messages: readonly Message[],
): Promise<Adopted | undefined> {
  const { messages: healed, repairs } = repair(messages.filter(isSaid), { format: 'ag-ui', for: 'lenient' })
  const turns = turnsOf(healed)
  const words = journal.thread(thread.name, { for: 'lenient', format: 'ag-ui' })
  const last = turns.at(-1)
  const inputs = last?.answers.length === 0 ? last.inputs : []
  const told = inputs.length > 0 ? turns.slice(0, -1) : turns
  for (const [index, { inputs, answers }] of told.entries()) {
    for (const [place, message] of inputs.entries())
      await words.submit(message, { key: message.id, whenBusy: place === 0 ? 'queue' : 'steer' })
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

/** Thoughts and progress are not said to anybody, nor are no words, and whoever instructs the model is not the client. */
const isSaid = (message: Message): boolean =>
  message.role === 'user' ? !isEmpty(message) : message.role === 'assistant' || message.role === 'tool'

/** What stands in front of the first words of the user is nobody's answer. */
function turnsOf(messages: readonly Message[]): ToldTurn[] {
  const turns: ToldTurn[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.role !== 'user') last?.answers.push(message)
    else if (last && last.answers.length === 0) last.inputs.push(message)
    else turns.push({ inputs: [message], answers: [] })
  }
  return turns
}
