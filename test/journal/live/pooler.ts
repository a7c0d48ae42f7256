import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Server } from '../stores/postgres-server.ts'

export interface Pooler {
  readonly url: string
  /** How many clients have connected so far. */
  readonly connections: number
  close(): Promise<void>
}

/**
 * A pooler between clients and a PostgreSQL server. It shows each client a process number of its own. In transaction mode a client gets what the server
 * says while one of its statements runs; what the server says in between has no client, and is dropped.
 */
export async function startPooler(server: Server, { mode = 'transaction' } = {}): Promise<Pooler> {
  const sockets = new Set<Socket>()
  let connections = 0
  const listener = createServer(client => {
    connections++
    const upstream = connect(server.port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    let isBusy = true
    client.on('data', data => {
      isBusy = true
      upstream.write(data)
    })
    let rest = Buffer.alloc(0)
    upstream.on('data', data => {
      rest = Buffer.concat([rest, data])
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const message = Buffer.from(rest.subarray(0, rest.readInt32BE(1) + 1))
        rest = rest.subarray(message.length)
        const type = String.fromCharCode(message[0] as number)
        // BackendKeyData.
        if (type === 'K') message.writeInt32BE(1_000_000_000 + connections, 5)
        if (mode === 'session' || isBusy) client.write(message)
        // ReadyForQuery: the server is given back.
        if (type === 'Z') isBusy = false
      }
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: server.url((listener.address() as AddressInfo).port),
    get connections() {
      return connections
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
