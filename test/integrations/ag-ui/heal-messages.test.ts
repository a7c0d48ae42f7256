import { type Event, EventType, HttpAgent, type Message, type RunAgentInput } from '@ag-ui/client'
import OpenAI from 'openai'
import { describe, expect, test, vi } from 'vitest'
import type { Report } from '../../../src/core/report.ts'
import { healAgUiMessages, healAgUiRuns } from '../../../src/integrations/ag-ui/index.ts'
import { type Strict, startStrict } from '../../../src/strict/index.ts'
import { type FailureName, failureNames, failures, healthy } from '../fetch/failures.ts'
import { toldMessages } from './said-messages.ts'
import { clientOf } from './scene.ts'
import { serve } from './serve.ts'

/** A backend as people write them: what the client sends goes to the provider, message by message. */
const naive =
  ({ url }: Strict, name: FailureName) =>
  async (request: Request): Promise<Response> => {
    const { threadId, runId, messages } = (await request.json()) as RunAgentInput
    const isLocal = name === 'system'
    const baseURL = isLocal ? `${url}/vllm/v1` : `${url}/v1`
    const client = new OpenAI({ baseURL, apiKey: 'any', maxRetries: 0, logLevel: 'off' })
    const events: Event[] = [{ type: EventType.RUN_STARTED, threadId, runId }]
    try {
      const model = isLocal ? 'qwen3.5-27b' : 'gpt-5'
      const { choices } = await client.chat.completions.create({ model, messages: messages.map(chatMessage) })
      const messageId = `answer-${runId}`
      events.push({ type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' })
      events.push({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta: choices[0].message.content ?? '-' })
      events.push({ type: EventType.TEXT_MESSAGE_END, messageId })
      events.push({ type: EventType.RUN_FINISHED, threadId, runId })
    } catch (error) {
      events.push({ type: EventType.RUN_ERROR, message: (error as Error).message })
    }
    const body = events.map(event => `data: ${JSON.stringify(event)}\n\n`).join('')
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }

function chatMessage(message: Message): OpenAI.ChatCompletionMessageParam {
  const content = message.content as string
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content }
  if (message.role !== 'assistant') return { role: message.role as 'user', content }
  const { toolCalls } = message
  return { role: 'assistant', content: content ?? null, ...(toolCalls ? { tool_calls: toolCalls } : {}) }
}

const dialectFor = (name: FailureName) => (name === 'system' ? 'qwen-template' : 'openai')

describe('[AG21] a client heals what it sends to a backend of its own', () => {
  test.each(failureNames)('[AG21] %s', async name => {
    await using strict = await startStrict({ script: ['Here.', 'There.'] })
    await using served = await serve(naive(strict, name))
    const initialMessages = toldMessages(failures[name])
    const without = clientOf(new HttpAgent({ url: served.url, initialMessages }))
    expect(await without.go()).toMatchObject({ type: 'RUN_ERROR' })
    const reports: Report[] = []
    const agent = new HttpAgent({ url: served.url, initialMessages })
    agent.use(healAgUiRuns({ for: dialectFor(name), onRepair: report => reports.push(report) }))
    const healed = clientOf(agent)
    expect(await healed.go()).toMatchObject({ type: 'RUN_FINISHED' })
    expect(reports).toHaveLength(1)
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual([
      expect.objectContaining({ status: 400 }),
      'accepted',
    ])
    expect(initialMessages, 'what the client has is not touched').toEqual(toldMessages(failures[name]))
  })
})

test('[AG21] healthy messages come back as the very same list, and broken ones keep what was not touched', () => {
  const onRepair = vi.fn()
  const messages = toldMessages(healthy)
  expect(healAgUiMessages(messages, { onRepair })).toBe(messages)
  expect(onRepair).not.toHaveBeenCalled()
  const broken = toldMessages(failures.unanswered)
  const healed = healAgUiMessages(broken, { onRepair })
  expect(onRepair).toHaveBeenCalledTimes(1)
  expect(healed).toHaveLength(4)
  for (const message of broken) expect(healed).toContain(message)
})

test('[AG21] calls that a run is about to answer stay open', async () => {
  const open = toldMessages(failures.unanswered.slice(0, 2))
  const sent: RunAgentInput[] = []
  const next = { run: (input: RunAgentInput) => void sent.push(input) } as never
  const input: RunAgentInput = { threadId: 't', runId: 'r', messages: open, tools: [], context: [] }
  const resumed = { ...input, resume: [{ interruptId: 'i', status: 'resolved' as const }] }
  const middleware = healAgUiRuns()
  middleware(resumed, next)
  expect(sent.pop()).toBe(resumed)
  middleware(input, next)
  expect(sent.pop()?.messages).toHaveLength(3)
})

test('[AG21] what cannot be healed goes on as it is, and is told; a wrong name is told at once', () => {
  const messages = null as unknown as Message[]
  expect(healAgUiMessages(messages, { onError: () => {} })).toBe(messages)
  expect(() => healAgUiRuns({ for: 'nobody' as never })).toThrow('nobody')
})
