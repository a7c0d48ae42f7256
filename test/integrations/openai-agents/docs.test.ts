import { setDefaultOpenAIClient, setTracingDisabled } from '@openai/agents'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { startStrict } from '../../../src/strict/index.ts'
import { blocksOf, runBlock } from '../aws-sdk/run-page.ts'

const blocks = blocksOf('docs/openai-agents.md')

test.each(blocks)('[OA12] the code of the page runs: %#', async code => {
  await using strict = await startStrict()
  setTracingDisabled(true)
  setDefaultOpenAIClient(new OpenAI({ baseURL: `${strict.url}/v1`, apiKey: 'any', maxRetries: 0 }))
  await runBlock(code)
  const asks = code.includes('runner.run')
  expect(strict.requests.map(({ verdict }) => verdict)).toEqual(asks ? ['accepted', 'accepted'] : [])
})

test('[OA12] the page has code', () => {
  expect(blocks.length).toBe(2)
})
