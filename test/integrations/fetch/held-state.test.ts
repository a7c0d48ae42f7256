import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { describe, expect, test } from 'vitest'
import { healRequest } from '../../../src/index.ts'
import { healFetch } from '../../../src/integrations/fetch/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { serve } from '../proxy/serving.ts'

const asked = { model: 'claude-opus-4-8', max_tokens: 100 }
const answer = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'sunny' }
const output = { type: 'function_call_output', call_id: 'call_1', output: 'sunny' }
const response = { functionResponse: { name: 'weather', response: { output: 'sunny' } } }

/** Requests that go on with what their provider holds: their calls, tools and first messages are not in them. */
const continuing: Record<string, object> = {
  'a thread': {
    ...asked,
    thread: { type: 'continue', previous_message_id: 'msg_1' },
    messages: [{ role: 'user', content: [answer] }],
  },
  'a thread, and words of the user beside the result': {
    ...asked,
    thread: { type: 'continue', previous_message_id: 'msg_1' },
    messages: [{ role: 'user', content: [answer, { type: 'text', text: 'And tomorrow?' }] }],
  },
  'a thread with nothing new': {
    ...asked,
    thread: { type: 'continue', previous_message_id: 'msg_1' },
    messages: [],
  },
  'a thread that goes on with the assistant': {
    ...asked,
    thread: { type: 'continue', previous_message_id: 'msg_1' },
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }] },
      { role: 'user', content: [answer] },
    ],
  },
  'a response': { model: 'gpt-5', previous_response_id: 'resp_1', input: [output] },
  'a conversation': { model: 'gpt-5', conversation: 'conv_1', input: [output] },
  'a conversation as an object': { model: 'gpt-5', conversation: { id: 'conv_1' }, input: [output] },
  'a stored prompt': { prompt: { id: 'pmpt_1' }, input: [output] },
  'a stored item': { model: 'gpt-5', input: [{ type: 'item_reference', id: 'fc_1' }, output] },
  'a cache': { cachedContent: 'cachedContents/1', contents: [{ role: 'user', parts: [response] }] },
  'a cache, as clients write it': {
    model: 'gemini-2.5-pro',
    contents: [{ role: 'user', parts: [response] }],
    config: { cachedContent: 'cachedContents/1' },
  },
  'an interaction': {
    model: 'gemini-3-pro',
    previous_interaction_id: 'v1_1',
    input: [{ type: 'function_result', name: 'weather', call_id: 'call_1', result: 'sunny' }],
  },
  'a prompt of Bedrock': {
    modelId: 'arn:aws:bedrock:us-east-1:111122223333:prompt/PROMPT12345:1',
    messages: [
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'weather', input: {} } }] },
      { role: 'user', content: [{ toolResult: { toolUseId: 'tooluse_1', content: [{ text: 'sunny' }] } }] },
    ],
  },
}

describe('a request that continues state stored by its provider', () => {
  test.each(Object.entries(continuing))('[NH7] is sent unchanged: %s', (_, body) => {
    const healed = healRequest(body)
    expect(healed.body).toBe(body)
    expect(healed.repairs).toEqual([])
  })

  test('[NH7] is repaired within what it contains', () => {
    const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_2', name: 'weather', input: {} }] }
    const thread = { type: 'continue', previous_message_id: 'msg_1' }
    const messages = [{ role: 'user', content: [answer] }, call, { role: 'user', content: 'Well?' }]
    const { body, repairs } = healRequest({ ...asked, thread, messages })
    expect(repairs.map(({ rule }) => rule)).toEqual(['unanswered-call'])
    expect(body.messages.slice(0, 2)).toEqual(messages.slice(0, 2))
  })

  test('[NH7] a thread that was only just opened contains nothing yet', () => {
    const request = { ...asked, thread: { type: 'create' }, messages: [{ role: 'user', content: [answer] }] }
    expect(healRequest(request).repairs.map(({ rule }) => rule)).toContain('orphan-result')
  })
})

describe('the tool runner of Anthropic’s client', () => {
  const tool = (name: string) =>
    betaTool({
      name,
      description: name,
      inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
      run: () => `${name} ran`,
    })
  const request = {
    ...asked,
    messages: [{ role: 'user' as const, content: 'Go.' }],
    tools: [tool('weather'), tool('time')],
  }

  async function run(baseURL: string, fetch: typeof globalThis.fetch, stream: boolean) {
    const client = new Anthropic({ baseURL, apiKey: 'any', maxRetries: 0, logLevel: 'off', fetch })
    const { content } = await client.beta.messages.toolRunner({ ...request, stream }).runUntilDone()
    expect(content).toMatchObject([{ text: 'Done: weather gave weather ran; time gave time ran.' }])
  }

  test.each([true, false])('[NH7] works with healing as without, streaming %s', async stream => {
    await using strict = await startStrict()
    const changed: unknown[] = []
    await run(strict.url, healFetch({ onRepair: report => changed.push(report) }), stream)
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'accepted'])
    expect(changed).toEqual([])
  })

  test.each([true, false])('[NH7] works through the proxy as without, streaming %s', async stream => {
    await using strict = await startStrict()
    const { url, reports } = await serve({ to: strict.url })
    await run(url, globalThis.fetch, stream)
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted', 'accepted', 'accepted'])
    expect(reports).toEqual([])
  })
})
