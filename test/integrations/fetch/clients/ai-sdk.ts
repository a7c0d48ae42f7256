import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, streamText, type ToolSet } from 'ai'
import type { FailureName, Said } from '../failures.ts'
import { type Client, schema, tool } from './client.ts'

type Fetch = typeof globalThis.fetch

const apiKey = 'any'

const models: Record<string, [refused: FailureName[], model: (url: string, fetch: Fetch) => LanguageModel]> = {
  'openai chat': [
    ['orphan', 'split', 'crash'],
    (url, fetch) => createOpenAI({ baseURL: `${url}/v1`, apiKey, fetch }).chat('gpt-5'),
  ],
  'openai responses': [
    ['orphan'],
    (url, fetch) => createOpenAI({ baseURL: `${url}/v1`, apiKey, fetch }).responses('gpt-5'),
  ],
  anthropic: [
    ['orphan', 'crash'],
    (url, fetch) => createAnthropic({ baseURL: `${url}/v1`, apiKey, fetch })('claude-sonnet-4-5'),
  ],
  google: [
    ['orphan', 'split', 'crash'],
    (url, fetch) => createGoogle({ baseURL: `${url}/v1beta`, apiKey, fetch })('gemini-2.5-flash'),
  ],
  bedrock: [
    ['orphan', 'crash'],
    (url, fetch) =>
      createAmazonBedrock({ baseURL: url, apiKey, region: 'us-east-1', fetch })('anthropic.claude-sonnet-4-5-v1:0'),
  ],
  mistral: [
    ['orphan', 'split', 'crash'],
    (url, fetch) => createMistral({ baseURL: `${url}/mistral/v1`, apiKey, fetch })('mistral-large-latest'),
  ],
}

export const aiSdk: Client[] = Object.entries(models).map(([name, [refused, model]]) => ({
  name: `ai-sdk ${name}`,
  refused,
  unsent: ['interrupt', 'system', 'unanswered'],
  async ask({ url, messages, stream, fetch }) {
    const tools: ToolSet = { [tool]: { inputSchema: jsonSchema(schema) } }
    const options = { model: model(url, fetch), messages: modelMessages(messages), tools, maxRetries: 0 }
    if (!stream) return generateText(options)
    let failure: unknown
    const result = streamText({
      ...options,
      onError: ({ error }) => {
        failure ??= error
      },
    })
    await result.consumeStream()
    if (failure !== undefined) throw failure
    return result.text
  },
}))

const modelMessages = (messages: readonly Said[]): ModelMessage[] =>
  messages.map(message => {
    if (message.who === 'tool') {
      const output = { type: message.isError ? ('error-text' as const) : ('text' as const), value: message.text }
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId: message.call, toolName: tool, output }] }
    }
    if (message.who !== 'assistant') return { role: message.who, content: message.text }
    const { text, call } = message
    return {
      role: 'assistant',
      content: [
        ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
        ...(call === undefined ? [] : [{ type: 'tool-call' as const, toolCallId: call, toolName: tool, input: {} }]),
      ],
    }
  })
