import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { warn } from '../../heal/warn.ts'
import { notify } from '../fetch/notify.ts'

/** Whoever asked, as long as they are there. */
export class Client {
  readonly response: ServerResponse
  /** They went before they had their whole answer. */
  isGone = false
  /** The upstream it is counted for, if it is counted. */
  route: string | undefined
  #bound: Dispatcher.DispatchController | undefined
  #isOver = false
  readonly #onEnd: (client: Client) => void

  /** Hears when the client has its answer or has gone. */
  constructor(response: ServerResponse, onEnd: (client: Client) => void) {
    this.response = response
    this.#onEnd = onEnd
    response.on('error', ignore)
    // Of a client that reads nothing; one that waits for its provider has nothing to read.
    response.on('timeout', (socket: Socket) => {
      if (socket.writableLength > 0) socket.destroy()
    })
    response.on('close', () => this.end())
  }

  /** The client has its answer, or its connection is closed. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.isGone = !this.response.writableFinished
    if (this.isGone) this.#bound?.abort(gone())
    this.#onEnd(this)
  }

  /** From now on this is what the client waits for: it ends when the client goes. */
  bind(controller: Dispatcher.DispatchController): void {
    this.#bound = controller
    if (this.isGone) controller.abort(gone())
  }

  /** Nothing is under way for the client any more. */
  release(): void {
    this.#bound = undefined
  }

  /** Nothing is known that leads here; whatever does must not end the proxy, nor leave a client waiting. */
  rescue(error: unknown): void {
    notify(warn, error)
    this.response.destroy()
  }
}

const gone = (): Error => new Error('the client has gone')

/** That a client cannot be written to is told by its going. */
const ignore = (): void => {}
