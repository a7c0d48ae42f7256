import type { ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'

/** Whoever asked, as long as they are there. */
export interface Client {
  readonly response: ServerResponse
  readonly isGone: boolean
  /** From now on this is what the client waits for: it is paused while the client reads slowly, and ends when the client goes. */
  bind(controller: Dispatcher.DispatchController): void
  /** Nothing is under way for the client any more. */
  release(): void
}

export function watch(response: ServerResponse): Client {
  let bound: Dispatcher.DispatchController | undefined
  let isGone = false
  response.on('drain', () => bound?.resume())
  response.on('close', () => {
    isGone = !response.writableFinished
    if (isGone) bound?.abort(new Error('the client has gone'))
  })
  // That the client cannot be written to is told by its going.
  response.on('error', () => {})
  return {
    response,
    get isGone() {
      return isGone
    },
    bind(controller) {
      bound = controller
      if (isGone) controller.abort(new Error('the client has gone'))
    },
    release() {
      bound = undefined
    },
  }
}
