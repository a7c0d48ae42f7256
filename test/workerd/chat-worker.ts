import { agUiHandler } from '../../src/integrations/ag-ui/index.ts'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { AntiphonThread, type ThreadSettings } from '../../src/integrations/durable-objects/index.ts'

/** Objects with the handlers of the AI SDK and of AG-UI: the handler answers, and the alarm continues after a crash. */

interface Env {
  readonly ledger: string
  readonly ChatObject: Namespace
  readonly AgUiObject: Namespace
}

/** What crashes the object, once. */
let isCrashing = false

abstract class ChargingObject extends AntiphonThread<Env> {
  protected async charge(key: string): Promise<string> {
    await (await fetch(this.env.ledger, { method: 'POST', body: JSON.stringify({ kind: 'effect', key }) })).text()
    if (isCrashing) {
      isCrashing = false
      ;(this.ctx as unknown as { abort(reason: string): void }).abort('a crash')
    }
    return 'charged'
  }
}

export class ChatObject extends ChargingObject {
  readonly #tools = { charge: { execute: (_: object, { key }: { key: string }) => this.charge(key) } }
  readonly #chat = chatHandler(this.journal, {
    model: chatModel,
    tools: this.#tools,
    authorize: (_, id) => id === this.thread.name,
  })

  protected override settings(): ThreadSettings {
    return { model: chatModel, tools: this.#tools, thread: { for: 'lenient', format: 'ai-sdk' } }
  }

  override fetch(request: Request): Promise<Response> {
    return this.#chat(request)
  }
}

export class AgUiObject extends ChargingObject {
  readonly #tools = { charge: { execute: (_: object, { key }: { key: string }) => this.charge(key) } }
  readonly #agent = agUiHandler(this.journal, {
    model: openAiModel,
    tools: this.#tools,
    thread: { for: 'openai' },
    threadFor: () => this.thread.name,
  })

  protected override settings(): ThreadSettings {
    return { model: openAiModel, tools: this.#tools, thread: { for: 'openai' } }
  }

  override fetch(request: Request): Promise<Response> {
    return request.method === 'POST' ? this.#agent(request) : super.fetch(request)
  }
}

/** Charges once, and then says so. As the result of `generateText`. */
function chatModel({ messages }: { readonly messages: readonly { readonly role: string }[] }) {
  const isCharged = messages.at(-1)?.role === 'tool'
  const content = isCharged
    ? [{ type: 'text', text: 'You are charged.' }]
    : [{ type: 'tool-call', toolCallId: `call-${messages.length}`, toolName: 'charge', input: {} }]
  const response = { id: 'r', modelId: 'm', messages: [{ role: 'assistant', content }] }
  return { content, response, finishReason: isCharged ? 'stop' : 'tool-calls' }
}

function openAiModel({ messages }: { readonly messages: readonly { readonly role: string }[] }) {
  const isCharged = messages.at(-1)?.role === 'tool'
  const call = { id: `call_${messages.length}`, type: 'function', function: { name: 'charge', arguments: '{}' } }
  const message = isCharged
    ? { role: 'assistant', content: 'You are charged.' }
    : { role: 'assistant', content: null, tool_calls: [call] }
  const choices = [{ index: 0, finish_reason: isCharged ? 'stop' : 'tool_calls', message }]
  return { id: 'r', object: 'chat.completion', choices }
}

interface Namespace {
  idFromName(name: string): unknown
  get(id: unknown): { fetch(request: Request): Promise<Response> }
}

export default {
  /** /CLASS/NAME/...; with `?crash` the object crashes in its next tool. */
  fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const [, kind, name] = pathname.split('/')
    if (searchParams.has('crash')) isCrashing = true
    const objects = kind === 'chat' ? env.ChatObject : env.AgUiObject
    return objects.get(objects.idFromName(name)).fetch(request)
  },
}
