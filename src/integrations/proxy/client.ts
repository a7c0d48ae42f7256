import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import { warn } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'

/** The client of one request, while it is connected. */
export class Client {
  readonly response: ServerResponse
  readonly socket: Socket
  /** The client disconnected before it received its whole answer. */
  isGone = false
  /** The upstream that the request is counted for in the metrics; undefined if it is not counted. */
  route: string | undefined
  #bound: Dispatcher.DispatchController | undefined
  #isOver = false
  #isUpgraded = false
  readonly #onEnd: (client: Client) => void

  /** `onEnd` is called once, when the client has its answer or has disconnected. */
  constructor(response: ServerResponse, onEnd: (client: Client) => void) {
    this.response = response
    this.socket = response.req.socket
    this.#onEnd = onEnd
    response.on('error', ignore)
    response.on('close', () => this.end())
  }

  /** The client has its answer, or its connection is closed. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.isGone = !this.#isUpgraded && !this.response.writableFinished
    if (this.isGone) this.#bound?.abort(gone())
    this.#onEnd(this)
  }

  /** The connection continues with another protocol, and the request ends with it. */
  upgrade(socket: Duplex): void {
    this.#isUpgraded = true
    this.release()
    this.response.statusCode = 101
    this.response.detachSocket(this.socket)
    socket.once('close', () => this.end())
  }

  /** Sets the upstream request that the client waits for: it is aborted if the client disconnects. */
  bind(controller: Dispatcher.DispatchController): void {
    this.#bound = controller
    if (this.isGone) controller.abort(gone())
  }

  /** The client no longer waits for an upstream request. */
  release(): void {
    this.#bound = undefined
  }

  /** Handles an unexpected error: it must neither end the proxy nor leave the client waiting. */
  handleError(error: unknown): void {
    notify(warn, error)
    this.response.destroy()
  }
}

const gone = (): Error => new Error('the client disconnected')

/** A write error of the client is followed by `close`, which is handled. */
const ignore = (): void => {}
