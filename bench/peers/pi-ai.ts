import type { Call, Message } from '../histories.ts'
import { argumentsOf, Inexpressible, importPeer, resultNames, type Subject, subject } from '../subject.ts'

interface Module {
  convertMessages(model: object, context: Context, compat: object): Message[]
}

interface Context {
  systemPrompt?: string
  messages: Own[]
}

type Own =
  | { role: 'user'; content: string; timestamp: number }
  | { role: 'toolResult'; toolCallId: string; toolName: string; content: Text[]; isError: boolean; timestamp: number }
  | { role: 'assistant'; content: (Text | ToolCall)[]; stopReason: string; timestamp: number; [field: string]: unknown }

interface Text {
  type: 'text'
  text: string
}

interface ToolCall {
  type: 'toolCall'
  id: string
  name: string
  arguments: Record<string, unknown>
}

/** Another model than the one that spoke so far, which is when ids are normalised too. */
const model = { id: 'gpt-5', provider: 'openai', api: 'openai-completions', input: ['text', 'image'], reasoning: false }
const former = { provider: 'openrouter', api: 'openai-completions', model: 'another' }
const compat = { supportsDeveloperRole: true }

/** What stands between the agent's messages and the request: `transformMessages`, which heals, and the wire's own writing. */
export async function load(): Promise<Subject> {
  const { convertMessages } = await importPeer<Module>('@mariozechner/pi-ai/openai-completions')
  return subject<Context | Message[]>('pi-ai', 'convertMessages', {
    encode,
    run: context => (Array.isArray(context) ? context : convertMessages(model, context, compat)),
    decode: context => (Array.isArray(context) ? context : unheal(context)),
  })
}

/** The system's words have a place of their own, before everything else. */
function encode(history: Message[]): Context {
  const nameOf = resultNames(history)
  const first = history.findIndex(({ role }) => role !== 'system')
  const talk = first < 0 ? [] : history.slice(first)
  const system = (first < 0 ? history : history.slice(0, first)).map(({ content }) => content ?? '')
  if (system.length > 1) throw new Inexpressible('several system messages')
  const messages = talk.map((message): Own => {
    const text: Text = { type: 'text', text: message.content ?? '' }
    switch (message.role) {
      case 'system':
        throw new Inexpressible('a system message among the others')
      case 'user':
        return { role: 'user', content: text.text, timestamp: 0 }
      case 'tool': {
        const toolCallId = message.tool_call_id ?? ''
        return {
          role: 'toolResult',
          toolCallId,
          toolName: nameOf(message),
          content: [text],
          isError: false,
          timestamp: 0,
        }
      }
      default: {
        const calls = (message.tool_calls ?? []).map(
          (call): ToolCall => ({
            type: 'toolCall',
            id: call.id,
            name: call.function.name,
            arguments: argumentsOf(call),
          }),
        )
        const stopReason = calls.length > 0 ? 'toolUse' : 'stop'
        const content = message.content === null ? calls : [text, ...calls]
        return { role: 'assistant', content, ...former, stopReason, timestamp: 0 }
      }
    }
  })
  return { ...(system[0] !== undefined && { systemPrompt: system[0] }), messages }
}

/** The same history on the wire as it stands, with nothing transformed. */
function unheal({ systemPrompt, messages }: Context): Message[] {
  const system: Message[] = systemPrompt === undefined ? [] : [{ role: 'system', content: systemPrompt }]
  return [
    ...system,
    ...messages.map((message): Message => {
      if (message.role === 'user') return { role: 'user', content: message.content }
      if (message.role === 'toolResult')
        return {
          role: 'tool',
          tool_call_id: message.toolCallId,
          content: message.content.map(({ text }) => text).join(''),
        }
      const texts = message.content.flatMap(part => (part.type === 'text' ? [part.text] : []))
      const calls = message.content.flatMap((part): Call[] =>
        part.type === 'text'
          ? []
          : [
              {
                id: part.id,
                type: 'function',
                function: { name: part.name, arguments: JSON.stringify(part.arguments) },
              },
            ],
      )
      const content = texts.length > 0 ? texts.join('') : null
      return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
    }),
  ]
}
