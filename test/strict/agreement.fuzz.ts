import { describe, expect, test } from 'vitest'
import { heal } from '../../src/index.ts'
import { history } from '../laws/history.ts'
import { readable } from './readable.ts'
import { readers, refusal } from './readers.ts'
import { isUnknowable } from './unknowable.ts'

/** How many histories each strict provider judges, by turns corrupted conversations and free-form ones, and where to begin. */
const runs = Number(process.env.ANTIPHON_STRICT_RUNS ?? 2_000)
const first = Number(process.env.ANTIPHON_FUZZ_SEED ?? Math.floor(Math.random() * 200_000_000))

describe.each(readers)('$dialect in $format, judged by $provider', reader => {
  test(`${runs} healed histories from seed ${first} are accepted`, () => {
    const { dialect, format, model } = reader
    const options = { for: dialect, format, model }
    const refused: string[] = []
    for (let index = 0; index < runs && refused.length < 3; index++) {
      const seed = first + index
      const healed = heal(readable(history(format, seed).messages, reader), options)
      const found = healed.length > 0 ? refusal(healed, reader) : undefined
      if (found && !isUnknowable(found)) refused.push(`seed ${seed}: ${found.fact}: ${found.message}`)
    }
    expect(refused).toEqual([])
  })
})
