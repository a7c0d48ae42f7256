import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI, ThinkingLevel } from '@google/genai'
import { generateText, jsonSchema, type LanguageModel, type ModelMessage } from 'ai'
import OpenAI from 'openai'

/** Who is asked. */
export interface Target {
  readonly url: string
  readonly apiKey: string
  readonly model: string
}

/** A conversation as a program holds it that uses a client library: it keeps what the library gave it. */
export interface Chat {
  user(text: string): void
  /** Answers the calls of the last answer; false if it has none. */
  answer(result: string): boolean
  /** Sends all of it, and keeps the answer. */
  ask(target: Target, fetch: typeof globalThis.fetch): Promise<void>
}

export interface Library {
  readonly name: string
  /** Two models whose thinking is signed. */
  readonly models: readonly [string, string]
  open(): Chat
}

const schema = { type: 'object' as const, properties: { city: { type: 'string' as const } } }

function anthropicChat(): Chat {
  const messages: Anthropic.MessageParam[] = []
  return {
    user: content => void messages.push({ role: 'user', content }),
    answer(result) {
      const blocks = messages.at(-1)?.content as Anthropic.ContentBlockParam[]
      const content = blocks.flatMap(block =>
        block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: result }] : [],
      )
      if (content.length > 0) messages.push({ role: 'user', content })
      return content.length > 0
    },
    async ask({ url, apiKey, model }, fetch) {
      const client = new Anthropic({ baseURL: url, apiKey, maxRetries: 0, logLevel: 'off', fetch })
      const answer = await client.messages.create({
        ...{ model, max_tokens: 2048, messages },
        thinking: { type: 'enabled', budget_tokens: 1024 },
        tools: [{ name: 'weather', input_schema: schema }],
      })
      messages.push({ role: 'assistant', content: answer.content as Anthropic.ContentBlockParam[] })
    },
  }
}

function responsesChat(): Chat {
  const input: OpenAI.Responses.ResponseInputItem[] = []
  let output: OpenAI.Responses.ResponseOutputItem[] = []
  return {
    user: content => void input.push({ role: 'user', content }),
    answer(result) {
      const calls = output.filter(item => item.type === 'function_call')
      for (const { call_id } of calls) input.push({ type: 'function_call_output', call_id, output: result })
      return calls.length > 0
    },
    async ask({ url, apiKey, model }, fetch) {
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, logLevel: 'off', fetch })
      const answer = await client.responses.create({
        ...{ model, input, store: false, include: ['reasoning.encrypted_content'] },
        tools: [{ type: 'function', name: 'weather', parameters: schema, strict: false }],
      })
      output = answer.output
      input.push(...(output as OpenAI.Responses.ResponseInputItem[]))
    },
  }
}

function googleChat(): Chat {
  const contents: Content[] = []
  return {
    user: text => void contents.push({ role: 'user', parts: [{ text }] }),
    answer(result) {
      const parts = (contents.at(-1)?.parts ?? []).flatMap(({ functionCall }) =>
        functionCall ? [{ functionResponse: { name: functionCall.name ?? '', response: { output: result } } }] : [],
      )
      if (parts.length > 0) contents.push({ role: 'user', parts })
      return parts.length > 0
    },
    async ask({ url, apiKey, model }, fetch) {
      const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, fetch } })
      const answer = await client.models.generateContent({
        ...{ model, contents },
        config: {
          thinkingConfig: { thinkingLevel: ThinkingLevel.HIGH },
          tools: [{ functionDeclarations: [{ name: 'weather', parametersJsonSchema: schema }] }],
        },
      })
      contents.push(answer.candidates?.[0].content as Content)
    },
  }
}

type Model = (target: Target, fetch: typeof globalThis.fetch) => LanguageModel

const aiModels: Record<string, Model> = {
  anthropic: ({ url, apiKey, model }, fetch) => createAnthropic({ baseURL: `${url}/v1`, apiKey, fetch })(model),
  openai: ({ url, apiKey, model }, fetch) => createOpenAI({ baseURL: `${url}/v1`, apiKey, fetch }).responses(model),
  google: ({ url, apiKey, model }, fetch) => createGoogle({ baseURL: `${url}/v1beta`, apiKey, fetch })(model),
}

const providerOptions = {
  anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } },
  openai: { store: false, include: ['reasoning.encrypted_content'] },
}

function aiChat(modelOf: Model): Chat {
  const messages: ModelMessage[] = []
  return {
    user: content => void messages.push({ role: 'user', content }),
    answer(value) {
      const parts = messages.at(-1)?.content
      const calls = Array.isArray(parts) ? parts.filter(part => part.type === 'tool-call') : []
      const results = calls.map(({ toolCallId, toolName }) => ({
        ...{ type: 'tool-result' as const, toolCallId, toolName },
        output: { type: 'text' as const, value },
      }))
      if (results.length > 0) messages.push({ role: 'tool', content: results })
      return results.length > 0
    },
    async ask(target, fetch) {
      const tools = { weather: { inputSchema: jsonSchema(schema) } }
      const model = modelOf(target, fetch)
      const { response } = await generateText({ model, messages, tools, providerOptions, maxRetries: 0 })
      messages.push(...response.messages)
    },
  }
}

const claude = ['claude-opus-4-5', 'claude-sonnet-4-5'] as const
const gpt = ['gpt-5', 'gpt-5-mini'] as const
const gemini = ['gemini-3-pro', 'gemini-3-flash'] as const

export const libraries: readonly Library[] = [
  { name: '@anthropic-ai/sdk', models: claude, open: anthropicChat },
  { name: 'openai', models: gpt, open: responsesChat },
  { name: '@google/genai', models: gemini, open: googleChat },
  { name: 'ai at Anthropic', models: claude, open: () => aiChat(aiModels.anthropic) },
  { name: 'ai at OpenAI', models: gpt, open: () => aiChat(aiModels.openai) },
  { name: 'ai at Google', models: gemini, open: () => aiChat(aiModels.google) },
]
