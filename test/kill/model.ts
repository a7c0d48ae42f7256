import type { ModelRequest } from '../../src/journal/index.ts'
import type { Points } from './points.ts'
import { placeIn, type ScriptedCall, sortOf } from './script.ts'

/** A model that goes by the script, in OpenAI's wire: whole, or as a stream if the input says so. */
export const modelWith =
  (points: Points) =>
  async ({ messages }: ModelRequest): Promise<unknown> => {
    const { input, calls } = placeIn(messages)
    const words = calls.length > 0 ? 'Let me see to that.' : 'That is done now.'
    const toolCalls = calls.map((call, index) => written(call, `call_${messages.length}_${index}`))
    if (sortOf(input) === 'stream') return stream(points, words, toolCalls)
    points.reach('response')
    const message = { role: 'assistant', content: words, ...(calls.length > 0 && { tool_calls: toolCalls }) }
    return { id: 'r', object: 'chat.completion', choices: [{ index: 0, finish_reason: reason(toolCalls), message }] }
  }

type WrittenCall = ReturnType<typeof written>

async function* stream(points: Points, words: string, calls: readonly WrittenCall[]): AsyncGenerator<unknown> {
  yield chunk({ role: 'assistant', content: words.slice(0, 5) })
  points.reach('stream')
  yield chunk({ content: words.slice(5) })
  for (const [index, { id, type, function: called }] of calls.entries()) {
    const [begins, ends] = [called.arguments.slice(0, 4), called.arguments.slice(4)]
    yield chunk({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: begins } }] })
    points.reach('stream in a call')
    yield chunk({ tool_calls: [{ index, function: { arguments: ends } }] })
  }
  yield chunk({}, reason(calls))
  points.reach('response')
}

const chunk = (delta: object, finish_reason: string | null = null): object => ({
  ...{ id: 'r', object: 'chat.completion.chunk' },
  choices: [{ index: 0, delta, finish_reason }],
})

const reason = (calls: readonly unknown[]): string => (calls.length > 0 ? 'tool_calls' : 'stop')

const written = ({ name, arguments: given }: ScriptedCall, id: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: JSON.stringify(given) },
})
