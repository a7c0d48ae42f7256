import { expect } from 'vitest'
import { type ChatHandlerOptions, chatHandler, loadUIMessages } from '../../../src/integrations/ai-sdk/index.ts'
import { type Journal, openJournal } from '../../../src/journal/index.ts'
import type { Strict } from '../../../src/strict/index.ts'
import type { ChatClient, Talk, TalkPart } from './client.ts'
import { client6 } from './client-6.ts'
import { client7 } from './client-7.ts'
import { type Site, startSite } from './site.ts'

export const clients = [client6, client7]

export const called = 'call'

/** What the last message tells: its words, and where its calls are. */
export function told({ messages }: { messages: Talk['messages'] }): string[] {
  const { role, parts } = messages.at(-1) ?? { role: '', parts: [] }
  if (role !== 'assistant') return []
  return parts.map(({ type, text }) => text ?? (type.startsWith('tool-') ? called : type))
}

export const calls = ({ messages }: { messages: Talk['messages'] }): TalkPart[] =>
  messages.at(-1)?.parts.filter(({ type }) => type.startsWith('tool-')) ?? []

/** As JSON has it: without fields that say nothing. */
export const plain = (messages: Talk['messages']): Talk['messages'] => JSON.parse(JSON.stringify(messages))

export interface World extends AsyncDisposable {
  readonly strict: Strict
  readonly journal: Journal
  readonly site: Site
  /** What clients have sent, on their own or because they were told to. */
  readonly posts: readonly Request[]
  open(id: string, messages?: Talk['messages']): Talk
  load(id: string, branch?: number): Promise<Talk['messages']>
  /** The JSON at a place such as `ID?branch=2`. */
  get(place: string): Promise<unknown>
  put(place: string): Promise<unknown>
  status(method: string, place: string): Promise<number>
  post(body: object): Promise<Response>
  expectAccepted(count: number): void
}

export async function startWorld(
  strict: Strict,
  client: ChatClient,
  options: ChatHandlerOptions,
  location = 'memory:',
): Promise<World> {
  const journal = await openJournal(location)
  const onError = () => {}
  const handle = chatHandler(journal, { onError, ...options })
  const posts: Request[] = []
  const site = await startSite(request => {
    if (request.method === 'POST') posts.push(request)
    return handle(request)
  })
  return {
    ...{ strict, journal, site, posts },
    open: (id, messages = []) => client.open({ url: site.url, id, messages: [...messages] }),
    load: (id, branch) => loadUIMessages(journal, id, branch === undefined ? {} : { branch }),
    get: async place => (await fetch(`${site.url}/api/chat/${place}`)).json(),
    put: async place => (await fetch(`${site.url}/api/chat/${place}`, { method: 'PUT' })).json(),
    status: async (method, place) => (await fetch(`${site.url}/api/chat/${place}`, { method })).status,
    post: body => fetch(`${site.url}/api/chat`, { method: 'POST', body: JSON.stringify(body) }),
    expectAccepted(count) {
      expect(strict.requests.map(({ verdict }) => verdict)).toEqual(Array.from({ length: count }, () => 'accepted'))
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]()
      await journal.close()
      await strict.close()
    },
  }
}
