import { createOpenAI } from '@ai-sdk/openai'
import * as ai7 from 'ai'
import * as ai6 from 'ai-6'
import { createOpenAI as createOpenAI6 } from 'ai-sdk-openai-3'
import { expect, test } from 'vitest'
import { convert, heal } from '../../src/index.ts'
import { healModelMessages, healUIMessages } from '../../src/integrations/ai-sdk/index.ts'
import { startStrict } from '../../src/strict/index.ts'

const approval = { id: 'approval_1', approved: false, reason: 'too dear' }
const chat = [
  { id: 'm1', role: 'user' as const, parts: [{ type: 'text' as const, text: 'Book the flight.' }] },
  {
    id: 'm2',
    role: 'assistant' as const,
    parts: [
      { type: 'tool-book' as const, toolCallId: 'call_1', state: 'approval-responded' as const, input: {}, approval },
    ],
  },
]
const next = { id: 'm3', role: 'user' as const, parts: [{ type: 'text' as const, text: 'A train, then.' }] }

const reports: unknown[] = []
const options = {
  onRepair: (report: unknown) => reports.push(report),
  onError: (error: unknown) => reports.push(error),
}

test('[SE650] a call that was just denied is left to ai 7, which tells the client so', async () => {
  await using strict = await startStrict({ script: () => 'I did not book it.' })
  const model = createOpenAI({ baseURL: `${strict.url}/v1`, apiKey: 'any' }).chat('gpt-5')
  const { convertToModelMessages, jsonSchema, streamText } = ai7
  const tools = { book: ai7.tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'booked' }) }
  const sent = await convertToModelMessages(healUIMessages(chat, options), { tools })
  const answer = streamText({ model, tools, messages: healModelMessages(sent, options) })
  const types: string[] = []
  for await (const { type } of answer.toUIMessageStream({ originalMessages: chat })) types.push(type)
  expect(types).toContain('tool-output-denied')
  expect(reports).toEqual([])
  expect(JSON.stringify(strict.requests.map(({ body }) => body))).toContain('too dear')
})

test('[SE650] a call that was just denied is left to ai 6, whose stored chat can be continued', async () => {
  await using strict = await startStrict({ script: () => 'I did not book it.' })
  const model = createOpenAI6({ baseURL: `${strict.url}/v1`, apiKey: 'any' }).chat('gpt-5')
  const { convertToModelMessages, generateText, jsonSchema, streamText } = ai6
  const tools = { book: ai6.tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'booked' }) }
  const sent = await convertToModelMessages(healUIMessages(chat, options), { tools })
  const answer = streamText({ model, tools, messages: healModelMessages(sent, options) })
  let stored: ai6.UIMessage[] = []
  const onFinish = ({ messages }: { messages: ai6.UIMessage[] }): void => {
    stored = messages
  }
  const types: string[] = []
  for await (const { type } of answer.toUIMessageStream({ originalMessages: chat, onFinish })) types.push(type)
  expect(types).toContain('tool-output-denied')
  expect(reports).toEqual([])
  const continued = await convertToModelMessages([...stored, next], { tools })
  expect((await generateText({ model, tools, messages: continued })).text).toBe('I did not book it.')
})

test('[SE650] a call whose denial the SDK does not answer any more says that it was denied', () => {
  expect(heal([...chat, next])[1]).toMatchObject({ parts: [{ state: 'output-denied', approval }] })
  expect(JSON.stringify(convert(chat, { to: 'anthropic', onRepair: () => {} }))).toContain('This call was denied')
})
