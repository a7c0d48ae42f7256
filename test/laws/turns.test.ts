import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import { apply } from '../../src/core/edit.ts'
import { createHealer, heal } from '../../src/index.ts'
import { planFor } from '../../src/options.ts'
import { repairStretches, repairWhole } from '../../src/stretches.ts'
import { Survey } from '../../src/survey.ts'
import { history, validHistory } from './history.ts'
import { pairs } from './try-laws.ts'

/** Several conversations one behind another, about a third of them broken. */
function longHistory(codec: CodecId, seed: number, pieces: number): unknown[] {
  return Array.from({ length: pieces }, (_, index) => {
    const own = 7_000_000 + seed * 16 + index * 2
    return ((seed + index) % 3 === 0 ? history(codec, own) : validHistory(codec, own + 1)).messages
  }).flat()
}

describe('[L13] healing the doubtful turns gives what healing the whole gives', () => {
  let compared = 0
  test.each(pairs)('$codec for $dialect', ({ codec, dialect }) => {
    for (let seed = 0; seed < 20; seed++) {
      const messages = longHistory(codec, seed, 5)
      const plan = planFor(messages, { format: codec, for: dialect })
      const survey = new Survey(plan.codec, plan.facts)
      for (const message of messages) survey.push(message)
      const turns = repairStretches(messages, survey.stretches(), survey.cuts, plan)
      if (!turns) continue
      compared++
      const whole = repairWhole(messages, plan)
      expectSame(turns.messages, whole.messages, `${codec} for ${dialect}, seed ${seed}`)
      const decoded = codecs[codec].decode(messages)
      const edits = turns.repairs.flatMap(repair => [...repair.edits])
      const applied = codecs[codec].encode(apply(decoded.messages, edits), decoded, messages)
      expectSame(applied, turns.messages, `the edits for ${codec} for ${dialect}, seed ${seed}`)
    }
  })
  test('often enough', () => expect(compared).toBeGreaterThan(200))
})

test.each(pairs)(
  '[L14] a healer gives what healing from scratch gives, at every length: $codec for $dialect',
  ({ codec, dialect }) => {
    for (let seed = 0; seed < 6; seed++) {
      const messages = longHistory(codec, seed, 3)
      const options = seed % 2 === 0 ? { for: dialect } : { for: dialect, format: codec }
      const healer = createHealer(options)
      for (const [index, message] of messages.entries()) {
        healer.push(message)
        if (index % 4 !== seed % 4 && index !== messages.length - 1) continue
        const scratch = heal(messages.slice(0, index + 1), options)
        expectSame(healer.history, scratch, `${index} of seed ${seed}`)
      }
    }
  },
)

/** Looks quickly first: to compare with words for every difference is dear. */
function expectSame(one: readonly unknown[], other: readonly unknown[], what: string): void {
  if (!isDeepStrictEqual(one, other)) expect(one, what).toEqual(other)
}
