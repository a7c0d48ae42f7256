import { describe, expect, test } from 'vitest'
import { repair } from '../../src/index.ts'
import { history } from '../laws/history.ts'
import { readers, refusal } from './readers.ts'

/** How many histories each strict provider judges, and where to begin. */
const runs = Number(process.env.ANTIPHON_STRICT_RUNS ?? 2_000)
const first = Number(process.env.ANTIPHON_FUZZ_SEED ?? 2 * Math.floor(Math.random() * 100_000_000))

describe.each(readers)('$dialect in $format, judged by $provider', reader => {
  test(`${runs} healed histories from seed ${first} are accepted`, () => {
    const { dialect, format, model } = reader
    const options = { for: dialect, format, model }
    const refused: string[] = []
    for (let index = 0; index < runs && refused.length < 3; index++) {
      const seed = first + 2 * index
      const { messages, remaining } = repair(history(format, seed).messages, options)
      if (messages.length === 0 || remaining.some(({ rule }) => rule === 'unreadable-message')) continue
      const found = refusal(messages, reader)
      if (found) refused.push(`seed ${seed}: ${found.fact}: ${found.message}`)
    }
    expect(refused).toEqual([])
  })
})
