import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import {
  convertToModelMessages,
  generateText,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import { capture, captured, type History, type Translator, toolNames } from './translator.ts'

const options = { apiKey: 'any', fetch: capture }

type Target = Pick<Translator, 'dialect' | 'model' | 'provider' | 'api'> & { readonly language: LanguageModel }

const targets: Record<string, Target> = {
  'openai chat': {
    ...{ dialect: 'openai', model: 'gpt-5', provider: 'openai', api: 'openai-chat' },
    language: createOpenAI(options).chat('gpt-5'),
  },
  'openai responses': {
    ...{ dialect: 'openai-responses', model: 'gpt-5', provider: 'openai', api: 'openai-responses' },
    language: createOpenAI(options).responses('gpt-5'),
  },
  anthropic: {
    ...{ dialect: 'anthropic', model: 'claude-sonnet-4-5', provider: 'anthropic', api: 'anthropic' },
    language: createAnthropic(options)('claude-sonnet-4-5'),
  },
  google: {
    ...{ dialect: 'gemini', model: 'gemini-3-pro', provider: 'gemini', api: 'gemini' },
    language: createGoogle(options)('gemini-3-pro'),
  },
  mistral: {
    ...{ dialect: 'mistral', model: 'mistral-large-latest', provider: 'mistral', api: 'openai-chat' },
    language: createMistral(options)('mistral-large-latest'),
  },
  bedrock: {
    ...{ dialect: 'bedrock', model: 'anthropic.claude-sonnet-4-5-v1:0', provider: 'bedrock', api: 'bedrock' },
    language: createAmazonBedrock({ ...options, region: 'us-east-1' })('anthropic.claude-sonnet-4-5-v1:0'),
  },
}

const image = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])

async function ask(model: LanguageModel, history: History, messages: ModelMessage[]): Promise<unknown> {
  const tools: ToolSet = {}
  for (const name of toolNames(history))
    tools[name] = { inputSchema: jsonSchema({ type: 'object', properties: {} }), execute: () => 'done' }
  return generateText({
    ...{ model, messages, tools, maxRetries: 0, allowSystemInMessages: true },
    providerOptions: { anthropic: { thinking: { type: 'adaptive' } } },
    experimental_download: async asked => asked.map(() => ({ data: image, mediaType: 'image/png' })),
  })
}

/** The AI SDK with six providers, in both of its formats. */
export const aiSdk: readonly Translator[] = Object.entries(targets).flatMap(([name, { language, ...target }]) => [
  {
    ...{ name: `ai-sdk ${name}`, format: 'ai-sdk' as const, ...target },
    send: history => captured(() => ask(language, history, structuredClone(history) as unknown as ModelMessage[])),
  },
  {
    ...{ name: `ai-sdk-ui ${name}`, format: 'ai-sdk-ui' as const, ...target },
    send: history =>
      captured(async () =>
        ask(language, history, await convertToModelMessages(structuredClone(history) as unknown as never[])),
      ),
  },
])
