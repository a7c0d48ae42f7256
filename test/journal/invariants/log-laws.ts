import type { CallPlace, Entry, Outcome, ParkReason } from '../../../src/journal/entry.ts'
import { BranchPaths } from './branch-paths.ts'

interface KnownCall {
  readonly at: string
  readonly step: number
  isStarted?: true
  parked?: { readonly why: ParkReason; readonly until?: number }
  approved?: boolean
  /** What a person changed its input to. */
  edited?: unknown
  settled?: Outcome
  isLate?: true
  /** What the model is shown. */
  shown?: Outcome
}

/**
 * Reads a log as somebody who knows nothing of the journal, and says what is wrong with it. State: the turn that runs and whether
 * it was interrupted, the inputs that were accepted and said, and every call with what became of it.
 */
export class LogLaws {
  readonly problems: string[] = []
  /** How far the clocks of those who write may differ. */
  readonly #skewMs: number
  #seq = 0
  #epoch = 0
  #turns = 0
  #turn: { readonly number: number; isInterrupted: boolean } | undefined
  readonly #keys = new Set<string>()
  readonly #branches = new BranchPaths()
  /** Inputs that wait for one branch alone, and for which. */
  readonly #bound = new Map<number, number[]>()
  readonly #calls = new Map<string, KnownCall>()
  readonly #open = new Set<KnownCall>()
  readonly #notes = new Map<number, { readonly call: string; readonly outcome: Outcome }>()
  readonly #contents = new Map<number, unknown>()

  constructor(skewMs = 0) {
    this.#skewMs = skewMs
  }

  take(entry: Entry): void {
    const { seq, epoch, kind } = entry
    if (seq !== this.#seq + 1) this.#wrong(entry, `follows ${this.#seq}`)
    if (epoch < this.#epoch) this.#wrong(entry, `has epoch ${epoch}, and the one before had ${this.#epoch}`)
    this.#seq = seq
    this.#epoch = epoch
    if (speaking.has(kind) && this.#open.size > 0)
      this.#wrong(entry, `stands while ${[...this.#open].map(({ at }) => at).join(', ')} is open`)
    this.#takeKind(entry)
  }

  /** What is left at the end, where everything has been brought to its end. */
  end(): void {
    if (this.#turn) this.problems.push(`turn ${this.#turn.number} never ended`)
    for (const { at } of this.#open) this.problems.push(`call ${at} was never settled`)
    const { numbers, current } = this.#branches
    for (const seq of this.#contents.keys()) {
      const isElsewhere = this.#bound.get(seq)?.every(branch => branch !== current) === true
      if (!isElsewhere && !numbers.some(branch => this.#branches.of(branch).said.has(seq)))
        this.problems.push(`input ${seq} was never said`)
    }
  }

  /** By branch: everything that a reader of the conversation has to find in it, once. */
  get said(): ReadonlyMap<number, readonly unknown[]> {
    const { numbers } = this.#branches
    return new Map(numbers.map(branch => [branch, this.#saidOn(branch)]))
  }

  #saidOn(branch: number): unknown[] {
    const { said, settled, told } = this.#branches.of(branch)
    const inputs = [...said.keys()].map(seq => this.#contents.get(seq))
    const outcomes = [...settled.keys()].flatMap(call => this.#calls.get(call)?.shown ?? [])
    const late = [...told.keys()].flatMap(seq => this.#notes.get(seq)?.outcome ?? [])
    // A thread may have been erased while a call was open, which is always one of the current branch.
    const open = branch === this.#branches.current ? [...this.#open].map(({ at }) => at) : []
    const edits = [...settled.keys(), ...open].flatMap(call => this.#calls.get(call)?.edited ?? [])
    return [...inputs, ...edits, ...[...outcomes, ...late].map(({ content }) => content)]
  }

  #takeKind(entry: Entry): void {
    if (entry.kind === 'input-submit') this.#submit(entry)
    else if (entry.kind === 'input-admit') this.#admit(entry)
    else if (entry.kind === 'turn-start') this.#start(entry)
    else if (entry.kind === 'turn-end') this.#end(entry)
    else if (entry.kind === 'response-record') this.#record(entry)
    else if (entry.kind === 'note-tell') this.#tell(entry)
    else if (entry.kind === 'branch-fork') this.#fork(entry)
    else if (entry.kind === 'branch-switch') this.#switch(entry)
    else if ('turn' in entry) this.#inTurn(entry)
    else if ('call' in entry) this.#takeCall(entry, this.#callAt(entry, entry.call))
    if (entry.kind === 'turn-interrupt' && this.#turn) this.#turn.isInterrupted = true
  }

  #submit(entry: Extract<Entry, { kind: 'input-submit' }>): void {
    const { seq, key, when } = entry
    if (key !== undefined && this.#keys.has(key)) this.#wrong(entry, `has the key ${key}, which was there before`)
    if (key !== undefined) this.#keys.add(key)
    this.#contents.set(seq, entry.content)
    if (entry.branch !== undefined) this.#bind(entry, seq, entry.branch)
    if (when === 'interrupt' && this.#turn) this.#turn.isInterrupted = true
  }

  #admit(entry: Extract<Entry, { kind: 'input-admit' }>): void {
    if (!this.#turn) this.#wrong(entry, 'stands outside of a turn')
    for (const seq of entry.inputs) {
      if (!this.#contents.has(seq)) this.#wrong(entry, `says input ${seq}, which nobody submitted`)
      const { said } = this.#branches.here
      const isAgain = this.#branches.numbers.some(branch => this.#branches.of(branch).said.has(seq))
      if (said.has(seq) || (isAgain && !this.#bound.has(seq))) this.#wrong(entry, `says input ${seq} a second time`)
      if (this.#bound.get(seq)?.includes(this.#branches.current) === false)
        this.#wrong(entry, `says input ${seq}, which waits for another branch`)
      said.set(seq, entry.seq)
    }
  }

  #bind(entry: Entry, seq: number, branch: number): void {
    if (!this.#branches.has(branch)) this.#wrong(entry, `names branch ${branch}, which is not there`)
    this.#bound.set(seq, [...(this.#bound.get(seq) ?? []), branch])
  }

  #fork(entry: Extract<Entry, { kind: 'branch-fork' }>): void {
    const { seq, branch, from, after, inputs = [] } = entry
    if (branch !== this.#branches.numbers.length + 1) this.#wrong(entry, `is branch ${branch}, out of turn`)
    if (after >= seq) this.#wrong(entry, `begins after ${after}, which is not there yet`)
    if (!this.#branches.has(from)) {
      this.#wrong(entry, `leaves branch ${from}, which is not there`)
      return
    }
    for (const input of inputs)
      if ((this.#branches.of(from).said.get(input) ?? 0) <= after)
        this.#wrong(entry, `lets input ${input} wait, which was not said after ${after}`)
    this.#branches.fork(branch, from, after)
    for (const input of inputs) this.#bind(entry, input, branch)
  }

  #switch(entry: Extract<Entry, { kind: 'branch-switch' }>): void {
    const { branch } = entry
    if (!this.#branches.has(branch)) {
      this.#wrong(entry, `names branch ${branch}, which is not there`)
      return
    }
    if (!this.#turn && this.#open.size > 0) this.#wrong(entry, 'leaves calls open')
    this.#branches.switch(branch, this.#turn === undefined)
  }

  #start(entry: Extract<Entry, { kind: 'turn-start' }>): void {
    if (this.#turn) this.#wrong(entry, `begins while turn ${this.#turn.number} runs`)
    this.#turns++
    if (entry.turn !== this.#turns) this.#wrong(entry, `is turn ${entry.turn} and should be ${this.#turns}`)
    this.#turn = { number: entry.turn, isInterrupted: false }
  }

  #end(entry: Extract<Entry, { kind: 'turn-end' }>): void {
    this.#inTurn(entry)
    const isInterrupted = this.#turn?.isInterrupted === true
    if (isInterrupted !== (entry.status === 'interrupted'))
      this.#wrong(entry, `says ${entry.status}, and it was ${isInterrupted ? '' : 'not '}interrupted`)
    if ((entry.status === 'failed') !== (entry.error !== undefined)) this.#wrong(entry, 'tells an error, or does not')
    this.#turn = undefined
    this.#branches.endTurn()
  }

  #record(entry: Extract<Entry, { kind: 'response-record' }>): void {
    this.#inTurn(entry)
    if (entry.messages.length > 0) this.#branches.here.steps.set(entry.seq, entry.seq)
    for (const [index, { answered }] of entry.calls.entries()) {
      const at = nameOf({ step: entry.seq, index })
      const call: KnownCall = { at, step: entry.seq }
      this.#calls.set(at, call)
      if (!answered) this.#open.add(call)
    }
  }

  #tell(entry: Extract<Entry, { kind: 'note-tell' }>): void {
    for (const seq of entry.notes) {
      const { settled, told } = this.#branches.here
      const note = this.#notes.get(seq)
      if (!note || told.has(seq) || !settled.has(note.call))
        this.#wrong(entry, `tells ${seq}, which is no note that is still to be told`)
      told.set(seq, entry.seq)
    }
  }

  #takeCall(entry: CallEntry, call: KnownCall): void {
    if (call.settled && entry.kind !== 'call-late') this.#wrong(entry, `comes for call ${call.at}, which is settled`)
    if (call.isStarted && beforeStart.has(entry.kind)) this.#wrong(entry, `comes for call ${call.at}, which is started`)
    if (entry.kind === 'call-late') this.#late(entry, call)
    else if (entry.kind === 'call-settle') this.#settle(entry, call)
    else if (entry.kind === 'call-decide') this.#decide(entry, call)
    else if (entry.kind === 'call-edit') this.#edit(entry, call)
    else if (isWaiting(call)) this.#wrong(entry, `comes for call ${call.at}, which waits for an outside result`)
    else if (entry.kind === 'call-start') call.isStarted = true
    else call.parked = { why: entry.why, ...(entry.until === undefined ? {} : { until: entry.until }) }
  }

  #settle(entry: Extract<Entry, { kind: 'call-settle' }>, call: KnownCall): void {
    const lie = lieOf(call, entry.outcome, entry.at + this.#skewMs)
    if (lie) this.#wrong(entry, lie)
    call.settled = entry.outcome
    call.shown = entry.outcome
    this.#branches.here.settled.set(call.at, entry.seq)
    this.#open.delete(call)
  }

  #decide(entry: Extract<Entry, { kind: 'call-decide' }>, call: KnownCall): void {
    if (call.approved !== undefined) this.#wrong(entry, `decides call ${call.at} a second time`)
    if (call.edited !== undefined && !entry.approved)
      this.#wrong(entry, `denies call ${call.at}, whose input was changed`)
    call.approved = entry.approved
  }

  #edit(entry: Extract<Entry, { kind: 'call-edit' }>, call: KnownCall): void {
    if (call.approved !== undefined || call.edited !== undefined)
      this.#wrong(entry, `changes the input of call ${call.at}, which is decided`)
    call.edited = entry.input
  }

  #late(entry: Extract<Entry, { kind: 'call-late' }>, call: KnownCall): void {
    const { settled, isLate } = call
    if (settled?.status !== 'made-up' || settled.state === 'denied' || isLate)
      this.#wrong(entry, `comes late for call ${call.at}, which has no placeholder that waits for a result`)
    if (entry.outcome.status === 'made-up') this.#wrong(entry, 'is a placeholder that comes late')
    call.isLate = true
    // A real result beats the placeholder, unless the model has gone on with that.
    if (!this.#branches.isFollowed(call.at, call.step)) call.shown = entry.outcome
    else this.#notes.set(entry.seq, { call: call.at, outcome: entry.outcome })
  }

  #inTurn(entry: Extract<Entry, { turn: number }>): void {
    if (entry.turn !== this.#turn?.number) this.#wrong(entry, `is of turn ${entry.turn}, which does not run`)
  }

  #callAt(entry: Entry, place: CallPlace): KnownCall {
    const at = nameOf(place)
    const known = this.#calls.get(at)
    if (!known) this.#wrong(entry, `speaks of call ${at}, which nobody made`)
    return known ?? { at, step: place.step }
  }

  #wrong({ seq, kind }: Entry, what: string): void {
    this.problems.push(`${kind} at ${seq} ${what}`)
  }
}

type CallEntry = Extract<Entry, { readonly call: CallPlace }>

const speaking = new Set<Entry['kind']>(['input-admit', 'response-record', 'turn-end'])

const beforeStart = new Set<Entry['kind']>(['call-start', 'call-park', 'call-edit', 'call-decide'])

const nameOf = ({ step, index }: CallPlace): string => `${step}.${index}`

const isWaiting = ({ parked, approved }: KnownCall): boolean =>
  parked !== undefined && !(parked.why === 'approval' && approved)

/** What a placeholder says against what is known. */
function lieOf({ at, isStarted, parked, approved }: KnownCall, outcome: Outcome, now: number): string | undefined {
  const { status, state } = outcome
  if (status !== 'made-up') return undefined
  const isTrue = {
    'not-started': !isStarted && parked?.why !== 'agent',
    interrupted: isStarted || parked?.why === 'agent',
    unknown: isStarted || parked?.why === 'outside',
    denied: approved === false || (parked?.why === 'approval' && !isStarted),
    expired: parked?.until !== undefined && parked.until <= now,
    running: false,
  }
  return state && isTrue[state] ? undefined : `says of call ${at} that it is ${state}`
}
