import type { Call, Message } from '../histories.ts'
import { argumentsOf, Inexpressible, importPeer, resultNames, type Subject, subject } from '../subject.ts'

interface Module {
  hardenHistory(history: Turn[]): Turn[]
}

interface Turn {
  id: string
  content: { role: 'user' | 'model'; parts: Part[] }
}

interface Part {
  text?: string
  functionCall?: { id?: string; name: string; args: Record<string, unknown> }
  functionResponse?: { id?: string; name: string; response: Record<string, unknown> }
  thoughtSignature?: string
}

/** The system's words have a place of their own in a request, and stand in no turn. */
interface Request {
  system: Message[]
  turns: Turn[]
}

/** The pass over a history that the context manager ends with. It is not exported, hence the path. */
export async function load(): Promise<Subject> {
  const path = '../node_modules/@google/gemini-cli-core/dist/src/utils/historyHardening.js'
  const { hardenHistory } = await importPeer<Module>(new URL(path, import.meta.url).href)
  return subject<Request>('gemini-cli', 'hardenHistory', {
    encode,
    run: ({ system, turns }) => ({ system, turns: hardenHistory(turns.map(copy)) }),
    decode: ({ system, turns }) => [...system, ...decode(turns)],
    wire: { format: 'gemini', write: ({ turns }) => turns.map(({ content }) => content) },
  })
}

/** It writes into the turns that it is given. */
const copy = ({ id, content }: Turn): Turn => ({ id, content: { ...content, parts: [...content.parts] } })

function encode(history: Message[]): Request {
  const nameOf = resultNames(history)
  const first = history.findIndex(({ role }) => role !== 'system')
  const talk = first < 0 ? [] : history.slice(first)
  const turns = talk.map((message, index): Turn => {
    const text: Part[] = message.content ? [{ text: message.content }] : []
    const turn = (role: Turn['content']['role'], parts: Part[]): Turn => ({
      id: `turn-${index}`,
      content: { role, parts },
    })
    switch (message.role) {
      case 'system':
        throw new Inexpressible('a system message among the others')
      case 'user':
        return turn('user', message.content === null ? [] : [{ text: message.content }])
      case 'tool': {
        const response = { output: message.content ?? '' }
        return turn('user', [{ functionResponse: { id: message.tool_call_id ?? '', name: nameOf(message), response } }])
      }
      default: {
        const calls = (message.tool_calls ?? []).map(
          (call): Part => ({ functionCall: { id: call.id, name: call.function.name, args: argumentsOf(call) } }),
        )
        return turn('model', [...text, ...calls])
      }
    }
  })
  return { system: first < 0 ? history : history.slice(0, first), turns: joinResults(turns) }
}

/** Results that came one after the other stand in one turn. */
function joinResults(turns: Turn[]): Turn[] {
  const joined: Turn[] = []
  const isResults = ({ content }: Turn) => content.parts.some(part => part.functionResponse)
  for (const turn of turns) {
    const last = joined.at(-1)
    if (last && isResults(last) && isResults(turn)) last.content.parts.push(...turn.content.parts)
    else joined.push(turn)
  }
  return joined
}

function decode(turns: Turn[]): Message[] {
  return turns.flatMap(({ content: { role, parts } }): Message[] => {
    const words = parts.flatMap(({ text }) => text ?? []).join('')
    const results = parts.flatMap(({ functionResponse: result }): Message[] => {
      if (!result) return []
      const text = typeof result.response.output === 'string' ? result.response.output : JSON.stringify(result.response)
      return [{ role: 'tool', tool_call_id: result.id ?? '', content: text }]
    })
    const calls = parts.flatMap(({ functionCall: call }): Call[] =>
      call
        ? [{ id: call.id ?? '', type: 'function', function: { name: call.name, arguments: JSON.stringify(call.args) } }]
        : [],
    )
    if (role === 'user')
      return [...results, ...(words !== '' || results.length === 0 ? [{ role, content: words }] : [])]
    return [{ role: 'assistant', content: words || null, ...(calls.length > 0 && { tool_calls: calls }) }]
  })
}
