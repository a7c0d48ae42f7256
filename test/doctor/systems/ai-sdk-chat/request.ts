import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { convertToModelMessages, generateText, jsonSchema, type LanguageModel, type ToolSet, tool } from 'ai'

export type Provider = 'openai' | 'anthropic'

/** The body that the SDK itself sends when a stored chat continues. Throws what the SDK throws instead of sending. */
export async function requestOf(bytes: Buffer, provider: Provider): Promise<Record<string, unknown>> {
  const stored = settled(messagesIn(JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))))
  const messages = [...stored, { id: 'next', role: 'user', parts: [{ type: 'text', text: 'go on' }] }]
  let body: Record<string, unknown> | undefined
  const listen = async (_: unknown, init?: { body?: unknown }): Promise<Response> => {
    body = JSON.parse(String(init?.body))
    return new Response('{}', { status: 500 })
  }
  try {
    await generateText({
      model: models[provider](listen as typeof fetch),
      tools: toolsOf(stored),
      messages: await convertToModelMessages(messages as Parameters<typeof convertToModelMessages>[0]),
      allowSystemInMessages: true,
      maxRetries: 0,
    })
  } catch (error) {
    if (!body) throw error
  }
  return body as Record<string, unknown>
}

type Fields = Record<string, unknown>

/** What waits at the end of a chat is done before it continues: the browser has run it, or a person has decided. */
function settled(messages: unknown[]): unknown[] {
  const last = messages.at(-1) as Fields | undefined
  if (last?.role !== 'assistant' || !Array.isArray(last.parts)) return messages
  const step = last.parts.findLastIndex((part: Fields) => part.type === 'step-start')
  const parts = last.parts.map((part: Fields, index) =>
    index > step && waits.has(part.state) ? { ...part, state: 'output-available', output: 'done' } : part,
  )
  return [...messages.slice(0, -1), { ...last, parts }]
}

const waits = new Set<unknown>(['input-available', 'approval-requested', 'approval-responded'])

/** The messages of a chat: the file itself, or a list in it. */
function messagesIn(chat: unknown): unknown[] {
  if (Array.isArray(chat)) return chat
  const { messages } = chat as { messages?: unknown }
  return Array.isArray(messages) ? messages : []
}

const models: Record<Provider, (fetch: typeof globalThis.fetch) => LanguageModel> = {
  openai: fetch => createOpenAI({ apiKey: 'any', fetch }).chat('gpt-5'),
  anthropic: fetch => createAnthropic({ apiKey: 'any', fetch })('claude-sonnet-4-5'),
}

/** Every tool that the chat has used, as the program would still have it. */
function toolsOf(messages: readonly unknown[]): ToolSet {
  const parts = messages.flatMap(message => (message as { parts?: unknown[] })?.parts ?? []) as Record<
    string,
    unknown
  >[]
  const names = parts.flatMap(({ type, toolName }) =>
    type === 'dynamic-tool' ? [String(toolName)] : (/^tool-(.+)/.exec(String(type))?.slice(1) ?? []),
  )
  const run = tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => 'ran' })
  return Object.fromEntries(names.map(name => [name, run]))
}
