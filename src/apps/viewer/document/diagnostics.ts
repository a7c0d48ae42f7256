import type { PairedCall } from '../../../core/pairing/paired-calls.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { whyOf } from '../../../doctor/store-rules.ts'
import type { DiagnosticView } from '../document-service.ts'
import type { DecodedDocument } from './decoded-document.ts'
import { keyOf } from './edit-steps.ts'
import type { Snapshot } from './snapshot.ts'

/** The diagnostics in the margin: those that are repaired, in the order of the repairs, and then those that remain. */
export function diagnosticsOf({ repairs, remaining }: DecodedDocument, found: Snapshot): DiagnosticView[] {
  if (repairs.length + remaining.length === 0) return []
  const finder = new RowFinder(found, [...repairs, ...remaining])
  let step = 0
  const repaired = repairs.map(repair => {
    const from = step
    step += repair.edits.length
    // Repairs outside of messages, such as of a torn line, have no edits.
    const steps = step > from ? { steps: [from, step] as const } : {}
    return { ...plain(repair), class: repair.class, ...steps, rows: finder.rowsOf(repair) }
  })
  return [...repaired, ...remaining.map(left => ({ ...plain(left), rows: finder.rowsOf(left) }))]
}

function plain({ rule, severity, at, message, help, refusal, callId }: Diagnostic): Omit<DiagnosticView, 'rows'> {
  return {
    ...{ rule, severity, at, message, help },
    why: whyOf(rule),
    ...(refusal === undefined ? {} : { refusal }),
    ...(callId === undefined ? {} : { callId }),
  }
}

/**
 * Finds the rows that a diagnostic is about: the row of its path, the rows of its edits, and the call or result that belongs to it. Of a
 * long history only the paths in diagnostics are indexed.
 */
class RowFinder {
  readonly #found: Snapshot
  readonly #places = new Map<string, number>()
  /** The call of a row and an id: a call in this row, or the call of a result in this row. */
  readonly #calls = new Map<string, PairedCall>()

  constructor(found: Snapshot, diagnostics: readonly Diagnostic[]) {
    this.#found = found
    const { messages, format, pairing } = found.context
    const named = new Set(diagnostics.flatMap(({ at }) => [...placesAround(at)]))
    // Several messages can have the same path: the first one is used.
    const place = (name: string, row: number): void => {
      if (named.has(name) && !this.#places.has(name)) this.#places.set(name, row)
    }
    for (const [row, message] of messages.entries()) {
      place(format.locate(message), row)
      for (const part of message.parts) place(format.locate(message, part), row)
      if (message.origin !== undefined) place(`${format.root}[${message.origin}]`, row)
    }
    const ids = new Set(diagnostics.map(({ callId }) => callId))
    const keep = (row: number, id: string, call: PairedCall): void => {
      if (ids.has(id)) this.#calls.set(`${row} ${id}`, call)
    }
    for (const call of pairing.calls) keep(call.step.position, call.part.id, call)
    for (const { part, position, call } of pairing.results) if (call) keep(position, part.id, call)
  }

  rowsOf(diagnostic: Diagnostic | Repair): number[] {
    const at = this.#rowAt(diagnostic.at)
    const edited = 'edits' in diagnostic ? diagnostic.edits.flatMap(edit => this.#rowOf(keyOf(edit))) : []
    const rows = new Set(at === undefined ? edited : [at, ...edited])
    // Something is missing at a place without a message: the diagnostic is shown at the message before it.
    if (rows.size === 0 && 'edits' in diagnostic)
      for (const edit of diagnostic.edits)
        if (edit.kind === 'insert') for (const row of this.#rowOf(edit.after)) rows.add(row)
    for (const row of this.#halves(diagnostic.callId, rows)) rows.add(row)
    return [...rows]
  }

  #rowAt(place: string): number | undefined {
    for (const name of placesAround(place)) {
      const row = this.#places.get(name)
      if (row !== undefined) return row
    }
    return undefined
  }

  #rowOf(key: number | undefined): number[] {
    const row = key === undefined ? undefined : this.#found.rowOf(key)
    return row === undefined ? [] : [row]
  }

  /** The rows of the call with this id and of its result, if one of them is among the rows. */
  #halves(callId: string | undefined, rows: ReadonlySet<number>): number[] {
    if (callId === undefined) return []
    for (const row of rows) {
      const call = this.#calls.get(`${row} ${callId}`)
      if (call) return call.answer ? [call.step.position, call.answer.position] : [call.step.position]
    }
    return []
  }
}

/** A path and its parent paths, from the innermost. */
function* placesAround(place: string): Generator<string> {
  for (let name = place; name !== ''; name = name.slice(0, Math.max(name.lastIndexOf('.'), 0))) yield name
}
