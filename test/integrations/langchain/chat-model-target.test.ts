import { ChatAnthropic } from '@langchain/anthropic'
import { RunnableLambda } from '@langchain/core/runnables'
import { FakeListChatModel } from '@langchain/core/utils/testing'
import { AzureChatOpenAI, ChatOpenAI } from '@langchain/openai'
import { initChatModel } from 'langchain'
import { expect, test } from 'vitest'
import { targetOfModel } from '../../../src/integrations/langchain/chat-model-target.ts'

const openai = (model: string, baseURL?: string, more: object = {}) =>
  new ChatOpenAI({ model, apiKey: 'any', ...(baseURL === undefined ? {} : { configuration: { baseURL } }), ...more })

/** A model of a package that is not installed here, as far as it is read. */
const foreign = (type: string, more: object = {}) => ({ _llmType: () => type, ...more })

test.each([
  ['ChatOpenAI', openai('gpt-4o'), 'openai'],
  ['ChatOpenAI with the Responses API', openai('gpt-4o', undefined, { useResponsesApi: true }), 'openai-responses'],
  ['ChatOpenAI at DeepSeek', openai('deepseek-chat', 'https://api.deepseek.com/v1'), 'deepseek'],
  ['ChatOpenAI at a local server', openai('qwen3.5-27b', 'http://localhost:8000/v1'), 'qwen-template'],
  ['ChatOpenAI at a gateway', openai('anthropic/claude-opus-4.5', 'https://openrouter.ai/api/v1'), 'anthropic'],
  ['AzureChatOpenAI', azure(), 'openai'],
  ['ChatAnthropic', new ChatAnthropic({ model: 'claude-sonnet-4-5', apiKey: 'any' }), 'anthropic'],
  ['a model with tools', openai('gpt-4o').bindTools([]), 'openai'],
  ['a model with a fallback', openai('gpt-4o').withRetry(), 'openai'],
  ['a model in a sequence', openai('gpt-4o').pipe(RunnableLambda.from(message => message)), 'openai'],
  ['ChatGoogleGenerativeAI', foreign('googlegenerativeai', { model: 'gemini-3-pro' }), 'gemini'],
  ['ChatVertexAI', foreign('vertexai', { model: 'gemini-3-pro' }), 'vertex'],
  ['ChatMistralAI', foreign('mistral_ai', { model: 'mistral-large-latest' }), 'mistral'],
  ['ChatBedrockConverse', foreign('chat_bedrock_converse', { model: 'anthropic.claude' }), 'bedrock'],
  ['ChatDeepSeek', foreign('deepseek'), 'deepseek'],
  ['ChatXAI', foreign('xai'), 'xai'],
  ['ChatGroq', foreign('groq', { model: 'llama-3.3-70b' }), 'openai'],
  ['ChatOllama', foreign('ollama', { model: 'llama3.1' }), 'ollama'],
  ['ChatCohere', foreign('cohere'), 'cohere'],
  ['a model that nobody knows', new FakeListChatModel({ responses: [] }), 'lenient'],
  ['nothing', undefined, 'lenient'],
] as const)('[LC8] who reads is told by the model: %s', async (_, model, dialect) => {
  expect((await targetOfModel(model)).dialect).toBe(dialect)
})

test('[LC8] what a model is asked with may change who reads', async () => {
  const settings = { tools: [{ type: 'web_search' }] }
  expect((await targetOfModel(openai('gpt-4o'), settings)).dialect).toBe('openai-responses')
  expect((await targetOfModel(openai('gpt-4o'), { tools: [] })).dialect).toBe('openai')
})

test('[LC8] a model that is made from its name is known as well', async () => {
  const model = await initChatModel('anthropic:claude-sonnet-4-5', { apiKey: 'any' })
  expect(await targetOfModel(model)).toMatchObject({ dialect: 'anthropic', model: 'claude-sonnet-4-5' })
})

function azure() {
  const names = { azureOpenAIApiInstanceName: 'mine', azureOpenAIApiDeploymentName: 'mine' }
  return new AzureChatOpenAI({ azureOpenAIApiKey: 'any', azureOpenAIApiVersion: '2024-10-21', ...names })
}
