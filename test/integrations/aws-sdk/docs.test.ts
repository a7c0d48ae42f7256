import { afterEach, expect, test, vi } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { blocksOf, runBlock } from './run-page.ts'

const blocks = blocksOf('docs/aws-sdk.md')

afterEach(() => vi.unstubAllEnvs())

test.each(blocks)('[AW11] the code of the page runs: %#', async code => {
  await using strict = await startStrict()
  vi.stubEnv('AWS_ENDPOINT_URL_BEDROCK_RUNTIME', strict.url)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'any')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'any')
  await runBlock(code)
  const asks = code.includes('client.send')
  expect(strict.requests.map(({ verdict }) => verdict)).toEqual(asks ? ['accepted'] : [])
})

test('[AW11] the page has code', () => {
  expect(blocks.length).toBe(2)
})
