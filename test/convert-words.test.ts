import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../src/codecs/index.ts'
import { convert, type Repair } from '../src/index.ts'
import { wordsIn } from './laws/random.ts'
import { richHistory } from './rich-history.ts'

const formats = Object.keys(codecs) as CodecId[]
const seeds = Array.from({ length: 60 }, (_, seed) => seed)

describe.each(formats)('every word of a rich %s history', from => {
  test.each(formats.filter(to => to !== from))('[V8] is in the converted history or in the report: to %s', to => {
    for (const seed of seeds) {
      const history = richHistory(from, seed)
      const told: Repair[] = []
      const there = convert(history, { from, to, onRepair: ({ repairs }) => told.push(...repairs) })
      const known = new Set(wordsIn([JSON.stringify([there, told])]))
      const lost = wordsIn([JSON.stringify(history)]).filter(word => !known.has(word))
      expect(lost, `seed ${seed}: ${JSON.stringify(history)}`).toEqual([])
    }
  })
})
