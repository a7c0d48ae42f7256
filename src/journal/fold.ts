import { AntiphonError } from '../core/errors.ts'
import { addLessons, type KnownLessons } from '../heal/rejections/lessons.ts'
import type { CallPlace, Entry, ErrorData, Outcome, RejectionLearn, ResponseRecord, TurnStatus } from './entry.ts'

/** The state of a thread, folded from its entries. Only `evolve` changes it, in place. */
export interface ThreadState {
  /** The random id of the thread. Its call ids begin with it. */
  readonly uid: string
  head: number
  epoch: number
  /** The history, in order. */
  readonly items: ThreadItem[]
  /** Input that was stored and is not yet part of the history. */
  readonly waiting: SubmittedInput[]
  /** The turn that has started and not ended. */
  turn: TurnState | undefined
  /** The number of turns started. */
  turns: number
  /** The last turn that has ended. */
  ended: { readonly turn: number; readonly status: TurnStatus; readonly error?: ErrorData } | undefined
  /** Every call, by its id. */
  readonly calls: Map<string, JournalCall>
  /** The calls without a result, in order. */
  readonly open: Map<string, JournalCall>
  /** Results that arrived after the model had continued without them. */
  readonly notes: LateResult[]
  /** What rejections of providers taught, by what the messages were rendered for; undefined if nothing. */
  lessons: Map<string, KnownLessons> | undefined
}

export type ThreadItem =
  | { readonly kind: 'input'; readonly seq: number; readonly inputs: readonly SubmittedInput[] }
  | { readonly kind: 'step'; readonly step: RecordedStep }
  | { readonly kind: 'notes'; readonly seq: number; readonly notes: readonly LateResult[] }

export interface SubmittedInput {
  readonly seq: number
  readonly at: number
  readonly content: unknown
  readonly format?: string
  readonly when: 'queue' | 'steer' | 'interrupt'
}

/** A response and the calls that it made. */
export interface RecordedStep {
  readonly seq: number
  readonly at: number
  readonly response: ResponseRecord
  readonly calls: readonly JournalCall[]
}

export interface JournalCall {
  /** The journal's own id, unique across threads. */
  readonly id: string
  readonly place: CallPlace
  readonly providerId: string
  readonly name: string
  readonly turn: number
  readonly recordedAt: number
  startedAt?: number
  parked?: { readonly why: 'approval' | 'outside'; readonly until?: number }
  decision?: { readonly approved: boolean; readonly reason?: string; readonly seq: number; readonly at: number }
  /** Its result in the history, which may be a placeholder. */
  outcome?: Outcome
  /** The sequence number of its settlement. */
  settledSeq?: number
  /** A real result came after the placeholder. */
  late?: true
}

export interface LateResult {
  readonly seq: number
  readonly at: number
  readonly call: JournalCall
  readonly outcome: Outcome
  told: boolean
}

export interface TurnState {
  readonly turn: number
  readonly startedAt: number
  /** The number of responses so far. */
  steps: number
  interrupted?: { readonly reason?: string; readonly at: number }
  /** It has no owner, and waits for a decision or a result from outside. */
  parked: boolean
}

export const initialState = (uid: string): ThreadState => ({
  ...{ uid, head: 0, epoch: 0, items: [], waiting: [], turn: undefined, turns: 0, ended: undefined },
  ...{ calls: new Map(), open: new Map(), notes: [], lessons: undefined },
})

export const callId = (uid: string, { step, index }: CallPlace): string => `${uid}-${step}-${index}`

/** Applies one entry. Entries must come in order, each once. */
export function evolve(state: ThreadState, entry: Entry): ThreadState {
  state.head = entry.seq
  state.epoch = entry.epoch
  switch (entry.kind) {
    case 'input-submit': {
      const { seq, at, content, format, when } = entry
      state.waiting.push({ seq, at, content, ...(format === undefined ? {} : { format }), when })
      if (when === 'interrupt') interrupt(state, at, 'new input')
      break
    }
    case 'input-admit': {
      const admitted = new Set(entry.inputs)
      const inputs = state.waiting.filter(({ seq }) => admitted.has(seq))
      const left = state.waiting.filter(({ seq }) => !admitted.has(seq))
      state.waiting.length = 0
      for (const input of left) state.waiting.push(input)
      state.items.push({ kind: 'input', seq: entry.seq, inputs })
      break
    }
    case 'turn-start':
      state.turns = entry.turn
      state.turn = { turn: entry.turn, startedAt: entry.at, steps: 0, parked: false }
      break
    case 'turn-resume':
      if (state.turn) state.turn.parked = false
      break
    case 'turn-park':
      if (state.turn) state.turn.parked = true
      break
    case 'turn-interrupt':
      if (state.turn?.turn === entry.turn) interrupt(state, entry.at, entry.reason)
      break
    case 'turn-end': {
      const { turn, status, error } = entry
      state.ended = { turn, status, ...(error && { error }) }
      state.turn = undefined
      break
    }
    case 'response-record':
      record(state, entry)
      break
    case 'call-start':
      callAt(state, entry.call).startedAt = entry.at
      break
    case 'call-park': {
      const { why, until } = entry
      callAt(state, entry.call).parked = { why, ...(until === undefined ? {} : { until }) }
      break
    }
    case 'call-decide': {
      const { approved, reason, seq, at } = entry
      callAt(state, entry.call).decision = { approved, ...(reason === undefined ? {} : { reason }), seq, at }
      break
    }
    case 'call-settle':
      settle(state, callAt(state, entry.call), entry.outcome, entry.seq)
      break
    case 'call-late':
      addLateResult(state, callAt(state, entry.call), entry)
      break
    case 'note-tell': {
      const notes = state.notes.filter(({ seq }) => entry.notes.includes(seq))
      for (const note of notes) note.told = true
      state.items.push({ kind: 'notes', seq: entry.seq, notes })
      break
    }
    case 'rejection-learn':
      learn(state, entry)
      break
  }
  return state
}

/** The last step that the model can see. */
export function lastStep({ items }: ThreadState): RecordedStep | undefined {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item.kind === 'step' && item.step.response.messages.length > 0) return item.step
  }
  return undefined
}

function interrupt({ turn }: ThreadState, at: number, reason: string | undefined): void {
  if (turn) turn.interrupted ??= { at, ...(reason === undefined ? {} : { reason }) }
}

function learn(state: ThreadState, entry: RejectionLearn): void {
  state.lessons ??= new Map()
  const key = lessonsKey(entry)
  const known = state.lessons.get(key) ?? { rejections: new Map(), marks: new Set() }
  state.lessons.set(key, known)
  addLessons(known, entry)
}

/** Lessons are about one provider and model; fingerprints are of messages in one format. */
export const lessonsKey = ({ dialect, format, model }: Pick<RejectionLearn, 'dialect' | 'format' | 'model'>): string =>
  JSON.stringify([dialect, format, model])

function record(state: ThreadState, entry: Entry & ResponseRecord): void {
  const { seq, at, turn } = entry
  const calls = entry.calls.map(({ id: providerId, name }, index): JournalCall => {
    const place = { step: seq, index }
    return { id: callId(state.uid, place), place, providerId, name, turn, recordedAt: at }
  })
  for (const [index, call] of calls.entries()) {
    state.calls.set(call.id, call)
    if (!entry.calls[index].answered) state.open.set(call.id, call)
  }
  if (state.turn) state.turn.steps++
  state.items.push({ kind: 'step', step: { seq, at, response: entry, calls } })
}

function settle(state: ThreadState, call: JournalCall, outcome: Outcome, seq: number): void {
  call.outcome = outcome
  call.settledSeq = seq
  state.open.delete(call.id)
}

/** A late result replaces its placeholder unless the model has answered since. */
function addLateResult(
  state: ThreadState,
  call: JournalCall,
  { seq, at, outcome }: { seq: number; at: number; outcome: Outcome },
) {
  call.late = true
  if (lastStep(state)?.seq === call.place.step) call.outcome = outcome
  else state.notes.push({ seq, at, call, outcome, told: false })
}

function callAt(state: ThreadState, place: CallPlace): JournalCall {
  const call = state.calls.get(callId(state.uid, place))
  if (!call)
    throw new AntiphonError(
      'journal-damaged',
      `entry ${state.head} names call ${place.step}.${place.index}, which the thread does not have`,
      { hint: 'Restore the journal from a backup. Its other threads can be read.', seq: state.head },
    )
  return call
}
