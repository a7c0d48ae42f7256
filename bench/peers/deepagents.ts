import type { Call, Message } from '../histories.ts'
import { importPeer, type Subject, subject } from '../subject.ts'

interface Module {
  createPatchToolCallsMiddleware(): {
    wrapModelCall(request: Request, next: (request: Request) => Request): Promise<Request>
  }
}

interface Request {
  messages: ChainMessage[]
}

interface ChainMessage {
  content: string
  tool_call_id?: string
  tool_calls?: { id: string; name: string; args: unknown }[]
  additional_kwargs: { tool_calls?: Call[] }
  getType(): 'human' | 'ai' | 'system' | 'tool'
}

type Make = new (fields: object) => ChainMessage

interface Messages {
  AIMessage: Make
  HumanMessage: Make
  SystemMessage: Make
  ToolMessage: Make
}

/** The middleware that deepagents puts before every model call. */
export async function load(): Promise<Subject> {
  const { createPatchToolCallsMiddleware } = await importPeer<Module>('deepagents')
  const messages = await importPeer<Messages>('@langchain/core/messages')
  const middleware = createPatchToolCallsMiddleware()
  return subject<ChainMessage[]>('deepagents', 'patchToolCalls middleware', {
    encode: history => history.map(message => encode(message, messages)),
    run: async chain => (await middleware.wrapModelCall({ messages: chain }, request => request)).messages,
    decode: chain => chain.map(decode),
  })
}

function encode(message: Message, { AIMessage, HumanMessage, SystemMessage, ToolMessage }: Messages): ChainMessage {
  const content = message.content ?? ''
  switch (message.role) {
    case 'system':
      return new SystemMessage({ content })
    case 'user':
      return new HumanMessage({ content })
    case 'tool':
      return new ToolMessage({ content, tool_call_id: message.tool_call_id })
    case 'assistant':
      return new AIMessage({ content, ...encodeCalls(message.tool_calls ?? []) })
  }
}

/** LangChain keeps calls with unreadable arguments apart, and the provider's own words for all of them beside. */
function encodeCalls(calls: Call[]): object {
  const readable: object[] = []
  const unreadable: object[] = []
  for (const { id, function: called } of calls) {
    try {
      readable.push({ id, name: called.name, args: JSON.parse(called.arguments) as unknown })
    } catch {
      unreadable.push({ id, name: called.name, args: called.arguments, error: 'unreadable' })
    }
  }
  if (unreadable.length === 0) return { tool_calls: readable }
  return { tool_calls: readable, invalid_tool_calls: unreadable, additional_kwargs: { tool_calls: calls } }
}

function decode(message: ChainMessage): Message {
  const { content } = message
  switch (message.getType()) {
    case 'system':
      return { role: 'system', content }
    case 'human':
      return { role: 'user', content }
    case 'tool':
      return { role: 'tool', tool_call_id: message.tool_call_id ?? '', content }
    case 'ai': {
      const readable = (message.tool_calls ?? []).map(
        ({ id, name, args }): Call => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }),
      )
      const calls = readable.length > 0 ? readable : (message.additional_kwargs.tool_calls ?? [])
      if (calls.length === 0) return { role: 'assistant', content }
      return { role: 'assistant', content: content || null, tool_calls: calls }
    }
  }
}
