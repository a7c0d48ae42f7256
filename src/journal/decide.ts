import { AntiphonError } from '../core/errors.ts'
import type { ErrorData, Happening, InputSubmit, Outcome, ResponseRecord, TurnStatus } from './entry.ts'
import type { Call, ThreadState } from './fold.ts'
import { madeUp } from './outcome.ts'
import { isRunnable, type Recovery, recover } from './recover.ts'
import type { Write } from './stores/store.ts'

/** What somebody wants to happen in a thread. */
export type Command =
  | { readonly do: 'begin'; readonly now: number; readonly recovery: Recovery }
  | {
      readonly do: 'record'
      readonly turn: number
      readonly response: Response
      /** The model has said something behind the results that came along. */
      readonly speaksLast: boolean
      readonly error?: ErrorData
    }
  | { readonly do: 'start'; readonly turn: number; readonly call: string; readonly again?: boolean }
  | {
      readonly do: 'park-call'
      readonly turn: number
      readonly call: string
      readonly why: Why
      readonly until?: number
    }
  | {
      readonly do: 'settle'
      readonly call: string
      readonly outcome: Outcome
      readonly turn?: number
      /** Whether what waits for the end of the step is said behind the last result: by default it is. */
      readonly admits?: false
    }
  | { readonly do: 'admit'; readonly turn: number; readonly tellsNotes: boolean }
  | { readonly do: 'park'; readonly turn: number }
  | {
      readonly do: 'hand-over'
      readonly turn: number
      /** Calls that may run although they were started. */
      readonly again: ReadonlySet<string>
    }
  | { readonly do: 'end'; readonly turn: number; readonly status: TurnStatus; readonly error?: ErrorData }
  | {
      readonly do: 'decide'
      readonly call: string
      readonly approved: boolean
      readonly reason?: string
      readonly now: number
    }
  | { readonly do: 'interrupt'; readonly turn?: number; readonly reason?: string }
  | { readonly do: 'speak'; readonly input: InputSubmit }

/** What a turn keeps of a response. */
export type Response = Omit<ResponseRecord, 'kind' | 'turn'>
type Why = 'approval' | 'outside'

/** What is to be written, all of it or nothing; with no entries there is nothing to write, and `why` says why not. */
export interface Draft extends Pick<Write, 'release' | 'state' | 'dueAt'> {
  readonly entries: readonly Happening[]
  readonly why?: 'nothing' | 'settled' | 'decided' | 'started' | 'waiting' | 'expired' | 'interrupted'
}

/**
 * The turn as a pure decider: what a command comes to in a state. It changes nothing; what it gives back is written by the
 * store only if the state is still this one, and taken in by `evolve`. Commands with a `turn` are those of its owner.
 */
export function decide(state: ThreadState, command: Command): Draft {
  if ('turn' in command && command.turn !== undefined && command.do !== 'interrupt') mustRun(state, command.turn)
  // A result is one whoever brings it; everything else is the affair of whoever takes the turn next.
  if ('turn' in command && isOwners(command) && state.turn?.parked) throw givenAway(state.turn.turn)
  switch (command.do) {
    case 'begin':
      return begin(state, command.now, command.recovery)
    case 'record':
      return record(state, command)
    case 'start':
      return start(state, command.call, command.again === true)
    case 'park-call':
      return parkCall(state, command.call, command.why, command.until)
    case 'settle':
      return settle(state, command.call, command.outcome, command.admits !== false)
    case 'admit':
      return { entries: boundary(state, command.tellsNotes) }
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
    case 'speak':
      return speak(state, command.input)
  }
}

/** What a call that is still open is told when nobody goes on with it. */
export const truthOf = ({ startedAt, parked }: Call): Outcome => {
  if (startedAt !== undefined) return madeUp('interrupted')
  return parked?.why === 'outside' ? madeUp('unknown') : madeUp('not-started')
}

/** Whether nothing can take the place of what stands for its result. A placeholder makes room for a result that comes late, once. */
export const isSettledForGood = ({ outcome, late }: Call): boolean =>
  outcome !== undefined && (outcome.status !== 'made-up' || outcome.state === 'denied' || late === true)

function begin(state: ThreadState, now: number, recovery: Recovery): Draft {
  const { turn } = state
  const running = { state: 'running', dueAt: 'now' } as const
  if (!turn) {
    if (state.waiting.length === 0) return { entries: [], why: 'nothing' }
    const inputs = state.waiting.filter(({ when }, index) => index === 0 || when === 'steer').map(({ seq }) => seq)
    const notes = recovery.tellsNotes ? untold(state) : []
    const admit: Happening = { kind: 'input-admit', inputs }
    return { entries: [{ kind: 'turn-start', turn: state.turns + 1 }, ...notes, admit], ...running }
  }
  const resume: Happening = { kind: 'turn-resume', turn: turn.turn }
  if (turn.interrupted) return { entries: [resume, ...ending(state, turn.turn, 'interrupted')], ...over(state) }
  const recovered = recover(state, now, recovery)
  if (!recovered) return { entries: [], why: 'waiting' }
  const settles = recovered.map(({ call, outcome }): Happening => ({ kind: 'call-settle', call: call.place, outcome }))
  const isClosed = recovered.length === state.open.size
  // After a crash nobody knows how long ago the user spoke: what waits is said at once. Otherwise only what was meant for now.
  const waiting = isClosed ? (turn.parked ? steers(state) : state.waiting) : []
  return { entries: [resume, ...settles, ...admission(waiting)], ...running }
}

function record(state: ThreadState, command: Extract<Command, { do: 'record' }>): Draft {
  const { turn, response, speaksLast, error } = command
  if (state.open.size > 0)
    throw new AntiphonError('open-calls', `${state.open.size} of the calls before this response have no result yet`, {
      hint: 'perform `turn.calls` first, then ask the model',
      calls: [...state.open.keys()],
    })
  const entry: Happening = { kind: 'response-record', turn, ...response }
  const status = statusOf(state, response, speaksLast)
  if (status === undefined) return { entries: [entry] }
  const failure = status === 'failed' ? (error ?? { name: 'StreamCut', message: 'the stream broke off' }) : undefined
  const end: Happening = { kind: 'turn-end', turn, status, ...(failure && { error: failure }) }
  return { entries: [entry, end], ...over(state) }
}

/** How a turn ends with a response; undefined if it goes on. */
function statusOf({ turn }: ThreadState, { finish, calls }: Response, speaksLast: boolean): TurnStatus | undefined {
  const isInterrupted = turn?.interrupted !== undefined
  if (finish === 'cut') return isInterrupted ? 'interrupted' : 'failed'
  if (calls.some(({ answered }) => !answered)) return undefined
  if (isInterrupted) return 'interrupted'
  if (finish === 'pause') return undefined
  if (finish === 'refusal') return 'refused'
  if (finish === 'length') return 'length'
  // Calls that came with their results: the model has not seen those yet, unless it spoke after them.
  return calls.length > 0 && !speaksLast ? undefined : 'done'
}

function start(state: ThreadState, id: string, again: boolean): Draft {
  const call = callOf(state, id)
  if (call.outcome) return { entries: [], why: 'settled' }
  if (!isRunnable(call)) return { entries: [], why: 'waiting' }
  if (state.turn?.interrupted) return { entries: [], why: 'interrupted' }
  if (call.startedAt !== undefined) return { entries: [], why: again ? 'nothing' : 'started' }
  return { entries: [{ kind: 'call-start', call: call.place }] }
}

function parkCall(state: ThreadState, id: string, why: Why, until: number | undefined): Draft {
  const call = callOf(state, id)
  if (call.outcome) return { entries: [], why: 'settled' }
  if (call.startedAt !== undefined) return { entries: [], why: 'started' }
  // Whoever has approved a call need not be asked again, but its result may still have to come from outside.
  if (!isRunnable(call) || (why === 'approval' && call.decision)) return { entries: [], why: 'nothing' }
  return { entries: [{ kind: 'call-park', call: call.place, why, ...(until === undefined ? {} : { until }) }] }
}

function settle(state: ThreadState, id: string, outcome: Outcome, admits: boolean): Draft {
  const call = callOf(state, id)
  if (call.outcome) {
    if (isSettledForGood(call) || outcome.status === 'made-up') return { entries: [], why: 'settled' }
    return { entries: [{ kind: 'call-late', call: call.place, outcome }] }
  }
  const entry: Happening = { kind: 'call-settle', call: call.place, outcome }
  const isParked = state.turn?.parked === true
  const isLast = state.open.size === 1
  // Nobody owns a parked turn: whoever gave the result wakes it. Otherwise its owner is there, and the step may be over.
  if (isParked) return { entries: [entry], ...wakes(isLast) }
  return { entries: isLast && admits ? [entry, ...admission(steers(state))] : [entry] }
}

function park(state: ThreadState, turn: number): Draft {
  const open = [...state.open.values()]
  // An interrupted turn has nothing to wait for: its owner ends it.
  if (state.turn?.interrupted || open.length === 0 || open.some(isRunnable)) return { entries: [], why: 'nothing' }
  return { entries: [{ kind: 'turn-park', turn }], release: true, state: 'parked', dueAt: nextExpiry(state) }
}

/** Nobody can take over a call that is at work: what came of it would not be known. */
function handOver(state: ThreadState, turn: number, again: ReadonlySet<string>): Draft {
  if (state.turn?.interrupted) return end(state, turn, 'interrupted', undefined)
  const atWork = [...state.open.values()].filter(({ id, startedAt }) => startedAt !== undefined && !again.has(id))
  if (atWork.length > 0)
    throw new AntiphonError('calls-at-work', `${atWork.length} calls of turn ${turn} are at work`, {
      hint: 'wait for them, or settle them, and hand over then',
      calls: atWork.map(({ id }) => id),
    })
  return { entries: [{ kind: 'turn-park', turn }], release: true, dueAt: 'now' }
}

/**
 * Until when nobody needs to look at a thread: for ever (null) if it is idle, until the first expiry if it only waits for
 * somebody outside. Undefined if there is something to do, be it for the owner that it has.
 */
export function nextRest(state: ThreadState): number | null | undefined {
  const { turn, waiting, open } = state
  if (!turn) return waiting.length > 0 ? undefined : null
  const isWaiting = open.size > 0 && ![...open.values()].some(isRunnable)
  return turn.parked && !turn.interrupted && isWaiting ? nextExpiry(state) : undefined
}

/** When the first of the calls that wait expires; null if none does. */
function nextExpiry({ open }: ThreadState): number | null {
  let next: number | null = null
  for (const { parked } of open.values())
    if (parked?.until !== undefined) next = Math.min(next ?? parked.until, parked.until)
  return next
}

function decision(state: ThreadState, command: Extract<Command, { do: 'decide' }>): Draft {
  const { approved, reason, now } = command
  const call = callOf(state, command.call)
  const { place, parked } = call
  if (call.outcome) return { entries: [], why: 'settled' }
  if (call.decision) return { entries: [], why: 'decided' }
  if (call.startedAt !== undefined) return { entries: [], why: 'started' }
  const wake = wakes(state.turn?.parked === true && (approved || state.open.size === 1))
  if (parked?.until !== undefined && parked.until <= now)
    return { entries: [{ kind: 'call-settle', call: place, outcome: madeUp('expired') }], why: 'expired', ...wake }
  const entry: Happening = { kind: 'call-decide', call: place, approved, ...(reason === undefined ? {} : { reason }) }
  if (approved) return { entries: [entry], ...wake }
  return { entries: [entry, { kind: 'call-settle', call: place, outcome: madeUp('denied', reason) }], ...wake }
}

function interrupt(state: ThreadState, named: number | undefined, reason: string | undefined): Draft {
  const { turn } = state
  if (!turn || turn.interrupted || (named !== undefined && named !== turn.turn)) return { entries: [], why: 'nothing' }
  const entry: Happening = { kind: 'turn-interrupt', turn: turn.turn, ...(reason === undefined ? {} : { reason }) }
  if (!turn.parked) return { entries: [entry] }
  return { entries: [entry, ...ending(state, turn.turn, 'interrupted')], ...over(state) }
}

/** Input that does not wait for those who have to decide: their calls are denied, and it is said behind the results. */
function speak(state: ThreadState, input: InputSubmit): Draft {
  const waiting = [...state.open.values()].filter(call => call.parked && !isRunnable(call))
  const denials = waiting.map(({ place, parked }): Happening => {
    const outcome = parked?.why === 'outside' ? madeUp('unknown') : madeUp('denied', 'the user spoke instead')
    return { kind: 'call-settle', call: place, outcome }
  })
  const speaks = denials.length > 0 && input.when === 'queue' ? ({ ...input, when: 'steer' } as const) : input
  return { entries: [...denials, speaks], dueAt: 'now' }
}

/** However a turn comes to its end: if it was interrupted it ends as such, and an error is part of that. */
const end = (state: ThreadState, turn: number, status: TurnStatus, error: ErrorData | undefined): Draft => ({
  entries: state.turn?.interrupted ? ending(state, turn, 'interrupted') : ending(state, turn, status, error),
  ...over(state),
})

/** The end of a turn, with the truth for every call that is still open. */
function ending(state: ThreadState, turn: number, status: TurnStatus, error?: ErrorData): Happening[] {
  const settles = [...state.open.values()].map(
    (call): Happening => ({ kind: 'call-settle', call: call.place, outcome: truthOf(call) }),
  )
  return [...settles, { kind: 'turn-end', turn, status, ...(error && { error }) }]
}

const wakes = (isAwake: boolean): Pick<Draft, 'dueAt'> => (isAwake ? { dueAt: 'now' } : {})

/** What a thread is like when its turn is over. */
const over = ({ waiting }: ThreadState): Pick<Draft, 'release' | 'state' | 'dueAt'> => ({
  release: true,
  state: 'idle',
  dueAt: waiting.length > 0 ? 'now' : null,
})

/** What is said between two steps. */
function boundary(state: ThreadState, tellsNotes: boolean): Happening[] {
  if (state.open.size > 0 || state.turn?.interrupted) return []
  return [...(tellsNotes ? untold(state) : []), ...admission(steers(state))]
}

const steers = ({ waiting, turn }: ThreadState) =>
  turn?.interrupted ? [] : waiting.filter(({ when }) => when === 'steer')

const admission = (inputs: readonly { seq: number }[]): Happening[] =>
  inputs.length === 0 ? [] : [{ kind: 'input-admit', inputs: inputs.map(({ seq }) => seq) }]

function untold({ notes }: ThreadState): Happening[] {
  const fresh = notes.filter(({ told }) => !told).map(({ seq }) => seq)
  return fresh.length === 0 ? [] : [{ kind: 'note-tell', notes: fresh }]
}

function mustRun(state: ThreadState, turn: number): void {
  if (state.turn?.turn === turn) return
  const how = state.ended?.turn === turn ? ` (${state.ended.status})` : ''
  throw new AntiphonError('turn-over', `turn ${turn} is over${how}`, { hint: 'take the next turn of the thread', turn })
}

const isOwners = ({ do: what }: Command): boolean => what !== 'interrupt' && what !== 'settle'

const givenAway = (turn: number): AntiphonError =>
  new AntiphonError('turn-over', `turn ${turn} was given away`, { hint: 'take the turn of the thread again', turn })

function callOf(state: ThreadState, id: string): Call {
  const call = state.calls.get(id)
  if (call) return call
  throw new AntiphonError('no-call', `there is no call ${id} in this thread`, {
    hint: 'a call is named by its id in the journal, not by the id that the provider gave it',
  })
}
