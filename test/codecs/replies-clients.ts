import Anthropic from '@anthropic-ai/sdk'
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  type ConverseStreamOutput,
  type Message,
} from '@aws-sdk/client-bedrock-runtime'
import { type Content, GoogleGenAI, type Interactions } from '@google/genai'
import OpenAI from 'openai'
import type { CodecId, DialectId } from '../../src/index.ts'

/** One SDK that asks a strict provider, and gives back what came as it came. */
export interface Asker {
  name: string
  format: CodecId
  reader: DialectId
  model: string
  /** Whether the provider shows what it thinks. */
  thinks: boolean
  /** Arguments are objects, so that half of one does not show. */
  callsWhole?: true
  /** A malformed event of a stream is left out without a word. */
  skipsMalformed?: true
  /** An answer does not say that it is a refusal. */
  hidesRefusals?: true
  user(text: string): unknown
  /** `thinking` asks the model to think, where that is a matter of the request. */
  whole(url: string, history: unknown[], thinking: boolean): Promise<unknown>
  stream(url: string, history: unknown[], thinking: boolean): Promise<AsyncIterable<unknown>>
}

const schema = { type: 'object' as const, properties: { city: { type: 'string' as const } } }
const names = ['weather', 'time']

const openai = (url: string) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0, logLevel: 'off', timeout: 120_000 })

const chatTools = names.map(name => ({ type: 'function' as const, function: { name, parameters: schema } }))

/** Chat Completions as a provider speaks them, under its own path. */
const chat = (provider: string, reader: DialectId, model: string, thinks: boolean): Asker => ({
  name: `chat ${provider}`,
  format: 'openai-chat',
  reader,
  model,
  thinks,
  user: text => ({ role: 'user', content: text }),
  whole: (url, history) => openai(`${url}/${provider}`).chat.completions.create(chatBody(model, history)),
  stream: (url, history) =>
    openai(`${url}/${provider}`).chat.completions.create({
      ...chatBody(model, history),
      stream: true,
      stream_options: { include_usage: true },
    }),
})

const chatBody = (model: string, history: unknown[]) => ({
  model,
  messages: history as OpenAI.ChatCompletionMessageParam[],
  tools: chatTools,
})

const responses: Asker = {
  name: 'responses',
  format: 'openai-responses',
  reader: 'openai-responses',
  model: 'gpt-5',
  thinks: true,
  user: text => ({ role: 'user', content: text }),
  whole: (url, history) => openai(url).responses.create(responsesBody(history)),
  stream: (url, history) => openai(url).responses.create({ ...responsesBody(history), stream: true }),
}

const responsesBody = (history: unknown[]) => ({
  model: responses.model,
  input: history as OpenAI.Responses.ResponseInput,
  include: ['reasoning.encrypted_content' as const],
  tools: names.map(name => ({ type: 'function' as const, name, parameters: schema, strict: false })),
})

const anthropicClient = (url: string) =>
  new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0, logLevel: 'off', timeout: 120_000 })

const anthropic: Asker = {
  name: 'anthropic',
  format: 'anthropic',
  reader: 'anthropic',
  model: 'claude-opus-4-5',
  thinks: true,
  user: text => ({ role: 'user', content: text }),
  whole: (url, history, thinking) => anthropicClient(url).messages.create(anthropicBody(history, thinking)),
  stream: (url, history, thinking) =>
    anthropicClient(url).messages.create({ ...anthropicBody(history, thinking), stream: true }),
}

const anthropicBody = (history: unknown[], thinking: boolean) => ({
  model: anthropic.model,
  max_tokens: 4000,
  ...(thinking && { thinking: { type: 'enabled' as const, budget_tokens: 1024 } }),
  messages: history as Anthropic.MessageParam[],
  tools: names.map(name => ({ name, input_schema: schema })),
})

const genai = (url: string) => new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: url } })

const gemini: Asker = {
  name: 'gemini',
  format: 'gemini',
  reader: 'gemini',
  model: 'gemini-3-pro',
  thinks: true,
  callsWhole: true,
  user: text => ({ role: 'user', parts: [{ text }] }),
  whole: (url, history) => genai(url).models.generateContent(geminiBody(history)),
  stream: (url, history) => genai(url).models.generateContentStream(geminiBody(history)),
}

const geminiBody = (history: unknown[]) => ({
  model: gemini.model,
  contents: history as Content[],
  config: { tools: [{ functionDeclarations: names.map(name => ({ name, parametersJsonSchema: schema })) }] },
})

const interactions: Asker = {
  name: 'interactions',
  format: 'gemini-interactions',
  reader: 'gemini-interactions',
  model: 'gemini-3-pro',
  thinks: true,
  callsWhole: true,
  skipsMalformed: true,
  hidesRefusals: true,
  user: text => ({ type: 'user_input', content: [{ type: 'text', text }] }),
  async whole(url, history) {
    const answer = await genai(url).interactions.create({ ...interactionsBody(history), stream: false }, once)
    // The client adds what a stream does not have: a count of its own, and the response.
    const { initial_input_tokens: _, ...usage } = { initial_input_tokens: 0, ...answer.usage }
    return { ...answer, usage, sdkHttpResponse: undefined }
  },
  stream: (url, history) => genai(url).interactions.create({ ...interactionsBody(history), stream: true }, once),
}

const once = { retries: { strategy: 'none' } } as const

const interactionsBody = (history: unknown[]) => ({
  model: interactions.model,
  input: history as Interactions.Step[],
  tools: names.map(name => ({ type: 'function' as const, name, parameters: schema })),
})

const bedrock: Asker = {
  name: 'bedrock',
  format: 'bedrock',
  reader: 'bedrock',
  model: 'anthropic.claude-sonnet-4-5-v1:0',
  thinks: true,
  user: text => ({ role: 'user', content: [{ text }] }),
  whole: (url, history, thinking) => bedrockClient(url).send(new ConverseCommand(bedrockBody(history, thinking))),
  async stream(url, history, thinking) {
    const { stream } = await bedrockClient(url).send(new ConverseStreamCommand(bedrockBody(history, thinking)))
    return stream as AsyncIterable<ConverseStreamOutput>
  },
}

const bedrockClient = (url: string) => {
  const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
  return new BedrockRuntimeClient({ region: 'us-east-1', endpoint: url, credentials, maxAttempts: 1 })
}

const bedrockBody = (history: unknown[], thinking: boolean) => ({
  modelId: bedrock.model,
  messages: history as Message[],
  ...(thinking && { additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 1024 } } }),
  toolConfig: { tools: names.map(name => ({ toolSpec: { name, inputSchema: { json: schema } } })) },
})

export const askers: Asker[] = [
  chat('openai', 'openai', 'gpt-5', false),
  chat('deepseek', 'deepseek', 'deepseek-reasoner', true),
  chat('groq', 'openai', 'some-model', true),
  chat('mistral', 'mistral', 'magistral-medium', true),
  responses,
  anthropic,
  gemini,
  interactions,
  bedrock,
]
