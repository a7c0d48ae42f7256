import type { Socket } from 'node:net'
import type { Client } from './client.ts'

export interface ConnectionLimits {
  /** How many connections may be open. */
  readonly total: number
  /** How many of them may come from one address. */
  readonly perAddress: number
}

/**
 * The open connections, counted in total and by address, and the clients whose requests are in progress on each of them. Each
 * connection has its own list: V8 moves what was in one long-lived set of all clients to the old generation, where it is collected late.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #clients = new Map<Socket, Client[]>()
  readonly #perAddress = new Map<string, number>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Counts a connection until it is closed. False if it exceeds a limit. */
  open(socket: Socket): boolean {
    const client = addressKey(socket.remoteAddress ?? '')
    const number = (this.#perAddress.get(client) ?? 0) + 1
    this.#clients.set(socket, [])
    this.#perAddress.set(client, number)
    socket.once('close', () => {
      this.#clients.delete(socket)
      const left = (this.#perAddress.get(client) ?? 1) - 1
      if (left > 0) this.#perAddress.set(client, left)
      else this.#perAddress.delete(client)
    })
    return this.#clients.size <= this.#limits.total && number <= this.#limits.perAddress
  }

  /** Adds the client of a request, and returns how many requests of its connection are in progress. */
  start(client: Client): number {
    const clients = this.#clients.get(client.socket)
    return clients ? clients.push(client) : 1
  }

  end(client: Client): void {
    const clients = this.#clients.get(client.socket)
    const index = clients?.indexOf(client) ?? -1
    if (index !== -1) clients?.splice(index, 1)
  }

  /** The clients of the requests in progress on a connection. */
  clientsOf(socket: Socket): readonly Client[] {
    return this.#clients.get(socket) ?? []
  }

  allClients(): Client[] {
    return [...this.#clients.values()].flat()
  }

  destroyAll(): void {
    for (const socket of this.#clients.keys()) socket.destroy()
  }
}

/** The client that an address is counted for. With IPv6 one client usually has a whole /64 network. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address
  const [head = [], tail] = address.split('::', 2).map(part => (part === '' ? [] : part.split(':')))
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  return [...head, ...Array(zeros).fill('0'), ...(tail ?? [])].slice(0, 4).join(':')
}
