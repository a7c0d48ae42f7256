import { expect, test } from 'vitest'
import { type FetchReport, type HealFetchOptions, healFetch } from '../../../src/integrations/fetch/index.ts'
import { anthropicMessages } from './clients/anthropic.ts'
import { contents } from './clients/genai.ts'
import { chatMessages } from './clients/openai.ts'
import { failures } from './failures.ts'
import { post } from './requests.ts'

const chat = (model: string, system = false) => ({
  model,
  messages: chatMessages(failures[system ? 'system' : 'orphan']),
})
const messages = (model?: string) => ({ ...(model && { model }), messages: anthropicMessages(failures.orphan) })
const google = { contents: contents(failures.orphan) }
const converse = {
  messages: [
    { role: 'user', content: [{ text: 'Go.' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'a', name: 'run', input: {} } }] },
    { role: 'user', content: [{ text: 'Well?' }] },
  ],
}
const responses = { model: 'gpt-5', input: [{ type: 'function_call_output', call_id: 'a', output: 'b' }] }

const table: [url: string, body: object, dialect: string, format?: string][] = [
  ['https://api.openai.com/v1/chat/completions', chat('gpt-5'), 'openai', 'openai-chat'],
  ['https://eu.api.openai.com/v1/responses', responses, 'openai-responses', 'openai-responses'],
  ['https://mine.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=1', chat('x'), 'openai'],
  ['https://mine.openai.azure.com/openai/v1/responses', responses, 'openai-responses'],
  ['https://mine.services.ai.azure.com/models/chat/completions', chat('Mistral-Large-2411'), 'mistral'],
  ['https://mine.services.ai.azure.com/anthropic/v1/messages', messages('claude-opus-4-5'), 'anthropic', 'anthropic'],
  ['https://api.anthropic.com/v1/messages?beta=true', messages('claude-opus-4-5'), 'anthropic'],
  ['https://api.anthropic.com/v1/messages/count_tokens', messages('claude-opus-4-5'), 'anthropic'],
  ['https://api.anthropic.com/v1/chat/completions', chat('claude-opus-4-5'), 'anthropic', 'openai-chat'],
  [
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent?key=k',
    google,
    'gemini',
    'gemini',
  ],
  ['https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:streamGenerateContent', google, 'gemini'],
  ['https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:countTokens', google, 'gemini'],
  [
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:countTokens',
    { generateContentRequest: { model: 'models/gemini-3-pro', ...google } },
    'gemini',
  ],
  [
    'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions',
    chat('gemini-3-pro'),
    'gemini',
    'openai-chat',
  ],
  [
    'https://cloudcode-pa.googleapis.com/v1internal:generateContent',
    { model: 'gemini-3-pro', request: google },
    'gemini',
  ],
  [
    'https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/google/models/gemini-3-pro:generateContent',
    ...[google, 'vertex', 'gemini'],
  ] as [string, object, string, string],
  [
    'https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/anthropic/models/claude-opus-4-5:streamRawPredict',
    ...[messages(), 'anthropic', 'anthropic'],
  ] as [string, object, string, string],
  [
    'https://aiplatform.googleapis.com/v1/projects/p/locations/l/endpoints/openapi/chat/completions',
    ...[chat('google/gemini-3-pro'), 'gemini', 'openai-chat'],
  ] as [string, object, string, string],
  [
    'https://aiplatform.googleapis.com/v1/projects/p/locations/l/publishers/mistralai/models/mistral-medium:rawPredict',
    ...[chat('mistral-medium'), 'mistral', 'openai-chat'],
  ] as [string, object, string, string],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1/chat/completions', chat('openai.gpt-oss-120b'), 'openai'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/meta.llama3-3%3A0/converse', converse, 'bedrock', 'bedrock'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream', converse, 'bedrock'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-v2%3A1/invoke', messages(), 'anthropic'],
  ['https://api.mistral.ai/v1/chat/completions', chat('mistral-large-latest'), 'mistral'],
  ['https://api.mistral.ai/v1/agents/completions', chat('x'), 'mistral'],
  ['https://api.deepseek.com/chat/completions', chat('deepseek-chat'), 'deepseek'],
  ['https://api.deepseek.com/anthropic/v1/messages', messages('deepseek-chat'), 'deepseek', 'anthropic'],
  ['https://api.minimax.io/anthropic/v1/messages', messages('MiniMax-M2'), 'minimax'],
  ['https://api.moonshot.ai/v1/chat/completions', chat('kimi-k2-turbo'), 'moonshot'],
  ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions', chat('qwen-plus'), 'qwen'],
  ['https://api.z.ai/api/paas/v4/chat/completions', chat('glm-4.6'), 'glm'],
  ['https://api.x.ai/v1/chat/completions', chat('grok-4'), 'xai'],
  ['https://api.cohere.com/v2/chat', chat('command-a-03-2025'), 'cohere'],
  ['https://api.cohere.ai/compatibility/v1/chat/completions', chat('command-a-03-2025'), 'cohere'],
  ['https://api.groq.com/openai/v1/chat/completions', chat('qwen/qwen3-32b'), 'openai'],
  ['https://openrouter.ai/api/v1/chat/completions', chat('mistralai/mistral-large'), 'mistral'],
  ['https://openrouter.ai/api/v1/chat/completions', chat('anthropic/claude-opus-4.5'), 'anthropic'],
  ['https://openrouter.ai/api/v1/chat/completions', chat('openai/gpt-5'), 'openai'],
  ['https://gateway.ai.cloudflare.com/v1/a/b/deepseek/chat/completions', chat('any'), 'deepseek'],
  ['https://gateway.corp.example/llm/v1/chat/completions', chat('prod'), 'openai'],
  ['http://localhost:8000/v1/chat/completions', chat('Qwen/Qwen3.5-27B', true), 'qwen-template'],
  ['http://192.168.1.9:1234/v1/chat/completions', chat('gemma-3-12b'), 'gemma-template'],
  ['http://vllm:8000/v1/chat/completions', chat('meta-llama/Llama-3.3-70B-Instruct'), 'llama-template'],
  ['http://[::1]:8080/v1/chat/completions/', chat('mistral-nemo'), 'mistral-template'],
  ['http://localhost:4000/v1/messages', messages('claude-opus-4-5'), 'anthropic'],
]

test.each(table)('[H5] %s is recognised', async (url, body, dialect, format) => {
  const { report, sent } = await healed(url, body)
  expect(report?.dialect).toBe(dialect)
  if (format) expect(report?.format).toBe(format)
  expect(sent).not.toEqual(body)
})

test('[H5] `for` and `model` take precedence over the request', async () => {
  const url = 'https://api.openai.com/v1/chat/completions'
  const { report } = await healed(url, chat('gpt-5', true), { for: 'qwen-template', model: 'mine' })
  expect(report).toMatchObject({ dialect: 'qwen-template', model: 'mine' })
})

test('[H5] an unknown name is rejected at once', () => {
  expect(() => healFetch({ for: 'nobody' as never })).toThrow('unknown dialect "nobody"')
  expect(() => healFetch({ orphans: 'eat' as never })).toThrow('unknown value of orphans: "eat"')
})

test('[H8] the report contains what was done and where, without a key', async () => {
  const url =
    'https://user:secret@generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent?key=secret#s'
  const { report } = await healed(url, google)
  expect(report).toMatchObject({
    changed: true,
    repairs: [{ rule: 'orphan-result' }, ...(report?.repairs.slice(1) ?? [])],
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent',
    model: 'gemini-3-pro',
  })
  expect(report).not.toHaveProperty('refusal')
  expect(JSON.stringify(report)).not.toContain('secret')
})

async function healed(url: string, body: object, options: HealFetchOptions = {}) {
  let report: FetchReport | undefined
  let sent: unknown
  const spy: typeof fetch = async (_, init) => {
    sent = JSON.parse(String(init?.body))
    return new Response('{}')
  }
  const onRepair = (heard: FetchReport) => {
    report = heard
  }
  const onError = (error: unknown) => {
    throw error
  }
  await healFetch({ fetch: spy, onRepair, onError, ...options })(url, post(JSON.stringify(body)))
  return { report, sent }
}
