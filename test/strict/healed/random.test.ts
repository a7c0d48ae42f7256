import { describe, expect, test } from 'vitest'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { kinds, randomRequest } from './random-requests.ts'

const seeds = Array.from({ length: 40 }, (_, index) => 7_000 + index)

describe.each(kinds)('$name', kind => {
  test('[S10] random requests with several faults are accepted after at most one retry, and lose nothing else', async () => {
    await using strict = await startStrict({ script: () => 'Fine.', verify: true })
    let rejectedAtFirst = 0
    for (const seed of seeds) {
      const { path, body, faults, words, calls } = randomRequest(kind, seed)
      const note = `seed ${seed}: ${faults.join(', ')}`
      const init = { method: 'POST', headers: { authorization: `Bearer ${seed}` }, body: JSON.stringify(body) }
      expect((await fetch(strict.url + path, init)).status, `${note}, without healing`).toBeGreaterThanOrEqual(400)
      const from = strict.requests.length
      // What one conversation taught does not help another.
      const send = healFetch({ fetch: (...args) => fetch(...args), onRepair: () => {} })
      const answer = await send(strict.url + path, init)
      const sent = strict.requests.slice(from)
      const verdicts = sent.map(({ verdict }) => (verdict === 'accepted' ? verdict : verdict.message))
      expect.soft([answer.status, verdicts.at(-1)], `${note}: ${verdicts.join(' | ')}`).toEqual([200, 'accepted'])
      expect.soft(sent.length, note).toBeLessThanOrEqual(2)
      if (sent.length > 1) rejectedAtFirst++
      const last = sent.at(-1)?.body as Record<string, unknown>
      const text = JSON.stringify(last)
      expect
        .soft(
          words.filter(word => !new RegExp(`\\b${word}\\b`).test(text)),
          `${note}: lost words`,
        )
        .toEqual([])
      expect.soft([kind.calls(last), kind.results(last)], `${note}: calls and results`).toEqual([calls, calls])
    }
    // Both ways were taken: faults that are seen before sending, and those that only the provider sees.
    expect(rejectedAtFirst).toBeGreaterThan(0)
    expect(rejectedAtFirst).toBeLessThan(seeds.length)
  })
})
