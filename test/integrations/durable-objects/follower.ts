import { expect } from 'vitest'
import type { Entry } from '../../../src/journal/entry.ts'
import type { LiveItem } from '../../../src/journal/live/live-reader.ts'
import { eventually } from '../../eventually.ts'

/** A client on a WebSocket, which connects again at its offset when the connection is lost. */
export class Follower {
  readonly entries: Entry[] = []
  /** What has streamed of the response that is not recorded yet. */
  streamed = ''
  /** How many deltas, retractions and connections there were. */
  readonly counts = { deltas: 0, retractions: 0, connections: 0 }
  readonly answers: { readonly id?: unknown; readonly done?: unknown; readonly error?: unknown }[] = []
  readonly #url: () => string
  #offset = '0'
  #socket: WebSocket | undefined
  #isClosed = false

  constructor(url: () => string) {
    this.#url = url
    this.#connect()
  }

  send(message: object): void {
    this.#socket?.send(JSON.stringify(message))
  }

  async open(): Promise<void> {
    await eventually(() => expect(this.#socket?.readyState).toBe(WebSocket.OPEN))
  }

  close(): void {
    this.#isClosed = true
    this.#socket?.close()
  }

  #connect(): void {
    if (this.#isClosed) return
    this.counts.connections++
    const socket = new WebSocket(`${this.#url().replace('http', 'ws')}/live?after=${this.#offset}`)
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))))
    socket.addEventListener('close', () => setTimeout(() => this.#connect(), 20))
    socket.addEventListener('error', () => {})
  }

  #take(item: LiveItem | { id?: unknown }): void {
    if (!('kind' in item)) {
      this.answers.push(item)
      return
    }
    this.#offset = 'offset' in item ? item.offset : String(item.seq)
    if (item.kind === 'delta') {
      this.counts.deltas++
      if (item.delta.kind === 'text') this.streamed += item.delta.text
    } else if (item.kind === 'response-retract') {
      this.counts.retractions++
      this.streamed = ''
    } else this.entries.push(item)
  }
}
