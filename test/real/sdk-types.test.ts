import type Anthropic from '@anthropic-ai/sdk'
import type { Content, GenerateContentParameters } from '@google/genai'
import type OpenAI from 'openai'
import { expect, test } from 'vitest'
import { createHealer, heal, healRequest, repair, trim } from '../../src/index.ts'

/** What is healed has the type that went in, so that the official libraries take it: the compiler is the judge here. */

test('a history of the openai library, and a request', () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Find me a flight.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'search', arguments: '{}' } }],
    },
  ]
  const body: OpenAI.ChatCompletionCreateParamsNonStreaming = {
    model: 'gpt-5',
    messages: heal(messages, { for: 'openai' }),
  }
  const healed: OpenAI.ChatCompletionCreateParamsNonStreaming = healRequest({ ...body, messages }).body
  expect(healed.messages).toEqual(body.messages)
  expect(repair(messages).messages.at(-1)?.role).toBe('tool')

  const input: OpenAI.Responses.ResponseInputItem[] = [
    { role: 'user', content: 'Find me a flight.' },
    { type: 'function_call', call_id: 'call_1', name: 'search', arguments: '{}' },
  ]
  const request: OpenAI.Responses.ResponseCreateParams = { model: 'gpt-5', input: heal(input) }
  expect(request.input).toHaveLength(3)
})

test('a history of the Anthropic library, and a request', () => {
  const messages: Anthropic.MessageParam[] = [
    { role: 'user', content: 'Find me a flight.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'search', input: {} }] },
  ]
  const body: Anthropic.MessageCreateParamsNonStreaming = {
    model: 'claude-sonnet-4-5',
    max_tokens: 64,
    tools: [{ name: 'search', input_schema: { type: 'object' } }],
    messages: heal(messages),
  }
  const healed: Anthropic.MessageCreateParamsNonStreaming = healRequest({ ...body, messages }).body
  expect(healed.messages).toEqual(body.messages)
  expect(body.messages).toHaveLength(3)
})

test('contents of the Google library, and a request', () => {
  const contents: Content[] = [
    { role: 'user', parts: [{ text: 'Find me a flight.' }] },
    { role: 'model', parts: [{ functionCall: { name: 'search', args: {} } }] },
  ]
  const body: GenerateContentParameters = { model: 'gemini-2.5-pro', contents: heal(contents) }
  const healed: GenerateContentParameters = healRequest({ ...body, contents }).body
  expect(healed.contents).toEqual(body.contents)
  expect(body.contents).toHaveLength(3)
})

test('a cut history keeps its type, and one that grows takes any', () => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'user', content: 'Hello.' },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: 'Where to?' },
  ]
  const cut: OpenAI.ChatCompletionMessageParam[] = trim(messages, { maxMessages: 1 })
  expect(cut).toEqual([messages[2]])
  const growing = createHealer({ for: 'openai' })
  growing.push(...messages)
  expect(growing.history).toEqual(messages)
})
