import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type ModelMessage, type ToolSet, type UIMessage, wrapLanguageModel } from 'ai'
import { beforeEach, expect, test } from 'vitest'
import { isRecord } from '../../../src/core/conversation.ts'
import {
  type AiSdkReport,
  healMiddleware,
  healModelMessages,
  healSteps,
  healUIMessages,
} from '../../../src/integrations/ai-sdk/index.ts'
import { modelDialect } from '../../../src/integrations/ai-sdk/model-dialect.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { history, validHistory } from '../../laws/history.ts'
import { failures, healthy } from '../fetch/failures.ts'
import { modelMessages } from './said.ts'

beforeEach(() => {
  globalThis.AI_SDK_LOG_WARNINGS = false
})

const names = ['search', 'read_file', 'edit-file', 'bash', 'get_forecast', 'query_db', 'book']
const tools: ToolSet = Object.fromEntries(
  names.map(name => [name, { inputSchema: jsonSchema({}), execute: () => 'ran' }]),
)

test('[AI4] on random histories, whatever the library can read is accepted', async () => {
  await using strict = await startStrict({ script: () => 'Done.' })
  const models = [
    createOpenAI({ baseURL: `${strict.url}/v1`, apiKey: 'any' }).chat('gpt-5'),
    createOpenAI({ baseURL: `${strict.url}/qwen-template/v1`, apiKey: 'any' }).chat('qwen3.5-27b'),
  ]
  let changed = 0
  for (const model of models) {
    const onRepair = () => void changed++
    const onError = (error: unknown) => expect.fail(String(error))
    const wrapped = wrapLanguageModel({ model, middleware: healMiddleware({ onError }) })
    for (let seed = 0; seed < 120; seed++) {
      const messages = history('ai-sdk', seed).messages as ModelMessage[]
      if (!messages.every(isWhole)) continue
      const healed = healModelMessages(messages, { model, onRepair, onError })
      const asking = generateText({
        model: wrapped,
        tools,
        messages: healed,
        allowSystemInMessages: true,
        maxRetries: 0,
      })
      await asking.catch(error => expect(error, `seed ${seed}`).not.toMatchObject({ name: 'AI_APICallError' }))
    }
  }
  expect(strict.requests.length).toBeGreaterThan(60)
  expect(changed).toBeGreaterThan(40)
  expect(strict.requests.filter(({ verdict }) => verdict !== 'accepted')).toEqual([])
})

/** Whether a message is in the library's present shape, with nothing in it that has to be fetched. */
function isWhole(message: unknown): boolean {
  const { role, content } = (message ?? {}) as { role?: string; content?: unknown }
  if (!['system', 'user', 'assistant', 'tool'].includes(role ?? '')) return false
  if (!Array.isArray(content)) return typeof content === 'string'
  return content.every(
    part =>
      isRecord(part) && !('args' in part) && !('result' in part) && !['image', 'file'].includes(String(part.type)),
  )
}

test.each([
  ['openai.chat', 'gpt-5', 'openai'],
  ['openai.responses', 'gpt-5', 'openai-responses'],
  ['openai.completion', 'gpt-3.5-turbo-instruct', 'lenient'],
  ['azure.responses', 'my-deployment', 'openai-responses'],
  ['azure-openai.chat', 'my-deployment', 'openai'],
  ['anthropic.messages', 'claude-opus-4-5', 'anthropic'],
  ['vertex.anthropic.messages', 'claude-opus-4-5', 'anthropic'],
  ['google.generative-ai', 'gemini-2.5-pro', 'gemini'],
  ['google.vertex.chat', 'gemini-2.5-pro', 'vertex'],
  ['amazon-bedrock', 'anthropic.claude-sonnet-4-5-v1:0', 'bedrock'],
  ['mistral.chat', 'mistral-large-latest', 'mistral'],
  ['deepseek.chat', 'deepseek-chat', 'deepseek'],
  ['xai.responses', 'grok-4', 'xai'],
  ['cohere.chat', 'command-a-03-2025', 'cohere'],
  ['moonshotai.chat', 'kimi-k2', 'moonshot'],
  ['alibaba.chat', 'qwen-max', 'qwen'],
  ['groq.chat', 'llama-3.3-70b-versatile', 'openai'],
  ['gateway', 'anthropic/claude-opus-4.5', 'anthropic'],
  ['openrouter', 'mistralai/mistral-large', 'mistral'],
  ['openai.chat', 'qwen3.5-27b', 'qwen-template'],
  ['lmstudio.chat', 'my-own', 'openai'],
  ['mock-provider', 'mock-model', 'lenient'],
])('[AI5] %s with %s has the dialect %s', (provider, modelId, reader) => {
  expect(modelDialect({ provider, modelId })).toBe(reader)
})

test('[AI5] `for` takes precedence over the provider', async () => {
  const reports: AiSdkReport[] = []
  const { transformParams } = healMiddleware({ for: 'mistral', onRepair: report => reports.push(report) })
  await transformParams({ type: 'generate', params: { prompt: asPrompt(failures.orphan) }, model })
  expect(reports).toMatchObject([{ dialect: 'mistral', model: 'gpt-5', changed: true }])
  expect(reports[0].repairs.map(({ rule }) => rule)).toContain('orphan-result')
})

test('[AI6] responses to approvals of a provider stay in their places', async () => {
  const answer = { type: 'tool-approval-response', approvalId: 'mcpr_1', approved: true }
  const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'run', input: {} }
  const asked = { role: 'user', content: [{ type: 'text', text: 'Run both.' }] }
  const waiting = { role: 'assistant', content: [{ ...call, toolCallId: 'mcp_1', providerExecuted: true }] }
  const whole = [asked, waiting, { role: 'tool', content: [answer] }]
  expect(await promptAfter(whole)).toBe(whole)
  const broken = [
    asked,
    { role: 'assistant', content: [...waiting.content, call] },
    { role: 'tool', content: [answer] },
  ]
  const healed = await promptAfter(broken)
  expect(healed).toMatchObject([
    asked,
    { role: 'assistant' },
    { role: 'tool', content: [{ toolCallId: 'call_1' }, answer] },
  ])
})

test('[AI7] a healed prompt has the form that models accept', async () => {
  const user = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
  const prompt = [
    { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
    user,
    { role: 'system', content: 'Be brief.' },
  ]
  const healed = await promptAfter(prompt, { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5' })
  expect(healed).toMatchObject([
    { role: 'system', content: 'Be brief.' },
    { role: 'user' },
    { role: 'assistant' },
    user,
  ])
  for (const { role, content } of healed as { role: string; content: unknown }[])
    expect(Array.isArray(content)).toBe(role !== 'system')
})

test('[AI8] a side question without tools is answered, and so is one whose thinking was lost', async () => {
  await using strict = await startStrict({ script: () => 'Done.' })
  const anthropic = createAnthropic({ baseURL: `${strict.url}/v1`, apiKey: 'any' })('claude-sonnet-4-5')
  const healing = wrapLanguageModel({ model: anthropic, middleware: healMiddleware() })
  const messages: ModelMessage[] = modelMessages(healthy)
  const thinking = { anthropic: { thinking: { type: 'enabled' as const, budgetTokens: 1024 } } }
  const asked = { providerOptions: thinking, tools: { run: tools.bash } }
  // The library writes what the user says after the results into one message with them.
  const noted: ModelMessage[] = [...messages, { role: 'user', content: 'Only in the morning.' }]
  const questions = [{ messages }, { messages, ...asked }, { messages: noted, ...asked }]
  for (const question of questions) {
    await expect(generateText({ model: anthropic, maxRetries: 0, ...question })).rejects.toThrow()
    expect((await generateText({ model: healing, maxRetries: 0, ...question })).text).toBe('Done.')
  }
  expect(strict.requests.map(({ verdict }) => (verdict === 'accepted' ? verdict : verdict.status))).toEqual([
    ...[400, 'accepted'],
    ...[400, 'accepted'],
    ...[400, 'accepted'],
  ])
})

test('[AI9] calls that another provider ran are left out where they cannot be sent', async () => {
  await using strict = await startStrict({ script: () => 'Done.' })
  const openai = createOpenAI({ baseURL: `${strict.url}/v1`, apiKey: 'any' }).chat('gpt-5')
  const search = { toolCallId: 'srvtoolu_1', toolName: 'web_search' }
  const messages: ModelMessage[] = [
    { role: 'user', content: 'What is new?' },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', ...search, input: { query: 'news' }, providerExecuted: true },
        { type: 'tool-result', ...search, output: { type: 'json', value: [] } },
        { type: 'text', text: 'Nothing.' },
      ],
    },
    { role: 'user', content: 'Really?' },
  ]
  await expect(generateText({ model: openai, messages, maxRetries: 0 })).rejects.toThrow()
  const healing = wrapLanguageModel({ model: openai, middleware: healMiddleware() })
  expect((await generateText({ model: healing, messages, maxRetries: 0 })).text).toBe('Done.')
})

test('[AI9] an empty tool result gets text if the provider requires it', async () => {
  await using strict = await startStrict({ script: () => 'Done.' })
  const bedrock = createAmazonBedrock({ baseURL: strict.url, apiKey: 'any', region: 'us-east-1' })
  const claude = bedrock('anthropic.claude-sonnet-4-5-v1:0')
  const silent: ModelMessage[] = modelMessages(
    healthy.map(said => (said.who === 'tool' ? { ...said, text: ' ' } : said)),
  )
  const question = { messages: silent, tools: { run: tools.bash }, maxRetries: 0 }
  await expect(generateText({ model: claude, ...question })).rejects.toThrow('text content blocks')
  const healing = wrapLanguageModel({ model: claude, middleware: healMiddleware() })
  expect((await generateText({ model: healing, ...question })).text).toBe('Done.')
})

test('[AI10] a healthy list is returned unchanged, with the same message objects', () => {
  for (let seed = 0; seed < 20; seed++) {
    const messages = validHistory('ai-sdk', seed).messages as ModelMessage[]
    const chat = validHistory('ai-sdk-ui', seed).messages as UIMessage[]
    expect(healModelMessages(messages)).toBe(messages)
    expect(healUIMessages(chat)).toBe(chat)
    expect(healSteps()({ messages })).toEqual({})
  }
  const broken: ModelMessage[] = modelMessages(failures.unanswered)
  const healed = healModelMessages(broken)
  expect([healed[0], healed.at(-1)]).toEqual([broken[0], broken.at(-1)])
  expect(healed[0]).toBe(broken[0])
  expect(broken).toEqual(modelMessages(failures.unanswered))
})

test('[AI10] a call that was just approved stays open: the library runs it', () => {
  const approval = { id: 'a1', approved: true }
  const part = {
    type: 'tool-run' as const,
    toolCallId: 'c1',
    input: {},
    state: 'approval-responded' as const,
    approval,
  }
  const chat: UIMessage[] = [
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'Run it.' }] },
    { id: '2', role: 'assistant', parts: [part] },
  ]
  expect(healUIMessages(chat)).toBe(chat)
})

test('[AI11] healing never causes a failure, and every change is reported', async () => {
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  const hostile = { prompt: new Proxy([], { get: () => expect.fail('unreadable') }) }
  const params = await healMiddleware({ onError }).transformParams({ type: 'stream', params: hostile, model })
  expect(params).toBe(hostile)
  expect(errors).toHaveLength(1)
  const warned = new Promise(resolve => process.once('warning', resolve))
  const broken: ModelMessage[] = modelMessages(failures.unanswered)
  const healed = healModelMessages(broken, { onRepair: () => expect.fail('the listener fails') })
  expect(healed).not.toBe(broken)
  expect(await warned).toMatchObject({ message: 'the listener fails' })
  const odd = 'not a list' as unknown as ModelMessage[]
  expect(healModelMessages(odd)).toBe(odd)
})

test('[AI12] an unknown name is rejected before any request', () => {
  const wrong = { for: 'opnai' as 'openai' }
  for (const make of [() => healMiddleware(wrong), () => healModelMessages([], wrong), () => healUIMessages([], wrong)])
    expect(make).toThrow(expect.objectContaining({ code: 'unknown-dialect' }))
})

const model = { provider: 'openai.responses', modelId: 'gpt-5' }

const asPrompt = (said: Parameters<typeof modelMessages>[0]): unknown[] =>
  modelMessages(said).map(message =>
    message.role === 'user' ? { ...message, content: [{ type: 'text', text: message.content }] } : message,
  )

async function promptAfter(prompt: unknown[], asked = model): Promise<unknown> {
  const onError = (error: unknown) => expect.fail(String(error))
  const { transformParams } = healMiddleware({ onError })
  return (await transformParams({ type: 'generate', params: { prompt, tools: [{}] }, model: asked })).prompt
}
