import type { ApprovalResult } from '../../../src/journal/calls/approval.ts'
import type { Settlement } from '../../../src/journal/calls/settle-call.ts'
import type { Entry, EntryData } from '../../../src/journal/entry.ts'
import { callId } from '../../../src/journal/fold.ts'
import type { Receipt } from '../../../src/journal/input/keyed-input.ts'
import type { RunEvent } from '../../../src/journal/run-event.ts'
import type { Write, WriteResult } from '../../../src/journal/stores/store.ts'

/** What somebody was told by the journal, and may rely on for ever. */
export class Acknowledged {
  readonly receipts: { readonly receipt: Receipt; readonly content: unknown }[] = []
  /** Keys that were refused for words, since other words were there under them. */
  readonly taken: { readonly thread: string; readonly key: string; readonly content: unknown }[] = []
  readonly verdicts: { readonly call: string; readonly verdict: ApprovalResult }[] = []
  readonly settlements: { readonly call: string; readonly settlement: Settlement }[] = []
  readonly interruptions: { readonly thread: string; readonly turn: number }[] = []
  readonly events: { readonly thread: string; readonly event: RunEvent }[] = []
  readonly watched: { readonly thread: string; readonly entries: readonly Entry[] }[] = []
  readonly writes: { readonly write: Write; readonly written: Extract<WriteResult, { ok: true }> }[] = []
}

/** What was acknowledged and is not there, or otherwise. */
export function lostAcknowledgements(
  name: string,
  uid: string,
  entries: readonly Entry[],
  acknowledged: Acknowledged,
): string[] {
  const log = new LogIndex(uid, entries)
  const isHere = ({ thread }: { readonly thread: string }): boolean => thread === name
  const ofCall = ({ call }: { readonly call: string }): boolean => call.startsWith(`${uid}-`)
  return [
    ...acknowledged.receipts
      .filter(({ receipt }) => isHere(receipt))
      .flatMap(({ receipt, content }) => log.receipt(receipt, content)),
    ...acknowledged.taken.filter(isHere).flatMap(({ key, content }) => log.taken(key, content)),
    ...acknowledged.verdicts.filter(ofCall).flatMap(({ call, verdict }) => log.verdict(call, verdict)),
    ...acknowledged.settlements.filter(ofCall).flatMap(({ call, settlement }) => log.settlement(call, settlement)),
    ...acknowledged.interruptions.filter(isHere).flatMap(({ turn }) => log.interruption(turn)),
    ...acknowledged.events.filter(isHere).flatMap(({ event }) => log.event(event)),
    ...acknowledged.watched.filter(isHere).flatMap(({ entries }) => log.watched(entries)),
  ]
}

/** Whether the entries that a store has acknowledged are in the log, word for word and in their place. */
export function lostWrites(thread: number, entries: readonly Entry[], { writes }: Acknowledged): string[] {
  return writes.flatMap(({ write, written: { head, epoch, at } }) => {
    if (write.thread !== thread) return []
    const first = head - write.entries.length
    return write.entries.flatMap((entry, index) => {
      const [stored, told] = [entries[first + index], { ...entry, seq: first + index + 1, at, epoch }]
      if (isEqual(stored, told)) return []
      return [`${JSON.stringify(told)} was acknowledged, and there stands ${JSON.stringify(stored)}`]
    })
  })
}

class LogIndex {
  readonly #uid: string
  readonly #entries: readonly Entry[]

  constructor(uid: string, entries: readonly Entry[]) {
    this.#uid = uid
    this.#entries = entries
  }

  receipt({ key, seq }: Receipt, content: unknown): string[] {
    const entry = this.#entries[seq - 1]
    const isThere = entry?.kind === 'input-submit' && isEqual(entry.content, content) && entry.key === key
    return isThere
      ? []
      : [`the receipt of ${JSON.stringify(content)} under ${key} names ${seq}, where it does not stand`]
  }

  taken(key: string, content: unknown): string[] {
    const isTaken = this.#entries.some(
      entry => entry.kind === 'input-submit' && entry.key === key && !isEqual(entry.content, content),
    )
    return isTaken ? [] : [`${JSON.stringify(content)} was refused, since ${key} was taken, and it is not`]
  }

  verdict(call: string, { isFirst, status }: ApprovalResult): string[] {
    const decided = this.#of(call, 'call-decide')
    const outcome = this.#of(call, 'call-settle')?.outcome
    const isTrue = {
      approved: decided?.approved === true,
      denied: outcome?.state === 'denied' && (!isFirst || decided?.approved === false),
      expired: outcome?.state === 'expired',
      started: this.#of(call, 'call-start') !== undefined || this.#isAgents(call),
      settled: outcome !== undefined,
    }
    return isTrue[status] ? [] : [`it was said of ${call} that it is ${status}, and it is not`]
  }

  settlement(call: string, { isFirst, isLate, outcome }: Settlement): string[] {
    const kinds: Entry['kind'][] = isFirst ? [isLate ? 'call-late' : 'call-settle'] : ['call-settle', 'call-late']
    const isThere = this.#entries.some(
      entry =>
        (entry.kind === 'call-settle' || entry.kind === 'call-late') &&
        kinds.includes(entry.kind) &&
        callId(this.#uid, entry.call) === call &&
        isEqual(entry.outcome, outcome),
    )
    return isThere ? [] : [`${call} was said to be settled with ${JSON.stringify(outcome)}, and it is not`]
  }

  interruption(turn: number): string[] {
    const end = this.#entries.find(entry => entry.kind === 'turn-end' && entry.turn === turn)
    const isThere = this.#entries.some(entry => entry.kind === 'turn-interrupt' && entry.turn === turn)
    const isTrue = isThere && (end?.kind !== 'turn-end' || end.status === 'interrupted')
    return isTrue ? [] : [`turn ${turn} was said to be interrupted, and it is not`]
  }

  event(event: RunEvent): string[] {
    const isTrue = this.#isTrue(event)
    return isTrue ? [] : [`an event told ${JSON.stringify(event)}, which is not in the log`]
  }

  watched(seen: readonly Entry[]): string[] {
    const isSame = seen.every((entry, index) => JSON.stringify(entry) === JSON.stringify(this.#entries[index]))
    return isSame ? [] : ['somebody who watched has seen other entries than there are']
  }

  #isTrue(event: RunEvent): boolean {
    switch (event.kind) {
      case 'delta':
      case 'response-retract':
      case 'compaction-failed':
      case 'model-failed':
        return true
      case 'input':
        return this.#has('input-admit', entry => String(entry.inputs) === String(event.inputs))
      case 'response':
        return this.#has('response-record', ({ seq, calls }) =>
          event.calls.every((call, index) => calls[index] && call === callId(this.#uid, { step: seq, index })),
        )
      case 'call-start':
        return this.#of(event.call, 'call-start') !== undefined
      case 'approval-request':
      case 'outside-request':
      case 'agent-start':
        return this.#of(event.call, 'call-park') !== undefined
      case 'agent-event':
        return true
      case 'approval':
        return this.#of(event.call, 'call-decide')?.approved === event.approved
      case 'result':
        return this.settlement(event.call, { isFirst: true, isLate: event.late, outcome: event.outcome }).length === 0
      case 'turn-interrupt':
        return this.#has(event.kind, ({ turn }) => turn === event.turn) || this.#isInterruptedByInput(event.turn)
      case 'turn-end':
        return this.#has('turn-end', ({ turn, status }) => turn === event.turn && status === event.status)
      default:
        return this.#has(event.kind, ({ turn }) => turn === event.turn)
    }
  }

  /** An agent works on the call. */
  #isAgents(call: string): boolean {
    return this.#has('call-park', ({ why, call: place }) => why === 'agent' && callId(this.#uid, place) === call)
  }

  #isInterruptedByInput(turn: number): boolean {
    const bounds = this.#entries.filter(
      entry => (entry.kind === 'turn-start' || entry.kind === 'turn-end') && entry.turn === turn,
    )
    const [from = Number.NaN, to = Number.POSITIVE_INFINITY] = bounds.map(({ seq }) => seq)
    return this.#has('input-submit', ({ seq, when }) => when === 'interrupt' && seq > from && seq < to)
  }

  #has<Kind extends Entry['kind']>(kind: Kind, isIt: (entry: Extract<Entry, { kind: Kind }>) => boolean): boolean {
    return this.#entries.some(entry => entry.kind === kind && isIt(entry as Extract<Entry, { kind: Kind }>))
  }

  #of<Kind extends 'call-start' | 'call-park' | 'call-decide' | 'call-settle'>(
    call: string,
    kind: Kind,
  ): Extract<EntryData, { kind: Kind }> | undefined {
    const found = this.#entries.find(
      entry => entry.kind === kind && 'call' in entry && callId(this.#uid, entry.call) === call,
    )
    return found as Extract<Entry, { kind: Kind }> | undefined
  }
}

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other) || JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

/** Stores may give keys back in another order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
