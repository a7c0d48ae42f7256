import type { RunAgentInput } from '@ag-ui/core'
import type { JournalCall } from '../../journal/fold.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Thread } from '../../journal/thread.ts'
import { adopt } from './adopt.ts'
import type { AgUiOptions, AgUiRepair } from './handler-options.ts'
import { readAnswers } from './read-answers.ts'
import { sortMessages } from './sort-messages.ts'
import type { ThreadView } from './thread-view.ts'

/** What was taken in of an input. */
export interface TakenIn {
  /** Where the client's new messages stand in the journal. */
  readonly inputs: readonly number[]
  /** The calls whose results the client brought. */
  readonly brought: ReadonlySet<string>
  readonly repairs: readonly AgUiRepair[]
}

/**
 * Writes down what is new in an input: results of the client's tools, messages of the user, decisions. All of it is looked
 * at before any of it is written. A message that comes along with answers is said behind the results, in the same turn.
 */
export async function takeIn(
  journal: Journal,
  thread: Thread,
  view: ThreadView,
  input: RunAgentInput,
  options: AgUiOptions,
): Promise<TakenIn> {
  const { tools = {}, whenBusy = 'queue', whenApproving = 'queue' } = options
  // Whatever tools a client says that it has: those of the server are not its own.
  const isClients = (name: string): boolean => !Object.hasOwn(tools, name)
  const answers = readAnswers(view, input.resume ?? [])
  const isUnknown = options.unknownHistory === 'adopt' && view.state.head === 0
  const adopted = isUnknown ? await adopt(journal, thread, input.messages) : undefined
  if (isUnknown) await thread.status()
  const news = adopted ? { ...adopted, results: [] } : sortMessages(view, input.messages, isClients)
  const repairs = [...news.repairs]

  for (const { call, output, isError } of news.results) await thread.settle(call.id, output, { error: isError })

  const decided = new Set(answers.map(({ call }) => call))
  const settled = new Set(news.results.map(({ call }) => call.id))
  const isOver = (call: JournalCall): boolean => !call.parked || decided.has(call.id) || settled.has(call.id)
  const isAnswered =
    decided.size + settled.size > 0 && view.state.turn?.parked === true && [...view.state.open.values()].every(isOver)
  const submit = async (): Promise<number[]> => {
    // The wire of the client, so that what it said is kept as it said it.
    const words = journal.thread(thread.name, { for: 'lenient', format: 'ag-ui' })
    const seqs: number[] = []
    for (const [index, message] of news.inputs.entries()) {
      const isWithMore = isAnswered || (index > 0 && !view.state.turn)
      const when = isWithMore ? 'steer' : whenBusy
      const { seq } = await words.submit(message, { key: message.id, whenBusy: when, whenApproving })
      seqs.push(seq)
    }
    return seqs
  }
  const decide = async (): Promise<void> => {
    for (const [index, { call, isApproved, reason }] of answers.entries()) {
      const verdict = await (isApproved ? thread.approve(call, reason) : thread.deny(call, reason))
      const isAsSaid = verdict.isFirst || verdict.status === (isApproved ? 'approved' : 'denied')
      if (!isAsSaid) repairs.push({ rule: 'late-answer', at: `resume[${index}]`, message: `it is ${verdict.status}` })
    }
  }
  // Whoever denies by speaking denies what is left: decisions come first then.
  if (whenApproving === 'deny') {
    await decide()
    return { inputs: await submit(), brought: settled, repairs }
  }
  const inputs = await submit()
  await decide()
  return { inputs, brought: settled, repairs }
}
