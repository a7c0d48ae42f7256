import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { files, root } from '../repository.ts'
import { seedsOf, triesAll } from '../sample.ts'
import { keepQuiet } from './quiet.ts'
import type { Translator } from './translator.ts'
import { healed, outcomeOf, translators, tryHistory } from './trial.ts'

/** For each SDK; `npm run fuzz` tries a great many more. */
const runs = 120
const first = 40_000_000

beforeAll(() => {
  keepQuiet(vi.spyOn(console, 'warn'))
})

describe.each(translators)('$name', translator => {
  test('[NH5] sends what its provider accepts once it is healed, and healing breaks nothing that was accepted', async () => {
    const rejected: string[] = []
    let accepted = 0
    for (const index of seedsOf(runs, 40)) {
      const seed = first + index
      const { was, is } = await tryHistory(translator, seed)
      if (was === 'accepted') accepted++
      if (is !== 'accepted')
        rejected.push(`seed ${seed}, ${was === 'accepted' ? 'accepted before' : 'rejected before'}: ${is}`)
    }
    expect(rejected).toEqual([])
    // For some SDKs only a few are.
    if (triesAll) expect(accepted).toBeGreaterThan(0)
  })

  const cases = findingsOf(translator)
  if (cases.length > 0)
    test.each(cases)(
      '[NH6] sends what its provider accepts of a history that was once made worse: $id',
      async finding => {
        const history = translator.itemsOf?.(finding.history) ?? finding.history
        expect(await outcomeOf(translator, healed(translator, history))).toBe('accepted')
      },
    )
})

interface Finding {
  readonly id: string
  readonly kind: string
  readonly format: string
  readonly for: string
  readonly history: unknown[]
}

/** The cases of `test/findings` that this SDK writes for this provider. */
function findingsOf({ format, dialect }: Translator): Finding[] {
  return files('test/findings/*.json')
    .map(path => JSON.parse(readFileSync(join(root, path), 'utf8')) as Finding)
    .filter(finding => finding.kind === 'heal' && finding.format === format && finding.for === dialect)
}
