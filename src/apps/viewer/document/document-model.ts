import type { Message } from '../../../core/conversation.ts'
import { invertEdits } from '../../../core/edit.ts'
import type {
  DiagnosticView,
  MessageContent,
  MessageCounts,
  MessageRow,
  MessageWindow,
  OpenedDocument,
} from '../document-service.ts'
import type { DecodedDocument } from './decoded-document.ts'
import { diagnosticsOf } from './diagnostics.ts'
import { type EditWalk, type Touches, walkEdits } from './edit-steps.ts'
import { messageContentOf } from './message-content.ts'
import { MessageOrder } from './message-order.ts'
import { partLabelsOf, previewOf, sizeOf } from './row.ts'
import { Snapshot } from './snapshot.ts'

/**
 * A decoded document as it is shown: the history before the repair, after it, and after each edit between.
 *
 * `#order` has the messages at the step `#at`, and moves to any other step by its edits. The first and the last snapshot and the most recent
 * ones are cached, since a page loads one window after the other, and shows two steps side by side.
 */
export class DocumentModel {
  readonly opened: OpenedDocument
  readonly decoded: DecodedDocument
  readonly #walkEdits: EditWalk
  readonly #found: Snapshot
  readonly #healed: Snapshot
  readonly #diagnosticsAt: {
    readonly found: ReadonlyMap<number, number[]>
    readonly healed: ReadonlyMap<number, number[]>
  }
  readonly #recent: Snapshot[] = []
  #order: MessageOrder | undefined
  #at = 0

  constructor(decoded: DecodedDocument) {
    this.decoded = decoded
    this.#found = new Snapshot(0, decoded.context(decoded.messages))
    this.#walkEdits = walkEdits(decoded.messages, decoded.repairs)
    const { steps, healed } = this.#walkEdits
    this.#healed = steps.length === 0 ? this.#found : new Snapshot(steps.length, decoded.context(healed))
    const diagnostics = diagnosticsOf(decoded, this.#found)
    this.#diagnosticsAt = {
      found: byRow(diagnostics),
      healed: byRow(diagnostics, row => {
        const message = this.#found.messages[row]
        return message && this.#healed.rowOf(message.key)
      }),
    }
    this.opened = {
      ...(decoded.format === undefined ? {} : { format: decoded.format }),
      ...(decoded.dialect === undefined ? {} : { dialect: decoded.dialect }),
      dialects: decoded.dialects,
      rows: decoded.messages.length,
      healedRows: healed.length,
      steps,
      diagnostics,
      counts: countMessages(this.#found),
    }
  }

  /** The history after the first `step` edits. */
  snapshot(step: number): Snapshot {
    const wanted = Math.min(Math.max(Math.trunc(step) || 0, 0), this.#walkEdits.steps.length)
    if (wanted === 0) return this.#found
    if (wanted === this.#healed.step) return this.#healed
    const known = this.#recent.find(snapshot => snapshot.step === wanted)
    if (known) return known
    const snapshot = new Snapshot(wanted, this.decoded.context(this.#goTo(wanted).messages))
    this.#recent.push(snapshot)
    if (this.#recent.length > recentMax) this.#recent.shift()
    return snapshot
  }

  window(step: number, from: number, to: number): MessageWindow {
    const snapshot = this.snapshot(step)
    const start = Math.max(from, 0)
    const messages = snapshot.messages.slice(start, Math.max(to, 0))
    const rows = messages.map((message, offset) => this.#row(snapshot, message, start + offset))
    return { rows, arcs: snapshot.arcsAcross(start, to) }
  }

  content(step: number, row: number): MessageContent {
    const message = this.snapshot(step).messages[row]
    return message ? messageContentOf(message, this.decoded) : { blocks: [] }
  }

  follow(step: number, row: number, to: number): number | undefined {
    const message = this.snapshot(step).messages[row]
    return message && this.snapshot(to).rowOf(message.key)
  }

  #row(snapshot: Snapshot, message: Message, index: number): MessageRow {
    const { codec } = this.decoded
    const at = message.origin === undefined ? '' : snapshot.context.format.locate(message)
    const touched = touchedBy(this.#walkEdits.touches.get(message.key), snapshot.step)
    return {
      index,
      key: message.key,
      role: message.role,
      ...(at === '' ? {} : { at }),
      words: previewOf(message, codec),
      pieces: partLabelsOf(message, slot => snapshot.callOf(index, slot), codec),
      size: sizeOf(message),
      ...(touched === undefined ? {} : { touched }),
      diagnostics: this.#diagnosticsOn(snapshot, index),
    }
  }

  #diagnosticsOn(snapshot: Snapshot, row: number): readonly number[] {
    if (snapshot === this.#found) return this.#diagnosticsAt.found.get(row) ?? []
    return snapshot === this.#healed ? (this.#diagnosticsAt.healed.get(row) ?? []) : []
  }

  #goTo(step: number): MessageOrder {
    this.#order ??= new MessageOrder(this.#found.messages)
    const { edits } = this.#walkEdits
    const path = this.#at < step ? edits.slice(this.#at, step) : invertEdits(edits.slice(step, this.#at))
    for (const edit of path) this.#order.apply(edit)
    this.#at = step
    return this.#order
  }
}

const recentMax = 4

function touchedBy(touches: Touches | undefined, step: number): MessageRow['touched'] {
  const is = (when: number | undefined): boolean => when !== undefined && when <= step
  if (is(touches?.new)) return 'new'
  if (is(touches?.moved)) return 'moved'
  return is(touches?.changed) ? 'changed' : undefined
}

/** The diagnostics by row; with `place`, those that remain, by their row after the repair. */
function byRow(
  diagnostics: readonly DiagnosticView[],
  place?: (row: number) => number | undefined,
): Map<number, number[]> {
  const rows = new Map<number, number[]>()
  for (const [index, diagnostic] of diagnostics.entries()) {
    const [first] = diagnostic.rows
    if (first === undefined || (place && diagnostic.class !== undefined)) continue
    const row = place ? place(first) : first
    if (row === undefined) continue
    const known = rows.get(row)
    if (known) known.push(index)
    else rows.set(row, [index])
  }
  return rows
}

/** Counts as `count` does, from the arcs. */
function countMessages({ messages, arcs, context }: Snapshot): MessageCounts {
  return {
    messages: messages.length,
    calls: context.pairing.calls.length,
    results: context.pairing.results.length,
    orphans: arcs.filter(({ kind, to = 0 }) => kind === 'orphan' && messages[to]?.role === 'tool').length,
    unanswered: arcs.filter(({ kind }) => kind === 'open').length,
  }
}
