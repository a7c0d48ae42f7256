import type { Call, Message } from '../histories.ts'
import { importPeer, resultNames, type Subject, subject } from '../subject.ts'

type Item =
  | { type: 'message'; role: 'system' | 'user'; content: string }
  | { type: 'message'; role: 'assistant'; status: 'completed'; content: { type: 'output_text'; text: string }[] }
  | { type: 'function_call'; callId: string; name: string; arguments: string; status: 'completed' }
  | {
      type: 'function_call_result'
      callId: string
      name: string
      status: 'completed'
      output: { type: 'text'; text: string }
    }

interface Module {
  prepareInputItemsWithSession(
    input: Item[],
    session: { getItems(): Promise<Item[]> },
  ): Promise<{ preparedInput: Item[] }>
}

/** What a run does first: it takes the session's items and drops the orphans among them. It is not exported, hence the path. */
export async function load(): Promise<Subject> {
  const path = '../node_modules/@openai/agents-core/dist/runner/sessionPersistence.mjs'
  const { prepareInputItemsWithSession } = await importPeer<Module>(new URL(path, import.meta.url).href)
  return subject<Item[]>('openai-agents', 'prepareInputItemsWithSession', {
    encode,
    run: async items => (await prepareInputItemsWithSession([], { getItems: async () => items })).preparedInput,
    decode,
    wire: { format: 'openai-responses', write },
  })
}

function encode(history: Message[]): Item[] {
  const nameOf = resultNames(history)
  return history.flatMap((message): Item[] => {
    const text = message.content ?? ''
    if (message.role === 'tool') {
      const callId = message.tool_call_id ?? ''
      const name = nameOf(message)
      return [{ type: 'function_call_result', callId, name, status: 'completed', output: { type: 'text', text } }]
    }
    if (message.role !== 'assistant') return [{ type: 'message', role: message.role, content: text }]
    const calls = (message.tool_calls ?? []).map(
      ({ id, function: called }): Item => ({
        type: 'function_call',
        callId: id,
        name: called.name,
        arguments: called.arguments,
        status: 'completed',
      }),
    )
    if (message.content === null && calls.length > 0) return calls
    const content = [{ type: 'output_text' as const, text }]
    return [{ type: 'message', role: 'assistant', status: 'completed', content }, ...calls]
  })
}

/** Calls in a row make one step with the assistant's words before them: items know no steps, so that is how they are sent. */
function decode(items: Item[]): Message[] {
  const history: Message[] = []
  for (const item of items) {
    if (item.type === 'function_call') {
      const call: Call = {
        id: item.callId,
        type: 'function',
        function: { name: item.name, arguments: item.arguments },
      }
      const last = history.at(-1)
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call]
      else history.push({ role: 'assistant', content: null, tool_calls: [call] })
    } else if (item.type === 'function_call_result') {
      history.push({ role: 'tool', tool_call_id: item.callId, content: item.output.text })
    } else if (item.role === 'assistant') {
      history.push({ role: 'assistant', content: item.content.map(part => part.text).join('') })
    } else history.push({ role: item.role, content: item.content })
  }
  return history
}

/** As they go over the Responses wire. */
const write = (items: Item[]): unknown[] =>
  items.map(item => {
    if (item.type === 'function_call')
      return { type: item.type, call_id: item.callId, name: item.name, arguments: item.arguments }
    if (item.type === 'function_call_result')
      return { type: 'function_call_output', call_id: item.callId, output: item.output.text }
    return { type: 'message', role: item.role, content: item.content }
  })
