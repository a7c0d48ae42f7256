import type { PairedCall } from '../../../core/pairing/paired-calls.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { whyOf } from '../../../doctor/store-rules.ts'
import type { Mark } from '../desk.ts'
import type { Reading } from './reading.ts'
import type { Stage } from './stage.ts'
import { keyOf } from './steps.ts'

/** What is said in the margin: what is mended, in the order of the repairs, and then what remains. */
export function marksOf({ repairs, remaining }: Reading, found: Stage): Mark[] {
  if (repairs.length + remaining.length === 0) return []
  const finder = new RowFinder(found, [...repairs, ...remaining])
  let step = 0
  const mended = repairs.map(repair => {
    const from = step
    step += repair.edits.length
    // What a doctor mends outside of messages, such as a torn line, has no edits.
    const steps = step > from ? { steps: [from, step] as const } : {}
    return { ...plain(repair), class: repair.class, ...steps, rows: finder.rowsOf(repair) }
  })
  return [...mended, ...remaining.map(left => ({ ...plain(left), rows: finder.rowsOf(left) }))]
}

function plain({ rule, severity, at, message, help, refusal, callId }: Diagnostic): Omit<Mark, 'rows'> {
  return {
    ...{ rule, severity, at, message, help },
    why: whyOf(rule),
    ...(refusal === undefined ? {} : { refusal }),
    ...(callId === undefined ? {} : { callId }),
  }
}

/**
 * Finds the rows that a diagnostic is about: where it stands, what its edits act on, and the other half of its call. Of a
 * long history only what the diagnostics name is kept.
 */
class RowFinder {
  readonly #found: Stage
  readonly #places = new Map<string, number>()
  /** The call with an id that stands in a row, or that a result in a row was meant for. */
  readonly #calls = new Map<string, PairedCall>()

  constructor(found: Stage, diagnostics: readonly Diagnostic[]) {
    this.#found = found
    const { messages, format: wire, pairing } = found.scene
    const named = new Set(diagnostics.flatMap(({ at }) => [...placesAround(at)]))
    // Several messages can have been read from one place: the first stands for it.
    const place = (name: string, row: number): void => {
      if (named.has(name) && !this.#places.has(name)) this.#places.set(name, row)
    }
    for (const [row, message] of messages.entries()) {
      place(wire.locate(message), row)
      for (const part of message.parts) place(wire.locate(message, part), row)
      if (message.origin !== undefined) place(`${wire.root}[${message.origin}]`, row)
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
    // Something is missing at a place where nothing stands: it is told in front of it.
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

  /** The rows of the call with this id and of its answer, if one of them is among the rows. */
  #halves(callId: string | undefined, rows: ReadonlySet<number>): number[] {
    if (callId === undefined) return []
    for (const row of rows) {
      const call = this.#calls.get(`${row} ${callId}`)
      if (call) return call.answer ? [call.step.position, call.answer.position] : [call.step.position]
    }
    return []
  }
}

/** A place, and the places that it is in, from the nearest on. */
function* placesAround(place: string): Generator<string> {
  for (let name = place; name !== ''; name = name.slice(0, Math.max(name.lastIndexOf('.'), 0))) yield name
}
