import type { Socket } from 'node:net'

export interface ConnectionLimits {
  /** How many connections may be open. */
  readonly total: number
  /** How many of them may come from one address. */
  readonly perAddress: number
}

/** The open connections of clients, counted in total and by address, and the requests in progress on each of them. */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #requests = new Map<Socket, number>()
  readonly #perAddress = new Map<string, number>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  /** Counts a connection until it is closed. False if it exceeds a limit. */
  open(socket: Socket): boolean {
    const client = clientOf(socket.remoteAddress ?? '')
    const number = (this.#perAddress.get(client) ?? 0) + 1
    this.#requests.set(socket, 0)
    this.#perAddress.set(client, number)
    socket.once('close', () => {
      this.#requests.delete(socket)
      const left = (this.#perAddress.get(client) ?? 1) - 1
      if (left > 0) this.#perAddress.set(client, left)
      else this.#perAddress.delete(client)
    })
    return this.#requests.size <= this.#limits.total && number <= this.#limits.perAddress
  }

  /** Counts a request, and returns how many requests of its connection are in progress. */
  start(socket: Socket): number {
    const number = (this.#requests.get(socket) ?? 0) + 1
    if (this.#requests.has(socket)) this.#requests.set(socket, number)
    return number
  }

  end(socket: Socket): void {
    const number = this.#requests.get(socket)
    if (number !== undefined) this.#requests.set(socket, number - 1)
  }

  /** Whether a connection has no request in progress. */
  isIdle(socket: Socket): boolean {
    return (this.#requests.get(socket) ?? 0) === 0
  }

  destroyAll(): void {
    for (const socket of this.#requests.keys()) socket.destroy()
  }
}

/** The client that an address is counted for. With IPv6 one client usually has a whole /64 network. */
export function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address
  const [head = [], tail] = address.split('::', 2).map(part => (part === '' ? [] : part.split(':')))
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - head.length - tail.length)
  return [...head, ...Array(zeros).fill('0'), ...(tail ?? [])].slice(0, 4).join(':')
}
