import { afterEach, expect, test, vi } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { blocksOf, runBlock } from '../aws-sdk/run-page.ts'

const blocks = blocksOf('docs/ag-ui.md')

afterEach(() => vi.unstubAllEnvs())

test.each(blocks)('[AG24] the code of the page runs: %#', async code => {
  const book = { calls: [{ name: 'book', input: { to: 'Lisbon' } }] }
  await using strict = await startStrict({ script: [book, 'Booked.'] })
  vi.stubEnv('ANTHROPIC_BASE_URL', strict.url)
  vi.stubEnv('ANTHROPIC_API_KEY', 'any')
  await runBlock(code)
  const asks = code.includes('runAgent')
  expect(strict.requests.map(({ verdict }) => verdict)).toEqual(asks ? ['accepted', 'accepted'] : [])
})

test('[AG24] the page has code', () => {
  expect(blocks).toHaveLength(3)
})
