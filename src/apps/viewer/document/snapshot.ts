import type { Message } from '../../../core/conversation.ts'
import type { PairedCall } from '../../../core/pairing/paired-calls.ts'
import type { RuleContext } from '../../../core/rules/rule.ts'
import type { Arc } from '../document-service.ts'
import { arcsOf } from './arcs.ts'

/** The history after some of the edits. Arcs and rows are computed when they are first needed. */
export class Snapshot {
  readonly step: number
  readonly context: RuleContext
  #arcs: readonly Arc[] | undefined
  #rows: Map<number, number> | undefined

  constructor(step: number, context: RuleContext) {
    this.step = step
    this.context = context
  }

  get messages(): readonly Message[] {
    return this.context.messages
  }

  get arcs(): readonly Arc[] {
    this.#arcs ??= arcsOf(this.context)
    return this.#arcs
  }

  /** The arcs that start, end or pass between two rows. */
  arcsAcross(from: number, to: number): Arc[] {
    return this.arcs.filter(arc => {
      const one = arc.from ?? (arc.to as number)
      const other = arc.to ?? one
      return Math.min(one, other) < to && Math.max(one, other) >= from
    })
  }

  /** The call of the result at a row and a part index. */
  callOf(row: number, slot: number): PairedCall | undefined {
    const { results } = this.context.pairing
    let low = 0
    let high = results.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const result = results[middle]
      if (result && (result.position < row || (result.position === row && result.slot < slot))) low = middle + 1
      else high = middle
    }
    const found = results[low]
    return found?.position === row && found.slot === slot ? found.call : undefined
  }

  /** The row of a message; undefined if it is not there. */
  rowOf(key: number): number | undefined {
    this.#rows ??= new Map(this.messages.map((message, row) => [message.key, row]))
    return this.#rows.get(key)
  }
}
