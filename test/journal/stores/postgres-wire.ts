import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A wire to a server that can be cut at the worst moment. */
export interface Wire {
  readonly port: number
  /** How often a text went to the server. */
  count(text: string): number
  /**
   * Cuts the connection over which that text goes next: `before` the server gets it, or `after` it has done its work and
   * answers. Nobody gets through again until `meanwhile` is done.
   */
  cut(when: 'before' | 'after', text: string, meanwhile?: () => Promise<unknown>): void
  /** Cuts all connections now. */
  cutAll(): void
  /** Whether everything that was to be cut has been. */
  readonly done: boolean
  close(): Promise<void>
}

export async function startWire(target: number): Promise<Wire> {
  const sockets = new Set<Socket>()
  const sent: string[] = []
  let plan: { when: 'before' | 'after'; text: string; meanwhile: () => Promise<unknown> } | undefined
  let gate: Promise<unknown> = Promise.resolve()
  const server = createServer(async client => {
    keep(client)
    await gate
    join(client, keep(connect(target, '127.0.0.1')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    count: text => sent.filter(chunk => chunk.includes(text)).length,
    cut: (when, text, meanwhile = async () => {}) => {
      plan = { when, text, meanwhile }
    },
    cutAll: () => {
      for (const socket of sockets) socket.destroy()
    },
    get done() {
      return plan === undefined
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }

  function join(client: Socket, upstream: Socket): void {
    let doomed = false
    client.on('data', chunk => {
      sent.push(chunk.toString('latin1'))
      const hit = plan && chunk.includes(plan.text)
      if (hit && plan?.when === 'before') return cut()
      doomed ||= hit === true
      upstream.write(chunk)
    })
    upstream.on('data', chunk => {
      if (doomed) cut()
      else client.write(chunk)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())

    function cut(): void {
      gate = plan?.meanwhile() ?? gate
      plan = undefined
      client.destroy()
      upstream.destroy()
    }
  }

  function keep(socket: Socket): Socket {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    return socket
  }
}
