import type { Message } from '../../../core/conversation.ts'
import type { PairedCall } from '../../../core/pairing/paired-calls.ts'
import type { RuleContext } from '../../../core/rules/rule.ts'
import type { Arc } from '../desk.ts'
import { arcsOf } from './arcs.ts'

/** The sheet after some of the edits. What is dear is worked out when it is first asked for. */
export class Stage {
  readonly step: number
  readonly scene: RuleContext
  #arcs: readonly Arc[] | undefined
  #rows: Map<number, number> | undefined

  constructor(step: number, scene: RuleContext) {
    this.step = step
    this.scene = scene
  }

  get messages(): readonly Message[] {
    return this.scene.messages
  }

  get arcs(): readonly Arc[] {
    this.#arcs ??= arcsOf(this.scene)
    return this.#arcs
  }

  /** The arcs that begin, end or pass between two rows. */
  arcsAcross(from: number, to: number): Arc[] {
    return this.arcs.filter(arc => {
      const one = arc.from ?? (arc.to as number)
      const other = arc.to ?? one
      return Math.min(one, other) < to && Math.max(one, other) >= from
    })
  }

  /** The call that a result is meant for: that in a row, at its place among the parts. */
  callOf(row: number, slot: number): PairedCall | undefined {
    const { results } = this.scene.pairing
    let low = 0
    let high = results.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const { position, slot: at } = results[middle]
      if (position < row || (position === row && at < slot)) low = middle + 1
      else high = middle
    }
    const found = results[low]
    return found?.position === row && found.slot === slot ? found.call : undefined
  }

  /** The row of a message, or undefined if it is not there. */
  rowOf(key: number): number | undefined {
    this.#rows ??= new Map(this.messages.map((message, row) => [message.key, row]))
    return this.#rows.get(key)
  }
}
