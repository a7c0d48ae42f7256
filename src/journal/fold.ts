import { AntiphonError } from '../core/errors.ts'
import { addLessons, type KnownLessons } from '../heal/rejections/lessons.ts'
import { type Branch, BranchTree, mainBranch, type WaitingInputs } from './branches/branch-tree.ts'
import {
  countWhile,
  type JournalCall,
  type LateResult,
  type RecordedStep,
  type SubmittedInput,
  type ThreadItem,
} from './branches/thread-item.ts'
import { checkEntry } from './damage.ts'
import type {
  BranchFork,
  BranchSwitch,
  CallPlace,
  Entry,
  ErrorData,
  InputSubmit,
  Outcome,
  RejectionLearn,
  ResponseRecord,
  TurnStatus,
} from './entry.ts'
import { sealedError } from './seal/sealed-error.ts'

export type { JournalCall, LateResult, RecordedStep, SubmittedInput, ThreadItem } from './branches/thread-item.ts'

/** The state of a thread, folded from its entries. Only `evolve` changes it, in place. */
export interface ThreadState {
  /** The random id of the thread. Its call ids begin with it. */
  readonly uid: string
  head: number
  epoch: number
  /** The history of the current branch, in order. */
  readonly items: ThreadItem[]
  /** Input that was stored and is not yet part of the history. Input that waits for another branch is not included. */
  readonly waiting: readonly SubmittedInput[]
  /** Waiting input that may join any branch, by sequence number. */
  readonly inputs: WaitingInputs
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
  /** Results that arrived after the model had continued without them, on any branch; `notesOf` has those of the current one. */
  readonly notes: LateResult[]
  /** Lessons from rejections, by the target that the messages were rendered for; undefined if there are none. */
  lessons: Map<string, KnownLessons> | undefined
  /** The branches; undefined as long as there is only the main branch. */
  tree: BranchTree | undefined
  /** A summary was written, on any branch. */
  isCompacted: true | undefined
  /** An agent works in it, for a call of another thread. */
  readonly isChild: true | undefined
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

export function initialState(uid: string, isChild?: true): ThreadState {
  const items: ThreadItem[] = []
  return {
    ...{ uid, head: 0, epoch: 0, inputs: new Map(), turn: undefined, turns: 0, ended: undefined },
    ...{ calls: new Map(), open: new Map(), notes: [], lessons: undefined, tree: undefined },
    ...{ isCompacted: undefined, isChild },
    get items() {
      return this.tree?.items ?? items
    },
    get waiting() {
      return [...(this.tree?.current.waiting.values() ?? []), ...this.inputs.values()]
    },
  }
}

export const callId = (uid: string, { step, index }: CallPlace): string => `${uid}-${step}-${index}`

/** The id of the thread that made a call. */
export const uidOf = (callId: string): string => callId.replace(/-\d+-\d+$/, '')

/** Applies one entry. Entries must come in order, each once. */
export function evolve(state: ThreadState, entry: Entry): ThreadState {
  if ('sealed' in entry) throw sealedError('the thread is sealed')
  checkEntry(entry)
  state.head = entry.seq
  state.epoch = entry.epoch
  switch (entry.kind) {
    case 'input-submit':
      submit(state, entry)
      if (entry.when === 'interrupt') interrupt(state, entry.at, 'new input')
      break
    case 'input-admit':
      addItem(state, { kind: 'input', seq: entry.seq, inputs: takeInputs(state, entry.inputs) })
      break
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
      if (state.tree?.next) state.tree.switchTo(state.tree.next, entry.seq, true)
      forgetWindows(state)
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
    case 'call-edit':
      callAt(state, entry.call).edited = { input: entry.input }
      break
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
      const notes = entry.notes.flatMap(seq => noteAt(state, seq) ?? [])
      for (const note of notes) note.told = true
      state.tree?.tell(entry.notes, entry.seq)
      addItem(state, { kind: 'notes', seq: entry.seq, notes })
      break
    }
    case 'rejection-learn':
      learn(state, entry)
      break
    case 'history-compact':
      state.isCompacted = true
      addItem(state, { kind: 'summary', seq: entry.seq, upTo: entry.upTo, text: entry.summary })
      break
    case 'history-expand':
      addItem(state, { kind: 'expand', seq: entry.seq, summary: entry.summary })
      break
    case 'branch-fork':
      fork(state, entry)
      break
    case 'branch-switch':
      switchBranch(state, entry)
      break
  }
  return state
}

/** The number of the current branch. */
export const currentBranch = ({ tree }: ThreadState): number => tree?.current.branch ?? mainBranch

/** The late results of the current branch. */
export const notesOf = ({ tree, notes }: ThreadState): readonly LateResult[] => tree?.notes(notes) ?? notes

/** What is rendered of a branch. */
export function viewOf(state: ThreadState, branch: number): Pick<ThreadState, 'items' | 'lessons' | 'isCompacted'> {
  const { tree, lessons, isCompacted } = state
  const found = tree?.get(branch)
  return found && found !== tree?.current ? { items: tree?.itemsOf(found) ?? [], lessons, isCompacted } : state
}

/** The last step that the model can see. */
export function lastStep({ items }: Pick<ThreadState, 'items'>): RecordedStep | undefined {
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item?.kind === 'step' && item.step.response.messages.length > 0) return item.step
  }
  return undefined
}

/** The items of a tree are not read here, because that would build the list of the current branch. */
function addItem(state: ThreadState, item: ThreadItem): void {
  if (state.tree) state.tree.add(item)
  else state.items.push(item)
}

function submit(state: ThreadState, entry: Entry & InputSubmit): void {
  const { seq, at, content, format, when, branch, replaces } = entry
  const input: SubmittedInput = {
    ...{ seq, at, content, ...(format === undefined ? {} : { format }), when },
    ...(branch === undefined ? {} : { branch }),
    ...(replaces === undefined ? {} : { replaces }),
  }
  const { waiting } = branch === undefined ? { waiting: state.inputs } : branchAt(state, branch)
  waiting.set(seq, input)
}

/** Takes inputs out of those that wait. Those of the current branch come first. */
function takeInputs({ tree, inputs: shared }: ThreadState, admitted: readonly number[]): SubmittedInput[] {
  const take = (waiting: WaitingInputs | undefined): SubmittedInput[] =>
    admitted.flatMap(seq => {
      const input = waiting?.get(seq)
      waiting?.delete(seq)
      return input ?? []
    })
  return [...take(tree?.current.waiting), ...take(shared)]
}

/** Late results are in the order of their sequence numbers. */
function noteAt({ notes }: ThreadState, seq: number): LateResult | undefined {
  const found = notes[countWhile(notes, note => note.seq < seq)]
  return found?.seq === seq ? found : undefined
}

function fork(state: ThreadState, entry: Entry & BranchFork): void {
  if (!state.tree) {
    const { items, notes } = state
    const tree = BranchTree.of(items)
    if (notes.some(({ told }) => told))
      for (const item of items)
        if (item.kind === 'notes')
          tree.tell(
            item.notes.map(({ seq }) => seq),
            item.seq,
          )
    state.tree = tree
  }
  branchAt(state, entry.from)
  if (entry.branch !== state.tree.branches.length + 1) damaged(state, `branch ${entry.branch}`)
  state.tree.fork(entry)
}

function switchBranch(state: ThreadState, { branch, seq }: Entry & BranchSwitch): void {
  const target = branchAt(state, branch)
  state.tree?.switchTo(target, seq, state.turn === undefined)
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

/** Limits on the length of a history are forgotten at the end of a turn: another model may accept more, or the limit was not the provider's own. */
function forgetWindows({ lessons }: ThreadState): void {
  for (const { rejections } of lessons?.values() ?? [])
    for (const [key, { kind }] of rejections) if (kind === 'context-overflow') rejections.delete(key)
}

/** The key of the lessons for one provider, model and format: fingerprints of removed content differ between formats. */
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
    if (!entry.calls[index]?.answered) state.open.set(call.id, call)
  }
  if (state.turn) state.turn.steps++
  addItem(state, { kind: 'step', step: { seq, at, response: entry, calls } })
}

function settle(state: ThreadState, call: JournalCall, outcome: Outcome, seq: number): void {
  call.outcome = outcome
  call.settledSeq = seq
  state.open.delete(call.id)
}

/** A late result replaces its placeholder unless the model has answered since, on any branch. */
function addLateResult(
  state: ThreadState,
  call: JournalCall,
  { seq, at, outcome }: { seq: number; at: number; outcome: Outcome },
) {
  call.late = true
  const { step } = call.place
  const isLast = state.tree ? state.tree.isLeaf(step) : lastStep(state)?.seq === step
  if (isLast) call.outcome = outcome
  else state.notes.push({ seq, at, call, outcome, told: false })
}

function callAt(state: ThreadState, place: CallPlace): JournalCall {
  return state.calls.get(callId(state.uid, place)) ?? damaged(state, `call ${place.step}.${place.index}`)
}

const branchAt = (state: ThreadState, branch: number): Branch =>
  state.tree?.get(branch) ?? damaged(state, `branch ${branch}`)

function damaged({ head }: ThreadState, what: string): never {
  throw new AntiphonError('journal-damaged', `entry ${head} names ${what}, which the thread does not have`, {
    hint: 'restore the journal from a backup; its other threads can be read',
    seq: head,
  })
}
