import { createOpenAI } from '@ai-sdk/openai'
import { generateText, type ModelMessage, streamText } from 'ai'
import { generateText as generateText6 } from 'ai-6'
import { createOpenAI as createOpenAI3 } from 'ai-sdk-openai-3'
import { expect, test } from 'vitest'
import { healModelMessages, healSteps } from '../../../src/integrations/ai-sdk/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { read } from '../../repository.ts'

const messages: ModelMessage[] = [
  { role: 'user', content: 'Find me a flight to Lisbon' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'search', input: { to: 'LIS' } }],
  },
  { role: 'user', content: 'Are you there?' },
]

test.each(['README.md', 'docs/ai-sdk.md'])('[C131] %s names one line for AI_MissingToolResultsError', page => {
  const named = (read(page) ?? '').split('\n').filter(line => line.includes('`AI_MissingToolResultsError`'))
  expect(named.filter(line => line.includes('`prepareStep: healSteps()`'))).toHaveLength(1)
})

test('[C131] that line fixes it, with ai 6 and 7, whole and streaming', async () => {
  await using strict = await startStrict({ provider: 'openai', script: () => 'I am here.' })
  const settings = { baseURL: `${strict.url}/v1`, apiKey: 'any' }
  const asked = { model: createOpenAI(settings).chat('gpt-5.5'), messages, maxRetries: 0 }
  const asked6 = { model: createOpenAI3(settings).chat('gpt-5.5'), messages, maxRetries: 0 } as never
  await expect(generateText(asked)).rejects.toMatchObject({ name: 'AI_MissingToolResultsError' })
  await expect(generateText6(asked6)).rejects.toMatchObject({ name: 'AI_MissingToolResultsError' })
  expect(strict.requests).toEqual([])
  const prepareStep = healSteps()
  expect((await generateText({ ...asked, prepareStep })).text).toBe('I am here.')
  expect((await generateText6({ ...(asked6 as object), prepareStep } as never)).text).toBe('I am here.')
  expect(await streamText({ ...asked, prepareStep }).text).toBe('I am here.')
  expect((await generateText({ ...asked, messages: healModelMessages(messages) })).text).toBe('I am here.')
  expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
})
