import { expect } from 'vitest'
import type { LiveTransport } from '../../../src/journal/index.ts'

/** A process that is connected to others, and what it has received. */
export class Peer {
  readonly received: (readonly [channel: string, text: string])[] = []
  readonly counts = { connected: 0, lost: 0 }
  readonly transport: LiveTransport
  isConnected = false
  lastError: unknown

  constructor(transport: LiveTransport) {
    this.transport = transport
    transport.start({
      receive: (channel, text) => this.received.push([channel, text]),
      connected: () => {
        this.counts.connected++
        this.isConnected = true
      },
      lost: error => {
        this.counts.lost++
        this.isConnected = false
        this.lastError = error
      },
    })
  }

  static async connected(transport: LiveTransport): Promise<Peer> {
    const peer = new Peer(transport)
    await expect.poll(() => peer.isConnected).toBe(true)
    return peer
  }

  texts(channel: string): string[] {
    return this.received.flatMap(([name, text]) => (name === channel ? [text] : []))
  }
}
