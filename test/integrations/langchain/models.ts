import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { ChatOpenAI } from '@langchain/openai'

export type ModelKind = 'openai' | 'openai-responses' | 'anthropic' | 'local-qwen' | 'mistral'

/** The chat models of LangChain, at the strict providers. */
export function modelAt(url: string, kind: ModelKind): BaseChatModel {
  const common = { apiKey: 'any', maxRetries: 0 }
  if (kind === 'anthropic') return new ChatAnthropic({ ...common, model: 'claude-sonnet-4-5', anthropicApiUrl: url })
  const { path, model } = {
    openai: { path: '/v1', model: 'gpt-5' },
    'openai-responses': { path: '/v1', model: 'gpt-5' },
    'local-qwen': { path: '/vllm/v1', model: 'qwen3.5-27b' },
    mistral: { path: '/mistral/v1', model: 'mistral-large-latest' },
  }[kind]
  const configuration = { baseURL: url + path }
  return new ChatOpenAI({ ...common, model, configuration, useResponsesApi: kind === 'openai-responses' })
}
