import { expect, test, vi } from 'vitest'
import { keepQuiet } from './quiet.ts'
import { translators, tryHistory } from './trial.ts'

/**
 * Random histories through the real SDKs, judged by the strict providers. `ANTIPHON_TRANSLATOR_RUNS` says how many,
 * `ANTIPHON_FUZZ_SEED` where to begin; without it every run begins somewhere else.
 */
const runs = Number(process.env.ANTIPHON_TRANSLATOR_RUNS ?? 100_000)
const first = Number(process.env.ANTIPHON_FUZZ_SEED ?? Math.floor(Math.random() * 100_000_000))

test(`${runs} healed histories from seed ${first} are accepted`, async () => {
  keepQuiet(vi.spyOn(console, 'warn'))
  const wrong: string[] = []
  const counts = new Map<string, { tried: number; before: number; after: number; harmed: number }>()
  for (let index = 0; index < runs; index++) {
    const translator = translators[index % translators.length]
    const seed = first + Math.floor(index / translators.length)
    const count = counts.get(translator.name) ?? { tried: 0, before: 0, after: 0, harmed: 0 }
    counts.set(translator.name, count)
    const { was, is } = await tryHistory(translator, seed)
    count.tried++
    if (was === 'accepted') count.before++
    if (is === 'accepted') count.after++
    else wrong.push(`${translator.name}, seed ${seed}: ${is}`)
    if (was === 'accepted' && is !== 'accepted') count.harmed++
    if (index % 5_000 === 4_999) process.stdout.write(`${index + 1} histories, ${wrong.length} rejected\n`)
  }
  console.table(Object.fromEntries(counts))
  expect(wrong.slice(0, 20)).toEqual([])
})
