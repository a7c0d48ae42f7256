import { AntiphonError } from '../core/errors.ts'
import {
  dueAtEnd,
  type EditCommand,
  edit,
  type ForkCommand,
  fork,
  type RegenerateCommand,
  regenerate,
  type SwitchCommand,
  switchBranch,
} from './branches/decide-branch.ts'
import { hasBegun, isSettledForGood } from './branches/thread-item.ts'
import { type CompactCommand, compact, type ExpandCommand, expand } from './compaction/decide-compact.ts'
import type {
  EntryData,
  ErrorData,
  InputSubmit,
  Outcome,
  ParkReason,
  RejectionLearn,
  ResponseRecord,
  TurnStatus,
} from './entry.ts'
import { type JournalCall, notesOf, type ThreadState } from './fold.ts'
import { placeholderOutcome } from './outcome.ts'
import { hasRunnable, isRunnable, type Recovery, recover } from './recover.ts'
import type { Write } from './stores/store.ts'

/** What a caller wants to do in a thread. */
export type Command =
  | { readonly do: 'begin'; readonly now: number; readonly recovery: Recovery }
  | {
      readonly do: 'record'
      readonly turn: number
      readonly response: RecordedResponse
      /** The response ends with text of the model, after any results in it. */
      readonly endsWithMessage: boolean
      readonly error?: ErrorData
      /** If it broke off, the model is asked again, and the turn does not fail. */
      readonly goesOn?: boolean
      /** The provider rejected the request first. */
      readonly learnt?: Learnt
    }
  | { readonly do: 'learn'; readonly turn: number; readonly learnt: Learnt }
  | { readonly do: 'start'; readonly turn: number; readonly call: string; readonly again?: boolean }
  | {
      readonly do: 'park-call'
      readonly turn: number
      readonly call: string
      readonly why: ParkReason
      readonly until?: number
    }
  | {
      readonly do: 'settle'
      readonly call: string
      readonly outcome: Outcome
      readonly turn?: number
      /** `false`: input that waits for the end of the step is not added after the last result. */
      readonly admits?: false
    }
  | { readonly do: 'admit'; readonly turn: number; readonly tellsNotes: boolean }
  | { readonly do: 'park'; readonly turn: number }
  | {
      readonly do: 'hand-over'
      readonly turn: number
      /** Started calls that may run again. */
      readonly again: ReadonlySet<string>
    }
  | { readonly do: 'end'; readonly turn: number; readonly status: TurnStatus; readonly error?: ErrorData }
  | {
      readonly do: 'decide'
      readonly call: string
      readonly approved: boolean
      readonly reason?: string
      /** What the call runs with, if a person changed it. */
      readonly input?: unknown
      readonly now: number
    }
  | { readonly do: 'interrupt'; readonly turn?: number; readonly reason?: string }
  | { readonly do: 'deny-and-submit'; readonly input: InputSubmit }
  | ForkCommand
  | SwitchCommand
  | EditCommand
  | RegenerateCommand
  | CompactCommand
  | ExpandCommand

/** A response as a turn records it. */
export type RecordedResponse = Omit<ResponseRecord, 'kind' | 'turn'>
/** What a rejection taught. */
export type Learnt = Omit<RejectionLearn, 'kind' | 'turn'>

/** One write, in one transaction. Without entries there is nothing to write, and `why` says why. */
export interface PlannedWrite extends Pick<Write, 'release' | 'state' | 'dueAt'> {
  readonly entries: readonly EntryData[]
  readonly why?: 'nothing' | 'settled' | 'decided' | 'started' | 'waiting' | 'expired' | 'interrupted'
}

/**
 * The decider of a thread: a pure function from a state and a command to the entries to write. The store writes them only if
 * the thread is still in this state, and `evolve` then applies them. Commands with a `turn` are those of its owner.
 */
export function decide(state: ThreadState, command: Command): PlannedWrite {
  if ('turn' in command && command.turn !== undefined && command.do !== 'interrupt') assertRunning(state, command.turn)
  // A result is accepted from any process. All other commands are for the next owner of a parked turn.
  if ('turn' in command && isOwnerCommand(command) && state.turn?.parked) throw turnHandedOver(state.turn.turn)
  switch (command.do) {
    case 'begin':
      return begin(state, command.now, command.recovery)
    case 'record':
      return record(state, command)
    case 'learn':
      return { entries: [{ kind: 'rejection-learn', turn: command.turn, ...command.learnt }] }
    case 'start':
      return start(state, command.call, command.again === true)
    case 'park-call':
      return parkCall(state, command.call, command.why, command.until)
    case 'settle':
      return settle(state, command.call, command.outcome, command.admits !== false)
    case 'admit':
      return { entries: admissionAtStepEnd(state, command.tellsNotes) }
    case 'park':
      return park(state, command.turn)
    case 'hand-over':
      return handOver(state, command.turn, command.again)
    case 'end':
      return end(state, command.turn, command.status, command.error)
    case 'decide':
      return decision(state, command)
    case 'interrupt':
      return interrupt(state, command.turn, command.reason)
    case 'deny-and-submit':
      return denyAndSubmit(state, command.input)
    case 'fork':
      return fork(state, command)
    case 'switch':
      return switchBranch(state, command, () => interrupt(state, undefined, 'another branch was chosen'))
    case 'edit':
      return edit(state, command, () => interrupt(state, undefined, 'an input was edited'))
    case 'regenerate':
      return regenerate(state, command, () => interrupt(state, undefined, 'another answer was asked for'))
    case 'compact':
      return compact(state, command)
    case 'expand':
      return expand(state)
  }
}

/** The placeholder for an open call of a turn that ends. */
export const placeholderFor = (call: JournalCall): Outcome => {
  if (hasBegun(call)) return placeholderOutcome('interrupted')
  return call.parked?.why === 'outside' ? placeholderOutcome('unknown') : placeholderOutcome('not-started')
}

function begin(state: ThreadState, now: number, recovery: Recovery): PlannedWrite {
  const { turn } = state
  const running = { state: 'running', dueAt: 'now' } as const
  if (!turn) {
    if (state.waiting.length === 0) return { entries: [], why: 'nothing' }
    const inputs = state.waiting.filter(({ when }, index) => index === 0 || when === 'steer').map(({ seq }) => seq)
    const notes = recovery.tellsNotes ? noteEntries(state) : []
    const admit: EntryData = { kind: 'input-admit', inputs }
    return { entries: [{ kind: 'turn-start', turn: state.turns + 1 }, ...notes, admit], ...running }
  }
  const resume: EntryData = { kind: 'turn-resume', turn: turn.turn }
  if (turn.interrupted)
    return { entries: [resume, ...endEntries(state, turn.turn, 'interrupted')], ...endOfTurn(state) }
  const recovered = recover(state, now, recovery)
  if (!recovered) return { entries: [], why: 'waiting' }
  const settles = recovered.map(({ call, outcome }): EntryData => ({ kind: 'call-settle', call: call.place, outcome }))
  const isClosed = recovered.length === state.open.size
  // After a crash all waiting input is added at once, since it may have waited for long; after a park, only steering input.
  const waiting = isClosed ? (turn.parked ? steeringInputs(state) : state.waiting) : []
  return { entries: [resume, ...settles, ...admission(waiting)], ...running }
}

function record(state: ThreadState, command: Extract<Command, { do: 'record' }>): PlannedWrite {
  const { turn, response, error, learnt } = command
  if (state.open.size > 0)
    throw new AntiphonError('open-calls', `calls of the previous response without a result: ${state.open.size}`, {
      hint: 'perform or settle `turn.calls` before you record the next response',
      calls: [...state.open.keys()],
    })
  const entry: EntryData = { kind: 'response-record', turn, ...response }
  const entries: EntryData[] = learnt ? [{ kind: 'rejection-learn', turn, ...learnt }, entry] : [entry]
  const status = statusOf(state, command)
  if (status === undefined) return { entries }
  const failure = status === 'failed' ? (error ?? { name: 'StreamCut', message: 'the stream broke off' }) : undefined
  const end: EntryData = { kind: 'turn-end', turn, status, ...(failure && { error: failure }) }
  return { entries: [...entries, end], ...endOfTurn(state) }
}

/** The status with which a response ends the turn; undefined if the turn continues. */
function statusOf(
  { turn }: ThreadState,
  { response: { finish, calls }, endsWithMessage, goesOn }: Extract<Command, { do: 'record' }>,
): TurnStatus | undefined {
  const isInterrupted = turn?.interrupted !== undefined
  if (finish === 'cut') return isInterrupted ? 'interrupted' : goesOn ? undefined : 'failed'
  if (calls.some(({ answered }) => !answered)) return undefined
  if (isInterrupted) return 'interrupted'
  if (finish === 'pause') return undefined
  if (finish === 'refusal') return 'refused'
  if (finish === 'length') return 'length'
  // The response contains results of its calls. The model has seen them only if it wrote text after them.
  return calls.length > 0 && !endsWithMessage ? undefined : 'done'
}

function start(state: ThreadState, id: string, again: boolean): PlannedWrite {
  const call = callOf(state, id)
  if (call.outcome) return { entries: [], why: 'settled' }
  if (!isRunnable(call)) return { entries: [], why: 'waiting' }
  if (state.turn?.interrupted) return { entries: [], why: 'interrupted' }
  if (call.startedAt !== undefined) return { entries: [], why: again ? 'nothing' : 'started' }
  return { entries: [{ kind: 'call-start', call: call.place }] }
}

function parkCall(state: ThreadState, id: string, why: ParkReason, until: number | undefined): PlannedWrite {
  const call = callOf(state, id)
  if (call.outcome) return { entries: [], why: 'settled' }
  if (call.startedAt !== undefined) return { entries: [], why: 'started' }
  // An approved call is not parked for approval again, but it may still be parked for a result from outside.
  if (!isRunnable(call) || (why === 'approval' && call.decision)) return { entries: [], why: 'nothing' }
  return { entries: [{ kind: 'call-park', call: call.place, why, ...(until === undefined ? {} : { until }) }] }
}

function settle(state: ThreadState, id: string, outcome: Outcome, admits: boolean): PlannedWrite {
  const call = callOf(state, id)
  if (call.outcome) {
    if (isSettledForGood(call) || outcome.status === 'made-up') return { entries: [], why: 'settled' }
    return { entries: [{ kind: 'call-late', call: call.place, outcome }] }
  }
  const entry: EntryData = { kind: 'call-settle', call: call.place, outcome }
  const isParked = state.turn?.parked === true
  const isLast = state.open.size === 1
  // A parked turn has no owner, so the last result makes it due. Otherwise its owner continues, and the step may be complete.
  if (isParked) return { entries: [entry], ...dueNowIf(isLast) }
  return { entries: isLast && admits ? [entry, ...admission(steeringInputs(state))] : [entry] }
}

function park(state: ThreadState, turn: number): PlannedWrite {
  const open = [...state.open.values()]
  // An interrupted turn is not parked: its owner ends it.
  if (state.turn?.interrupted || open.length === 0 || open.some(isRunnable)) return { entries: [], why: 'nothing' }
  return { entries: [{ kind: 'turn-park', turn }], release: true, state: 'parked', dueAt: nextExpiry(state) }
}

/** A running call cannot be handed over, because the next owner would not learn its result. */
function handOver(state: ThreadState, turn: number, again: ReadonlySet<string>): PlannedWrite {
  if (state.turn?.interrupted) return end(state, turn, 'interrupted', undefined)
  const running = [...state.open.values()].filter(({ id, startedAt }) => startedAt !== undefined && !again.has(id))
  if (running.length > 0)
    throw new AntiphonError('calls-running', `calls of turn ${turn} that are still running: ${running.length}`, {
      hint: 'wait for them or settle them before you hand the turn over',
      calls: running.map(({ id }) => id),
    })
  return { entries: [{ kind: 'turn-park', turn }], release: true, dueAt: 'now' }
}

/**
 * When the thread has something to do next: never (null) if it is idle, at the first expiry if its calls only wait for a
 * decision or a result. Undefined if there is something to do now, also if an owner is doing it.
 */
export function nextDueAt(state: ThreadState): number | null | undefined {
  const { turn, waiting, open } = state
  if (!turn) return waiting.length > 0 ? undefined : null
  const isWaiting = open.size > 0 && !hasRunnable(state)
  return turn.parked && !turn.interrupted && isWaiting ? nextExpiry(state) : undefined
}

/** The earliest expiry of the waiting calls; null if none expires. */
function nextExpiry({ open }: ThreadState): number | null {
  let next: number | null = null
  for (const { parked } of open.values())
    if (parked?.until !== undefined) next = Math.min(next ?? parked.until, parked.until)
  return next
}

function decision(state: ThreadState, command: Extract<Command, { do: 'decide' }>): PlannedWrite {
  const { approved, reason, input, now } = command
  const call = callOf(state, command.call)
  const { place, parked } = call
  if (call.outcome) return { entries: [], why: 'settled' }
  if (call.decision) return { entries: [], why: 'decided' }
  if (hasBegun(call)) return { entries: [], why: 'started' }
  const wake = dueNowIf(state.turn?.parked === true && (approved || state.open.size === 1))
  if (parked?.until !== undefined && parked.until <= now)
    return {
      entries: [{ kind: 'call-settle', call: place, outcome: placeholderOutcome('expired') }],
      why: 'expired',
      ...wake,
    }
  const entry: EntryData = { kind: 'call-decide', call: place, approved, ...(reason === undefined ? {} : { reason }) }
  const edit: EntryData[] = input === undefined ? [] : [{ kind: 'call-edit', call: place, input }]
  if (approved) return { entries: [...edit, entry], ...wake }
  return {
    entries: [entry, { kind: 'call-settle', call: place, outcome: placeholderOutcome('denied', reason) }],
    ...wake,
  }
}

function interrupt(state: ThreadState, named: number | undefined, reason: string | undefined): PlannedWrite {
  const { turn } = state
  if (!turn || turn.interrupted || (named !== undefined && named !== turn.turn)) return { entries: [], why: 'nothing' }
  const entry: EntryData = { kind: 'turn-interrupt', turn: turn.turn, ...(reason === undefined ? {} : { reason }) }
  if (!turn.parked) return { entries: [entry] }
  return { entries: [entry, ...endEntries(state, turn.turn, 'interrupted')], ...endOfTurn(state) }
}

/** Stores input and denies all calls that wait for a decision; the input follows their results. */
function denyAndSubmit(state: ThreadState, input: InputSubmit): PlannedWrite {
  const waiting = [...state.open.values()].filter(call => call.parked && !isRunnable(call))
  const states = { approval: 'denied', outside: 'unknown', agent: 'interrupted' } as const
  const denials = waiting.map(({ place, parked: { why } = { why: 'approval' } }): EntryData => {
    const outcome = placeholderOutcome(states[why], why === 'outside' ? undefined : 'the user spoke instead')
    return { kind: 'call-settle', call: place, outcome }
  })
  const submitted = denials.length > 0 && input.when === 'queue' ? ({ ...input, when: 'steer' } as const) : input
  return { entries: [...denials, submitted], dueAt: 'now' }
}

/** Ends a turn. An interrupted turn ends as interrupted, whatever the status or the error. */
const end = (state: ThreadState, turn: number, status: TurnStatus, error: ErrorData | undefined): PlannedWrite => ({
  entries: state.turn?.interrupted ? endEntries(state, turn, 'interrupted') : endEntries(state, turn, status, error),
  ...endOfTurn(state),
})

/** The entries that end a turn, with a placeholder for every open call. */
function endEntries(state: ThreadState, turn: number, status: TurnStatus, error?: ErrorData): EntryData[] {
  const settles = [...state.open.values()].map(
    (call): EntryData => ({ kind: 'call-settle', call: call.place, outcome: placeholderFor(call) }),
  )
  return [...settles, { kind: 'turn-end', turn, status, ...(error && { error }) }]
}

const dueNowIf = (isAwake: boolean): Pick<PlannedWrite, 'dueAt'> => (isAwake ? { dueAt: 'now' } : {})

/** How a write changes the thread when its turn ends. */
const endOfTurn = (state: ThreadState): Pick<PlannedWrite, 'release' | 'state' | 'dueAt'> => ({
  release: true,
  state: 'idle',
  // An agent's thread stays due until its result was given to the call.
  dueAt: state.isChild ? 'now' : dueAtEnd(state),
})

/** The input and the late results that are added between two steps. */
function admissionAtStepEnd(state: ThreadState, tellsNotes: boolean): EntryData[] {
  if (state.open.size > 0 || state.turn?.interrupted) return []
  return [...(tellsNotes ? noteEntries(state) : []), ...admission(steeringInputs(state))]
}

const steeringInputs = ({ waiting, turn }: ThreadState) =>
  turn?.interrupted ? [] : waiting.filter(({ when }) => when === 'steer')

const admission = (inputs: readonly { seq: number }[]): EntryData[] =>
  inputs.length === 0 ? [] : [{ kind: 'input-admit', inputs: inputs.map(({ seq }) => seq) }]

function noteEntries(state: ThreadState): EntryData[] {
  const fresh = notesOf(state)
    .filter(({ told }) => !told)
    .map(({ seq }) => seq)
  return fresh.length === 0 ? [] : [{ kind: 'note-tell', notes: fresh }]
}

function assertRunning(state: ThreadState, turn: number): void {
  if (state.turn?.turn === turn) return
  const status = state.ended?.turn === turn ? ` (${state.ended.status})` : ''
  throw new AntiphonError('turn-over', `turn ${turn} is over${status}`, {
    hint: 'take the next turn of the thread',
    turn,
  })
}

const isOwnerCommand = ({ do: what }: Command): boolean => what !== 'interrupt' && what !== 'settle'

const turnHandedOver = (turn: number): AntiphonError =>
  new AntiphonError('turn-over', `turn ${turn} was parked or handed over`, {
    hint: 'take the turn again with thread.turn()',
    turn,
  })

function callOf(state: ThreadState, id: string): JournalCall {
  const call = state.calls.get(id)
  if (call) return call
  throw new AntiphonError('unknown-call', `unknown call "${id}" in this thread`, {
    hint: 'use the id of the call in the journal, which antiphon show prints (CallHandle.id in code), not the id of the provider',
  })
}

/** The model has answered already, so waiting input is not added before its response. */
export const settleNotStarted = (turn: number, call: string): Command => ({
  ...{ do: 'settle', turn, call, outcome: placeholderOutcome('not-started'), admits: false },
})
