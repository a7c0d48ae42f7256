import { expect } from 'vitest'
import type { DialectId } from '../../../src/index.ts'
import type { ModelRequest } from '../../../src/journal/ask-models.ts'
import { readers } from '../../strict/readers.ts'
import { refusalOf } from '../invariants/prefixes.ts'

/** A call as a model makes it: the tool, the arguments, and an id if it matters. */
export type Asked = readonly [name: string, input?: unknown, id?: string]

/** What a model does when it is asked: it says a text, makes calls, fails, or does something of its own. */
export type Reply = string | readonly Asked[] | Error | ((request: ModelRequest) => unknown)

/** A model that speaks Chat Completions. What it was asked with is kept, and was judged by a strict provider. */
export interface ScriptedModel {
  (request: ModelRequest): unknown
  readonly asked: readonly unknown[][]
}

/** A model that does these things, one after the other. It fails when it is asked more often. */
export function scripted(...replies: readonly Reply[]): ScriptedModel {
  return scriptedFor('openai', ...replies)
}

/** The same for a reader of another dialect. */
export function scriptedFor(dialect: DialectId, ...replies: readonly Reply[]): ScriptedModel {
  const reader = readers.find(known => known.dialect === dialect)
  if (!reader) throw new Error(`there is no strict provider for ${dialect}`)
  const asked: unknown[][] = []
  const model = (request: ModelRequest): unknown => {
    expect(refusalOf(request.messages, reader), 'refused by the provider').toBeUndefined()
    const reply = replies[asked.push([...request.messages]) - 1]
    if (reply === undefined) throw new Error(`the model was asked ${asked.length} times, which was not expected`)
    return responseOf(reply, request)
  }
  return Object.assign(model, { asked })
}

function responseOf(reply: Reply, request: ModelRequest): unknown {
  if (reply instanceof Error) throw reply
  if (typeof reply === 'function') return reply(request)
  return typeof reply === 'string' ? says(reply) : calls(...reply)
}

export const says = (content: string, finish = 'stop'): Completion => completion({ role: 'assistant', content }, finish)

export const calls = (...asked: readonly Asked[]): Completion =>
  completion({ role: 'assistant', content: null, tool_calls: asked.map(toolCall) }, 'tool_calls')

/** Chunks of a stream that says these words and makes these calls. */
export function chunks(words: readonly string[], ...asked: readonly Asked[]): object[] {
  const pieces = [
    ...words.map(content => ({ content })),
    ...asked.map((call, index) => ({ tool_calls: [{ index, ...toolCall(call, index) }] })),
  ]
  return [...pieces.map(delta => chunk(delta, null)), chunk({}, asked.length > 0 ? 'tool_calls' : 'stop')]
}

/** A stream of chunks. It ends as it should, with an error, or never. */
export async function* stream(chunks: readonly unknown[], end?: Error | Promise<void>): AsyncGenerator<unknown> {
  yield* chunks
  if (end instanceof Error) throw end
  await end
}

export const forever: Promise<never> = new Promise(() => {})

export type Completion = ReturnType<typeof completion>

const completion = (message: object, finish: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 0,
  model: 'gpt-5',
  choices: [{ index: 0, message, finish_reason: finish, logprobs: null }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

const chunk = (delta: object, finish: string | null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'gpt-5',
  choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: finish, logprobs: null }],
})

const toolCall = ([name, input = {}, id = `call_${++made}`]: Asked, _index?: number) => ({
  id,
  type: 'function',
  function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
})

let made = 0
