import type { ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'

/** Whoever asked, as long as they are there. */
export interface Client {
  readonly response: ServerResponse
  readonly isGone: boolean
  /** From now on this is what the client waits for: it ends when the client goes. */
  bind(controller: Dispatcher.DispatchController): void
  /** Nothing is under way for the client any more. */
  release(): void
}

/** Watches a client until it has its answer or has gone, and tells which. */
export function watch(response: ServerResponse, onEnd: (how: 'whole' | 'gone') => void): Client {
  let bound: Dispatcher.DispatchController | undefined
  let isGone = false
  response.on('close', () => {
    isGone = !response.writableFinished
    if (isGone) bound?.abort(new Error('the client has gone'))
    onEnd(isGone ? 'gone' : 'whole')
  })
  response.on('error', ignore)
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

/** That a client cannot be written to is told by its going. */
const ignore = (): void => {}
