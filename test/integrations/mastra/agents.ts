import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { Mastra } from '@mastra/core'
import { Agent, type AgentConfig, type MastraDBMessage } from '@mastra/core/agent'
import { MockMemory } from '@mastra/core/memory'
import type { Processor } from '@mastra/core/processors'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { createOpenAI as createOpenAI3 } from 'ai-sdk-openai-3'
import { z } from 'zod'
import type { Said } from '../fetch/failures.ts'

const apiKey = 'any'

export const models = {
  chat: (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('gpt-4.1'),
  responses: (url: string) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('gpt-4.1'),
  anthropic: (url: string) => createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-sonnet-4-5'),
  'chat, version 6': (url: string) => createOpenAI3({ baseURL: `${url}/v1`, apiKey }).chat('gpt-4.1'),
  local: (url: string) => createOpenAI({ baseURL: `${url}/qwen-template/v1`, apiKey }).chat('qwen3.5-27b'),
}

export type ModelKind = keyof typeof models

/** A history as users give it to an agent. */
export const modelMessages = (messages: readonly Said[]) =>
  messages.map(message => {
    if (message.who === 'tool') {
      const output = { type: message.isError ? ('error-text' as const) : ('text' as const), value: message.text }
      const part = { type: 'tool-result' as const, toolCallId: message.call, toolName: 'run', output }
      return { role: 'tool' as const, content: [part] }
    }
    if (message.who !== 'assistant') return { role: message.who, content: message.text }
    const { text, call } = message
    const words = text === undefined ? [] : [{ type: 'text' as const, text }]
    const calls =
      call === undefined ? [] : [{ type: 'tool-call' as const, toolCallId: call, toolName: 'run', input: {} }]
    return { role: 'assistant' as const, content: [...words, ...calls] }
  })

let clock = 1_700_000_000_000

/** A message as Mastra stores it. */
export const stored = (role: 'user' | 'assistant', ...parts: object[]): MastraDBMessage =>
  ({
    ...{ id: `m${++clock}`, role, threadId: 't', resourceId: 'r', createdAt: new Date(clock) },
    content: { format: 2, parts },
  }) as MastraDBMessage

export const words = (text: string) => ({ type: 'text', text })

export const invocation = (toolCallId: string, state: string, more: object = {}) => ({
  ...{ type: 'tool-invocation', toolInvocation: { toolCallId, toolName: 'run', args: { a: 1 }, state, ...more } },
})

export interface Question {
  readonly url: string
  readonly model?: ModelKind
  readonly stream?: boolean
  readonly processors?: Processor[]
  /** What memory holds of the thread. */
  readonly history?: MastraDBMessage[]
  readonly approval?: boolean
}

export async function openAgent({ url, model = 'chat', processors = [], history, approval = false }: Question) {
  const memory = history && (await memoryOf(history))
  const run = createTool({
    ...{ id: 'run', description: 'Runs it.', inputSchema: z.object({}), requireApproval: approval },
    execute: async () => 'done',
  })
  const config: AgentConfig = {
    ...{ id: 'travel', name: 'travel', instructions: 'Be brief.', model: models[model](url), maxRetries: 0 },
    ...{ tools: { run }, inputProcessors: processors },
    ...(memory && { memory }),
  } as AgentConfig
  const mastra = new Mastra({ agents: { travel: new Agent(config) }, storage: new InMemoryStore(), logger: false })
  return { agent: mastra.getAgent('travel'), memory }
}

export const thread = { thread: 't', resource: 'r' }

/** Asks an agent, and reads the answer to its end. Rejects with what the provider has said. */
export async function ask(question: Question, input: unknown): Promise<string> {
  const { agent } = await openAgent(question)
  const options = question.history ? { memory: thread } : {}
  if (!question.stream) return (await agent.generate(input as string, options)).text
  const output = await agent.stream(input as string, options)
  await output.consumeStream()
  if (output.error) throw output.error
  return output.text
}

async function memoryOf(messages: MastraDBMessage[]): Promise<MockMemory> {
  const memory = new MockMemory({ enableMessageHistory: true, options: { lastMessages: 40 } })
  const now = new Date()
  await memory.saveThread({ thread: { id: 't', resourceId: 'r', title: '', createdAt: now, updatedAt: now } })
  await memory.saveMessages({ messages: structuredClone(messages) })
  return memory
}

export async function recall(memory: MockMemory | undefined): Promise<MastraDBMessage[]> {
  const { messages = [] } = (await memory?.recall({ threadId: 't', resourceId: 'r' })) ?? {}
  return messages
}
