import { sqliteFileOf } from '../stores/open-store.ts'
import { openTransport } from './open-transport.ts'
import type { LiveTransport } from './transport.ts'

/**
 * The transport of a process that looks at a journal for a while. It joins the socket next to an SQLite file if there is one, and neither creates one nor
 * reports that there is none. Another server is used only if it is asked for.
 */
export async function transportToJoin(place: string, live?: string | true): Promise<LiveTransport | undefined> {
  const isServer = /^postgres(ql)?:/i.test(place)
  if (isServer || typeof live === 'string') return openTransport(live, place, {})
  const { socketTransport } = await import('./transports/socket.ts')
  return quiet(socketTransport(sqliteFileOf(place) ?? place, { listens: false }))
}

const quiet = (transport: LiveTransport): LiveTransport => ({
  name: transport.name,
  start: events => transport.start({ ...events, lost() {} }),
  publish: (channel, text) => transport.publish(channel, text),
  subscribe: channel => transport.subscribe(channel),
  unsubscribe: channel => transport.unsubscribe(channel),
  close: () => transport.close(),
})
