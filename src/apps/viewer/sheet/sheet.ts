import { invertEdits } from '../../../core/edit.ts'
import type { Content, Mark, Opened, Row, SheetWindow, Tally } from '../desk.ts'
import { contentOf } from './content.ts'
import { marksOf } from './marks.ts'
import { Order } from './order.ts'
import type { Reading } from './reading.ts'
import { piecesOf, sizeOf, wordsOf } from './row.ts'
import { Stage } from './stage.ts'
import { type Touches, type Walk, walk } from './steps.ts'

/**
 * A document that was read, as it is drawn: the sheet as it was found, as it is healed, and after each edit between.
 *
 * `#order` stands at the step `#at` and walks from there to any other. Both ends, and the last stages that were asked for,
 * are kept, since a page asks for one window after the other, and for two steps side by side.
 */
export class Sheet {
  readonly opened: Opened
  readonly reading: Reading
  readonly #walk: Walk
  readonly #found: Stage
  readonly #healed: Stage
  readonly #marksAt: { readonly found: ReadonlyMap<number, number[]>; readonly healed: ReadonlyMap<number, number[]> }
  readonly #recent: Stage[] = []
  #order: Order | undefined
  #at = 0

  constructor(reading: Reading) {
    this.reading = reading
    this.#found = new Stage(0, reading.scene(reading.messages))
    this.#walk = walk(reading.messages, reading.repairs)
    const { steps, healed } = this.#walk
    this.#healed = steps.length === 0 ? this.#found : new Stage(steps.length, reading.scene(healed))
    const marks = marksOf(reading, this.#found)
    this.#marksAt = {
      found: byRow(marks),
      healed: byRow(marks, row => this.#healed.rowOf(this.#found.messages[row].key)),
    }
    this.opened = {
      ...(reading.shape === undefined ? {} : { shape: reading.shape }),
      ...(reading.reader === undefined ? {} : { reader: reading.reader }),
      readers: reading.readers,
      rows: reading.messages.length,
      healedRows: healed.length,
      steps,
      marks,
      counts: tally(this.#found),
    }
  }

  /** The sheet after the first so many edits. */
  stage(step: number): Stage {
    const wanted = Math.min(Math.max(Math.trunc(step) || 0, 0), this.#walk.steps.length)
    if (wanted === 0) return this.#found
    if (wanted === this.#healed.step) return this.#healed
    const known = this.#recent.find(stage => stage.step === wanted)
    if (known) return known
    const stage = new Stage(wanted, this.reading.scene(this.#goTo(wanted).messages))
    this.#recent.push(stage)
    if (this.#recent.length > recentMax) this.#recent.shift()
    return stage
  }

  window(step: number, from: number, to: number): SheetWindow {
    const stage = this.stage(step)
    const start = Math.max(from, 0)
    const rows = stage.messages.slice(start, Math.max(to, 0)).map((_, offset) => this.#row(stage, start + offset))
    return { rows, arcs: stage.arcsAcross(start, to) }
  }

  content(step: number, row: number): Content {
    const message = this.stage(step).messages[row]
    return message ? contentOf(message, this.reading) : { blocks: [] }
  }

  follow(step: number, row: number, to: number): number | undefined {
    const message = this.stage(step).messages[row]
    return message && this.stage(to).rowOf(message.key)
  }

  #row(stage: Stage, index: number): Row {
    const message = stage.messages[index]
    const { codec } = this.reading
    const at = message.origin === undefined ? '' : stage.scene.format.locate(message)
    const touched = touchedBy(this.#walk.touches.get(message.key), stage.step)
    return {
      index,
      key: message.key,
      role: message.role,
      ...(at === '' ? {} : { at }),
      words: wordsOf(message, codec),
      pieces: piecesOf(stage, index, codec),
      size: sizeOf(message),
      ...(touched === undefined ? {} : { touched }),
      marks: this.#marksOn(stage, index),
    }
  }

  #marksOn(stage: Stage, row: number): readonly number[] {
    if (stage === this.#found) return this.#marksAt.found.get(row) ?? []
    return stage === this.#healed ? (this.#marksAt.healed.get(row) ?? []) : []
  }

  #goTo(step: number): Order {
    this.#order ??= new Order(this.#found.messages)
    const { edits } = this.#walk
    const path = this.#at < step ? edits.slice(this.#at, step) : invertEdits(edits.slice(step, this.#at))
    for (const edit of path) this.#order.apply(edit)
    this.#at = step
    return this.#order
  }
}

const recentMax = 4

function touchedBy(touches: Touches | undefined, step: number): Row['touched'] {
  const is = (when: number | undefined): boolean => when !== undefined && when <= step
  if (is(touches?.new)) return 'new'
  if (is(touches?.moved)) return 'moved'
  return is(touches?.changed) ? 'changed' : undefined
}

/** The marks by the row where they stand; with `place`, those that remain, by the row that is theirs at the end. */
function byRow(marks: readonly Mark[], place?: (row: number) => number | undefined): Map<number, number[]> {
  const rows = new Map<number, number[]>()
  for (const [index, mark] of marks.entries()) {
    const [first] = mark.rows
    if (first === undefined || (place && mark.class !== undefined)) continue
    const row = place ? place(first) : first
    if (row === undefined) continue
    const known = rows.get(row)
    if (known) known.push(index)
    else rows.set(row, [index])
  }
  return rows
}

/** As `count` counts, by the arcs. */
function tally({ messages, arcs, scene }: Stage): Tally {
  return {
    messages: messages.length,
    calls: scene.pairing.calls.length,
    results: scene.pairing.results.length,
    orphans: arcs.filter(({ kind, to = 0 }) => kind === 'orphan' && messages[to].role === 'tool').length,
    unanswered: arcs.filter(({ kind }) => kind === 'open').length,
  }
}
