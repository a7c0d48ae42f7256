import { sleep, systemClock } from '../clock.ts'
import { sqliteFileOf } from '../stores/open-store.ts'
import { openTransport } from './open-transport.ts'
import type { LiveTransport } from './transport.ts'

export interface JoinedTransport extends LiveTransport {
  /** Resolves when it is connected, or could not connect at first, or takes too long. Starts nothing. */
  tried(): Promise<void>
}

/**
 * The transport of a process that only looks at a journal, or changes little in it. It joins the socket next to an SQLite file if there is one, and
 * neither creates one nor reports that there is none. Another server is used only if it is named: `true` is the PostgreSQL server of the journal.
 */
export async function transportToJoin(
  place: string,
  { live, schema }: { readonly live?: string | undefined; readonly schema?: string | undefined } = {},
): Promise<JoinedTransport | undefined> {
  const isServer = /^postgres(ql)?:/i.test(place)
  if (live !== undefined && (isServer || live !== 'true')) {
    const transport = await openTransport(live === 'true' || live, place, schema === undefined ? {} : { schema })
    return transport && joined(transport, false)
  }
  if (isServer) return undefined
  const { socketTransport } = await import('./transports/socket.ts')
  return joined(socketTransport(sqliteFileOf(place) ?? place, { listens: false }), true)
}

function joined(transport: LiveTransport, isQuiet: boolean): JoinedTransport {
  let done = (): void => {}
  const over = new Promise<void>(resolve => {
    done = resolve
  })
  return {
    name: transport.name,
    start: ({ receive, connected, lost }) =>
      transport.start({
        receive,
        connected() {
          connected()
          done()
        },
        lost(error) {
          if (!isQuiet) lost(error)
          done()
        },
      }),
    publish: (channel, text) => transport.publish(channel, text),
    subscribe: channel => transport.subscribe(channel),
    unsubscribe: channel => transport.unsubscribe(channel),
    async close() {
      // A connection does not keep the process alive, and a command must send what it has written.
      const alive = setTimeout(() => {}, triedMs)
      await transport.close().finally(() => clearTimeout(alive))
    },
    async tried() {
      const waiting = new AbortController()
      await Promise.race([over, sleep(systemClock, triedMs, waiting.signal)])
      waiting.abort()
    },
  }
}

/** How long a command waits before it works without the connection. */
const triedMs = 2_000
