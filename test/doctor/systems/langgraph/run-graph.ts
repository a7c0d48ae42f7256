import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { Command, interrupt, MessagesAnnotation, Send, StateGraph } from '@langchain/langgraph'
import { ToolNode } from '@langchain/langgraph/prebuilt'
import { convertMessagesToCompletionsMessageParams } from '@langchain/openai'
import { judge } from '../../../oracle/judge.ts'
import { openSaver } from './saver.ts'

export type Form = 'in one node' | 'side by side' | 'approval'

/** A thread whose tool failed, or waits, and what its program can do next. */
export interface Asked {
  /** The model's answer after the user continued. */
  readonly refusal: string
  again(words: string): Promise<string>
  resume(answer: string): Promise<string>
}

/**
 * Runs a graph until one of two tools fails or asks for an approval; after a failure the user continues. The model is a
 * strict one, which rejects what providers reject.
 */
export async function runGraph(path: string, form: Form): Promise<Asked> {
  const saver = openSaver(path)
  const tools = new ToolNode([fast, form === 'approval' ? asking : failing], { handleToolErrors: false })
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', ({ messages }) => ({ messages: [answer(messages)] }))
    .addNode('tools', (state: { messages: BaseMessage[] }) => tools.invoke(state))
    .addEdge('__start__', 'agent')
    .addConditionalEdges('agent', ({ messages }) => next(messages, form), ['tools', '__end__'])
    .addEdge('tools', 'agent')
    .compile({ checkpointer: saver })
  const config = { configurable: { thread_id: 'thread-1' } }
  const say = async (words: string): Promise<string> =>
    lastOf(await graph.invoke({ messages: [new HumanMessage(words)] }, config))
  const tried = (words: string): Promise<string> => say(words).catch((error: Error) => error.message)
  try {
    await tried('use tools')
    const refusal = form === 'approval' ? '' : await tried('never mind')
    return { refusal, again: say, resume: async resume => lastOf(await graph.invoke(new Command({ resume }), config)) }
  } finally {
    saver.rest()
  }
}

function answer(messages: readonly BaseMessage[]): AIMessage {
  const body = convertMessagesToCompletionsMessageParams({ messages: [...messages], model: 'gpt-4o' }) as object[]
  const [objection] = judge(body, 'openai-chat', 'openai')
  if (objection) throw new Error(objection.message)
  const last = messages.at(-1)?.content
  if (last !== 'use tools') return new AIMessage(`done: ${last}`)
  return new AIMessage({
    content: '',
    tool_calls: [
      { id: 'call_a', name: 'fast', args: {} },
      { id: 'call_b', name: 'slow', args: {} },
    ],
  })
}

function next(messages: readonly BaseMessage[], form: Form): string | Send[] {
  const { tool_calls: calls = [] } = messages.at(-1) as AIMessage
  if (calls.length === 0) return '__end__'
  if (form !== 'side by side') return 'tools'
  return calls.map(call => new Send('tools', { messages: [new AIMessage({ content: '', tool_calls: [call] })] }))
}

const lastOf = ({ messages }: { messages?: BaseMessage[] }): string => String(messages?.at(-1)?.content)

const schema = { type: 'object', properties: {} } as const
const fast = tool(() => 'fast result', { name: 'fast', description: 'Answers.', schema })
const slow = { name: 'slow', description: 'Fails or asks.', schema }
const failing = tool(() => Promise.reject(new Error('the tool failed')), slow)
const asking = tool(() => `approved ${interrupt('May I?')}`, slow)
