import { afterEach, expect, test, vi } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { blocksOf, runBlock } from '../aws-sdk/run-page.ts'

const blocks = blocksOf('docs/mastra.md')

afterEach(() => vi.unstubAllEnvs())

test.each(blocks)('[MA5] the code of the page runs: %#', async code => {
  await using strict = await startStrict()
  vi.stubEnv('OPENAI_BASE_URL', `${strict.url}/v1`)
  vi.stubEnv('OPENAI_API_KEY', 'any')
  await runBlock(code)
  const asks = code.includes('agent.generate')
  expect(strict.requests.map(({ verdict }) => verdict)).toEqual(asks ? ['accepted'] : [])
  if (asks) expect(JSON.stringify(strict.requests[0].body)).toContain('search_flights')
})

test('[MA5] the page has code', () => {
  expect(blocks.length).toBe(3)
})
