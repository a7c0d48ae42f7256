import { handlesOf } from '../../../journal/call.ts'
import type { TurnStatus } from '../../../journal/entry.ts'
import { type JournalCall, notesOf, type ThreadState } from '../../../journal/fold.ts'
import type { ThreadRow } from '../../../journal/stores/store.ts'
import type { ItemState, OpenCallFacts, ThreadFacts, WaitingInput } from '../protocol.ts'
import { branchFacts } from './branch-facts.ts'

/** The facts of a thread without those of its agents. */
export type OwnFacts = Omit<ThreadFacts, 'agents' | 'parent'>

/** The state of a thread, from its entries and its row. */
export function factsOf(state: ThreadState, row: ThreadRow): OwnFacts {
  const { turn, ended, turns, head } = state
  const { owner, epoch, leasedUntil, updatedAt } = row
  const branches = branchFacts(state)
  return {
    state: row.state === 'idle' && state.waiting.length === 0 && ended?.status === 'failed' ? 'failed' : row.state,
    head,
    updatedAt,
    turns,
    ...(turn && {
      turn: {
        number: turn.turn,
        startedAt: turn.startedAt,
        ...(turn.interrupted && { interrupted: turn.interrupted.reason ?? '' }),
      },
    }),
    ...(ended && { ended: { status: ended.status, ...(ended.error && { error: ended.error.message }) } }),
    ...(owner === undefined ? {} : { lease: { owner, epoch, until: leasedUntil } }),
    open: openCalls(state),
    ...(branches && { branches }),
    waiting: waitingInput(state, row),
    notes: notesOf(state).map(({ call, at, outcome }) => ({ call: call.id, at, text: textOf(outcome.content) })),
  }
}

/** The entries of a thread that an SDK stores are not waiting input. */
const waitingInput = ({ waiting }: ThreadState, row: ThreadRow): WaitingInput[] =>
  row.state === 'kept' ? [] : waiting.map(({ seq, at, when, content }) => ({ seq, at, when, text: textOf(content) }))

/** Ready: there is work, and no worker has started it. Failed: there is none, and the last turn failed. */
export function stateOfRow({ state, dueAt }: ThreadRow, now: number, ended: TurnStatus | undefined): ItemState {
  if (state !== 'idle') return state
  if (dueAt !== undefined) return dueAt <= now ? 'ready' : state
  return ended === 'failed' ? 'failed' : state
}

function openCalls(state: ThreadState): OpenCallFacts[] {
  const calls = [...state.open.values()]
  const handles = handlesOf(state, calls)
  return calls.map((call, index) => {
    const { id, providerId, name, recordedAt, startedAt, decision, parked } = call
    return {
      ...{ id, providerId, name, ...inputOf(handles[index]?.input), state: stateOfCall(call) },
      since: startedAt ?? decision?.at ?? recordedAt,
      ...(parked?.until === undefined || decision ? {} : { until: parked.until }),
    }
  })
}

function stateOfCall({ startedAt, decision, parked }: JournalCall): OpenCallFacts['state'] {
  if (startedAt !== undefined) return 'started'
  if (parked?.why === 'agent') return 'agent'
  if (decision?.approved) return 'approved'
  return parked?.why ?? 'recorded'
}

function inputOf(value: unknown): Pick<OpenCallFacts, 'input' | 'inputLength'> {
  const text = wholeText(value)
  return { input: cut(text), ...(text.length > textMax ? { inputLength: text.length } : {}) }
}

const textOf = (value: unknown): string => cut(wholeText(value))

const wholeText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const cut = (text: string): string => (text.length > textMax ? `${text.slice(0, textMax)}…` : text)

/** The whole text is in the conversation; this one is sent with every change. */
const textMax = 10_000
