import {
  Agent,
  type AgentInputItem,
  type CallModelInputFilter,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  type Session,
  type Tool,
  tool,
} from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'
import type { Said } from '../fetch/failures.ts'

export const apis = { responses: OpenAIResponsesModel, chat: OpenAIChatCompletionsModel }

export type ApiName = keyof typeof apis

export const answer = (callId: string, output: string): AgentInputItem => ({
  ...{ type: 'function_call_result', name: 'run', callId, status: 'completed', output },
})

export const call = (callId: string): AgentInputItem => ({
  ...{ type: 'function_call', name: 'run', callId, arguments: '{}', status: 'completed' },
})

export const user = (content: string): AgentInputItem => ({ type: 'message', role: 'user', content })

export const says = (text: string): AgentInputItem => ({
  ...{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
})

/** A history as the SDK keeps it. */
export const itemsOf = (messages: readonly Said[]): AgentInputItem[] =>
  messages.flatMap((message): AgentInputItem[] => {
    if (message.who === 'tool') return [answer(message.call, message.text)]
    if (message.who === 'system') return [{ role: 'system', content: message.text }]
    if (message.who === 'user') return [user(message.text)]
    const { text, call: callId } = { call: undefined, ...message }
    return [...(text === undefined ? [] : [says(text)]), ...(callId === undefined ? [] : [call(callId)])]
  })

export const runTool = (execute: () => unknown = () => 'done', needsApproval = false): Tool =>
  tool({ name: 'run', description: 'runs', parameters: z.object({}), needsApproval, execute: async () => execute() })

export interface Question {
  readonly url: string
  readonly api?: ApiName
  readonly stream?: boolean
  readonly filter?: CallModelInputFilter | undefined
  readonly session?: Session
  readonly tools?: Tool[]
  readonly signal?: AbortSignal
  readonly instructions?: string
}

export function agentFor({ url, api = 'responses', tools = [runTool()], instructions = 'Be brief.' }: Question): Agent {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0, logLevel: 'off' })
  return new Agent({ name: 'travel', instructions, tools, model: new apis[api](client, 'gpt-5') })
}

/** Runs an agent to its end, streaming or not. */
export async function ask(question: Question, input: Parameters<Runner['run']>[1], agent = agentFor(question)) {
  const { filter, stream = false, session, signal } = question
  const runner = new Runner({ tracingDisabled: true, ...(filter && { callModelInputFilter: filter }) })
  const options = { ...(session && { session }), ...(signal && { signal }) }
  if (!stream) return runner.run(agent, input as string, options)
  const result = await runner.run(agent, input as string, { ...options, stream: true })
  await result.completed
  return result
}
