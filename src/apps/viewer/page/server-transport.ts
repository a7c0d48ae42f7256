import type { ActionResult, Document, Notice, ThreadEvent } from '../protocol.ts'
import { openEventStream } from './event-stream.ts'
import type { Transport } from './transport.ts'

/** The server of the page. URLs are relative, so they contain its token. */
export function serverTransport(): Transport {
  const listeners = new Set<(isThere: boolean) => void>()
  let isThere = true
  const onConnection = (now: boolean): void => {
    if (now === isThere) return
    isThere = now
    for (const onEvent of listeners) onEvent(now)
  }
  const listen = (
    address: string,
    onEvent: (value: unknown) => void,
    onConnection?: (isThere: boolean) => void,
  ): (() => void) => {
    const stream = openEventStream(address, onConnection ? { onEvent, onConnection } : { onEvent })
    return () => stream.close()
  }
  return {
    kind: 'server',
    notices: onEvent => listen('api/events', value => onEvent(value as Notice), onConnection),
    head: (source, item) => read(`${place('documents', source, item)}?head`),
    document: (source, item) => read(place('documents', source, item)),
    thread: (source, item, onEvent) =>
      listen(`${place('threads', source, item)}/events`, value => onEvent(value as ThreadEvent)),
    act: (source, item, action) => post(place('threads', source, item), action),
    repair: (source, item, action) => post(place('stores', source, item), action),
    connection(onEvent) {
      listeners.add(onEvent)
      onEvent(isThere)
      return () => listeners.delete(onEvent)
    },
  }
}

const place = (what: string, source: string, item: string): string =>
  `api/${what}/${encodeURIComponent(source)}/${encodeURIComponent(item)}`

const post = async (address: string, action: unknown): Promise<ActionResult> =>
  answerOf<ActionResult>(
    await ask(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    }),
  )

const read = async (address: string): Promise<Document> => answerOf<Document>(await ask(address))

async function ask(address: string, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init)
  } catch {
    throw new Error('the server is not reachable')
  }
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (response.ok) return (await response.json()) as Answer
  const { error, hint } = await errorOf(response)
  throw new Error(hint === undefined ? error : `${error} (${hint})`)
}

async function errorOf(response: Response): Promise<{ readonly error: string; readonly hint?: string }> {
  const body: unknown = await response.json().catch(() => undefined)
  const { error, hint } = (body ?? {}) as { error?: unknown; hint?: unknown }
  return {
    error: typeof error === 'string' ? error : `the server answered ${response.status}`,
    ...(typeof hint === 'string' ? { hint } : {}),
  }
}
