import type { Document, Done, Notice, ThreadFacts } from '../protocol.ts'
import { openEventStream } from './event-stream.ts'
import type { Transport } from './transport.ts'

/** The server that opened the page. Its addresses are relative, so its token goes along. */
export function serverTransport(): Transport {
  const listeners = new Set<(isThere: boolean) => void>()
  let isThere = true
  const tell = (now: boolean): void => {
    if (now === isThere) return
    isThere = now
    for (const hear of listeners) hear(now)
  }
  const listen = (address: string, hear: (value: unknown) => void, tell?: (isThere: boolean) => void): (() => void) => {
    const stream = openEventStream(address, tell ? { hear, tell } : { hear })
    return () => stream.close()
  }
  return {
    kind: 'server',
    notices: hear => listen('api/events', value => hear(value as Notice), tell),
    head: (source, item) => read(`${place('documents', source, item)}?head`),
    document: (source, item) => read(place('documents', source, item)),
    thread: (source, item, hear) =>
      listen(`${place('threads', source, item)}/events`, value => hear(value as ThreadFacts)),
    act: async (source, item, deed) =>
      answerOf<Done>(
        await ask(place('threads', source, item), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(deed),
        }),
      ),
    connection(hear) {
      listeners.add(hear)
      hear(isThere)
      return () => listeners.delete(hear)
    },
  }
}

const place = (what: string, source: string, item: string): string =>
  `api/${what}/${encodeURIComponent(source)}/${encodeURIComponent(item)}`

const read = async (address: string): Promise<Document> => answerOf<Document>(await ask(address))

async function ask(address: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch {
    throw new Error('it cannot be had while the server is gone')
  }
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (response.ok) return (await response.json()) as Answer
  const { error, hint } = await complaintOf(response)
  throw new Error(hint === undefined ? error : `${error} (${hint})`)
}

async function complaintOf(response: Response): Promise<{ readonly error: string; readonly hint?: string }> {
  const said: unknown = await response.json().catch(() => undefined)
  const { error, hint } = (said ?? {}) as { error?: unknown; hint?: unknown }
  return {
    error: typeof error === 'string' ? error : `the server answered ${response.status}`,
    ...(typeof hint === 'string' ? { hint } : {}),
  }
}
