import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import { check, type DialectId, repair } from '../../src/index.ts'
import { seedsOf } from '../sample.ts'
import { Random } from './random.ts'
import { tryTinyScan } from './scan-law.ts'
import { tinyHistory } from './tiny-history.ts'
import { readersOf } from './try-laws.ts'

const formats = Object.keys(codecs) as CodecId[]

/** Models whose family has facts of its own. */
const models: Partial<Record<DialectId, readonly string[]>> = {
  anthropic: ['claude-opus-5'],
  bedrock: ['us.meta.llama4-maverick-17b-instruct-v1:0', 'mistral.mistral-large-2407-v1:0', 'us.deepseek.r1-v1:0'],
  gemini: ['gemini-3-pro'],
}

describe.each(formats)('tiny histories of %s', format => {
  test('[L2] are healed at once, for every provider', () => {
    for (const seed of seedsOf(150, 40)) {
      const history = tinyHistory(format, new Random(seed))
      for (const dialect of readersOf(format)) {
        for (const model of [undefined, ...(models[dialect] ?? [])]) {
          const options = { format, for: dialect, ...(model === undefined ? {} : { model }) }
          const once = repair(history, options)
          const twice = repair(once.messages, options)
          expect(twice.repairs, `seed ${seed} for ${dialect} ${model}: ${JSON.stringify(history)}`).toEqual([])
          expect(twice.messages).toBe(once.messages)
          if (once.changed) expect(check(history, options)).not.toEqual([])
        }
      }
    }
  })

  test('[L10] that the scan passes have no diagnostic', () => {
    const { passed, failure } = tryTinyScan(format, 150)
    expect(failure).toBeUndefined()
    expect(passed).toBeGreaterThan(0)
  })
})
