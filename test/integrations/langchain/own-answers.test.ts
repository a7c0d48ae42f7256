import { ChatAnthropic } from '@langchain/anthropic'
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { createAgent, tool } from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { healMessages, healMiddleware, type LangChainReport } from '../../../src/integrations/langchain/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { startRecorder } from '../fetch/recorder.ts'
import { modelAt } from './models.ts'

const bash = tool(() => 'done', { name: 'bash', description: 'Runs a command.', schema: z.object({ a: z.number() }) })

test('[SE686] an empty list of calls, as some servers answer, is removed for a provider that rejects it', async () => {
  const message = { role: 'assistant', content: 'Hello.', tool_calls: [] }
  const body = JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] })
  await using server = await startRecorder({ body })
  await using strict = await startStrict({ script: ['Good.'] })
  const question = new HumanMessage('Hi.')
  const answer = await modelAt(server.url, 'openai').invoke([question])
  const messages: BaseMessage[] = [question, answer, new HumanMessage('Go on.')]
  const model = modelAt(strict.url, 'openai')
  await expect(model.invoke(messages)).rejects.toThrow('empty array')
  const reports: LangChainReport[] = []
  const healed = await healMessages(messages, { model, onRepair: report => reports.push(report) })
  expect((await model.invoke(healed)).text).toBe('Good.')
  expect(reports).toMatchObject([{ repairs: [{ rule: 'empty-calls', class: 'lossless' }], remaining: [] }])
  expect(healed[1]?.additional_kwargs).not.toHaveProperty('tool_calls')
  expect(await healMessages(healed, { model })).toBe(healed)
  expect(await healMessages(messages, { for: 'lenient' })).toBe(messages)
})

test.each([false, true])(
  '[SE687] pieces of calls in streamed answers with outputVersion v1 are not sent as calls, thinking %s',
  async thinks => {
    const calls = [1, 2].map(a => ({ name: 'bash', input: { a } }))
    const first = { text: 'Running.', calls, ...(thinks ? { thinking: 'Hm.' } : {}) }
    const thinking = thinks ? { thinking: { type: 'enabled' as const, budget_tokens: 1024 }, maxTokens: 4096 } : {}
    const ask = async (isHealed: boolean) => {
      await using strict = await startStrict({ provider: 'anthropic', script: [first, 'Good.'] })
      const options = { apiKey: 'any', maxRetries: 0, model: 'claude-sonnet-4-5', anthropicApiUrl: strict.url }
      const model = new ChatAnthropic({ ...options, ...thinking, outputVersion: 'v1', streaming: true })
      const middleware = isHealed ? [healMiddleware({ onRepair() {} })] : []
      const agent = createAgent({ model, tools: [bash], middleware })
      await agent.invoke({ messages: [new HumanMessage('Run both.')] }).catch(() => {})
      return strict.requests
    }
    expect((await ask(false)).at(-1)?.verdict).toMatchObject({ status: 400 })
    const [, request] = await ask(true)
    expect(request?.verdict).toBe('accepted')
    const { messages = [] } = (request?.body ?? {}) as { messages?: { content: { type: string; input?: unknown }[] }[] }
    const uses = messages[1]?.content.filter(({ type }) => type === 'tool_use')
    expect(uses?.map(({ input }) => input)).toEqual([{ a: 1 }, { a: 2 }])
  },
)
