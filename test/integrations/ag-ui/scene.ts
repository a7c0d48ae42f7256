import { type BaseEvent, HttpAgent, type Message } from '@ag-ui/client'
import Anthropic from '@anthropic-ai/sdk'
import { HttpAgent as HttpAgent0 } from 'ag-ui-client-0'
import OpenAI from 'openai'
import { type AgUiOptions, type AgUiReport, agUiHandler } from '../../../src/integrations/ag-ui/index.ts'
import { type Journal, openJournal, type Thread } from '../../../src/journal/index.ts'
import { type ReplyScript, type Strict, startStrict } from '../../../src/strict/index.ts'
import { serve } from './serve.ts'

export type Provider = 'openai' | 'anthropic'

export const providers: Provider[] = ['openai', 'anthropic']

/** The clients of the protocol: that of version 1.0, and the last one before it, which CopilotKit has. */
export const clients = { '1.0.0': HttpAgent, '0.0.59': HttpAgent0 as unknown as typeof HttpAgent }

export type ClientVersion = keyof typeof clients

export interface Scene extends AsyncDisposable {
  readonly journal: Journal
  readonly strict: Strict
  readonly thread: Thread
  readonly url: string
  readonly reports: AgUiReport[]
  readonly errors: unknown[]
  /** A client of its own, with the events that it got. */
  agent(name?: string, version?: ClientVersion): Client
}

export interface Client {
  readonly agent: HttpAgent
  readonly events: BaseEvent[]
  /** Resolves with the next event of this type. */
  seen(type: string): Promise<void>
  /** Says something and waits for the end of the run. */
  say(text: string, parameters?: Parameters<HttpAgent['runAgent']>[0]): Promise<BaseEvent>
  /** Runs without a word. */
  go(parameters?: Parameters<HttpAgent['runAgent']>[0]): Promise<BaseEvent>
}

let words = 0

export async function openScene(
  script: ReplyScript,
  options: Partial<AgUiOptions> & { provider?: Provider } = {},
): Promise<Scene> {
  const { provider = 'openai', ...more } = options
  const strict = await startStrict({ script })
  const journal = await openJournal('memory:')
  const reports: AgUiReport[] = []
  const errors: unknown[] = []
  const handler = agUiHandler(journal, {
    model: models[provider](strict.url),
    thread: { for: provider },
    onRepair: report => reports.push(report),
    onError: error => errors.push(error),
    ...more,
  })
  const served = await serve(handler)
  const thread = journal.thread('t', { for: provider })
  return {
    ...{ journal, strict, thread, reports, errors, url: served.url },
    agent: (agentId = 'one', version = '1.0.0') =>
      clientOf(new clients[version]({ url: served.url, threadId: 't', agentId })),
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await strict.close()
      await journal.close()
    },
  }
}

export function clientOf(agent: HttpAgent): Client {
  const events: BaseEvent[] = []
  const waiting: { type: string; resolve: () => void }[] = []
  agent.subscribe({
    onEvent({ event }) {
      events.push(event)
      for (const { type, resolve } of waiting) if (type === event.type) resolve()
    },
  })
  const go: Client['go'] = async parameters => {
    await agent.runAgent(parameters)
    return events.at(-1) as BaseEvent
  }
  return {
    agent,
    events,
    go,
    seen: type => new Promise(resolve => waiting.push({ type, resolve })),
    say(text, parameters) {
      agent.addMessage({ id: `user-${++words}`, role: 'user', content: text })
      return go(parameters)
    },
  }
}

type Models = Record<Provider, (url: string) => AgUiOptions['model']>

const schema = { type: 'object' as const, properties: { city: { type: 'string' } } }
const names = ['weather', 'book', 'pay', 'ask']

export const models: Models = {
  openai: url => {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0, logLevel: 'off' })
    return ({ messages, signal, input }) =>
      client.chat.completions.create(
        {
          model: 'gpt-5',
          messages,
          stream: true,
          stream_options: { include_usage: true },
          tools: [...names, ...input.tools.map(({ name }) => name)].map(name => ({
            type: 'function' as const,
            function: { name, parameters: schema },
          })),
        },
        { signal },
      )
  },
  anthropic: url => {
    const client = new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0, logLevel: 'off' })
    return ({ messages, signal, input }) =>
      client.messages.create(
        {
          model: 'claude-opus-4-5',
          max_tokens: 4096,
          thinking: { type: 'enabled', budget_tokens: 1024 },
          messages,
          stream: true,
          tools: [...names, ...input.tools.map(({ name }) => name)].map(name => ({ name, input_schema: schema })),
        },
        { signal },
      )
  },
}

export const types = (events: readonly BaseEvent[]): string[] => events.map(({ type }) => type)

export const verdicts = ({ requests }: Strict): unknown[] => requests.map(({ verdict }) => verdict)

export const lastSnapshot = (events: readonly BaseEvent[]): Message[] =>
  (events.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT') as unknown as { messages: Message[] }).messages

/** What a provider that thinks is made to think. */
export const thinking = { openai: {}, anthropic: { thinking: 'Let me see.' } }

/** The kinds of events, without thoughts and without those that repeat themselves. */
export function shortened(kinds: readonly string[]): string[] {
  const said = kinds.filter(kind => !kind.startsWith('REASONING'))
  return said.filter((kind, index) => kind !== said[index - 1])
}

/** What messages say, in a word each. */
export const shapes = (messages: readonly Message[]): string[] =>
  messages
    .filter(({ role }) => role !== 'reasoning')
    .map(message => {
      if (message.role === 'assistant' && message.toolCalls)
        return message.toolCalls.map(call => call.function.name).join(', ')
      return message.role === 'user' ? 'user' : `${message.role}: ${message.content}`
    })
