import type { RunAgentInput } from '@ag-ui/core'
import { AntiphonError } from '../../core/errors.ts'
import type { JournalCall } from '../../journal/fold.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Thread } from '../../journal/thread.ts'
import type { AgUiOptions, AgUiRepair } from './handler-options.ts'
import { importHistory } from './import-history.ts'
import { readAnswers } from './read-answers.ts'
import { type ClientEdit, changedText, type NewMessages, sortMessages } from './sort-messages.ts'
import type { ThreadView } from './thread-view.ts'

/** What was written to the journal from the input of a run. */
export interface ClientState {
  /** The positions of the client's new messages in the journal. */
  readonly inputs: readonly number[]
  /** The calls whose results came from the client. */
  readonly brought: ReadonlySet<string>
  readonly repairs: readonly AgUiRepair[]
}

/**
 * Writes what is new in the input of a run to the journal: results of the client's tools, user messages and decisions. Everything is
 * validated before anything is written. A message that comes together with decisions joins their turn, after the results. A message that the
 * client changed begins a branch.
 */
export async function readClientState(
  journal: Journal,
  thread: Thread,
  view: ThreadView,
  input: RunAgentInput,
  options: AgUiOptions,
): Promise<ClientState> {
  const { tools = {}, whenBusy = 'queue', whenApproving = 'queue' } = options
  // A client cannot claim a tool of the server.
  const isClientTool = (name: string): boolean => !Object.hasOwn(tools, name)
  const answers = await readAnswers(thread, input.resume ?? [])
  const isUnknown = options.unknownHistory === 'adopt' && view.state.head === 0
  const imported = isUnknown ? await importHistory(journal, thread, input.messages) : undefined
  if (isUnknown) await thread.status()
  const decided = new Set(answers.flatMap(({ call, agentCall }) => [call, agentCall ?? []].flat()))
  const news: NewMessages = imported
    ? { ...imported, results: [] }
    : sortMessages(view, input.messages, isClientTool, decided)
  const repairs = [...news.repairs]
  const places = new Map(input.messages.map(({ id }, index) => [id, index]))
  const noteChanged = (index: number | undefined): void => {
    repairs.push({ rule: 'changed-message', at: `messages[${index}]`, message: changedText })
  }

  for (const { call, output, isError } of news.results) await thread.settle(call.id, output, { error: isError })

  const settled = new Set(news.results.map(({ call }) => call.id))
  const isOver = (call: JournalCall): boolean => !call.parked || decided.has(call.id) || settled.has(call.id)
  const isAnswered =
    decided.size + settled.size > 0 && view.state.turn?.parked === true && [...view.state.open.values()].every(isOver)
  const submit = async (): Promise<number[]> => {
    // In the client's own format, so that its messages are stored unchanged.
    const clientThread = journal.thread(thread.name, { for: 'lenient', format: 'ag-ui' })
    const seqs = news.edit ? await edit(clientThread, news.edit) : []
    for (const [index, message] of news.inputs.entries()) {
      const isWithMore = isAnswered || seqs.length > index || (index > 0 && !view.state.turn)
      const when = isWithMore ? 'steer' : whenBusy
      // A message with all answers denies nothing: an agent whose question was answered goes on.
      const denies = isAnswered ? 'queue' : whenApproving
      try {
        const { seq } = await clientThread.submit(message, { key: message.id, whenBusy: when, whenApproving: denies })
        seqs.push(seq)
      } catch (error) {
        // It is a later version of a message on another branch. The client would send it again with each run, and none would succeed.
        if (!AntiphonError.is(error) || error.code !== 'key-taken') throw error
        noteChanged(places.get(message.id))
      }
    }
    return seqs
  }
  const edit = async (clientThread: Thread, { input, index, message }: ClientEdit): Promise<number[]> => {
    try {
      return [(await clientThread.edit(input, message, { ifCurrent: view.branch })).seq]
    } catch (error) {
      // The same request, or one of another client, was faster.
      if (!AntiphonError.is(error) || error.code !== 'branch-changed') throw error
      noteChanged(index)
      return []
    }
  }
  const decide = async (): Promise<void> => {
    for (const [index, { call, agentCall: _, isApproved, ...given }] of answers.entries()) {
      const verdict = await (isApproved ? thread.approve(call, given) : thread.deny(call, given.reason))
      const isApplied = verdict.isFirst || verdict.status === (isApproved ? 'approved' : 'denied')
      if (!isApplied)
        repairs.push({ rule: 'late-answer', at: `resume[${index}]`, message: `the call is already ${verdict.status}` })
    }
  }
  // With `deny`, a message denies the calls that are still open, so the decisions are applied first.
  if (whenApproving === 'deny') {
    await decide()
    return { inputs: await submit(), brought: settled, repairs }
  }
  const inputs = await submit()
  await decide()
  return { inputs, brought: settled, repairs }
}
