/** Hears what passes through a response. Nothing it does can be felt by whoever reads the response. */
export interface Listener {
  /** The piece is the reader's, and is not to be kept. It is bytes, but for streams of somebody's own making. */
  chunk(piece: unknown): void
  /** Once: the end has come, or nobody wants the rest, or the rest does not come. */
  end(how: 'whole' | 'cut'): void
}

/**
 * The same response, whose body a listener hears as it is read. A copy of the stream would be read beside the reader, and
 * would keep the connection open when the reader has had enough; this one is read at the reader's pace, and is cancelled
 * with it. A response that cannot be listened to comes back as it is, and the listener hears that it is cut.
 */
export function tap(response: Response, listener: Listener): Response {
  const { body } = response
  const made = response instanceof Response && body && !body.locked ? madeAnew(response, body, listener) : undefined
  if (!made) listener.end(body ? 'cut' : 'whole')
  return made ?? response
}

function madeAnew(response: Response, body: ReadableStream, listener: Listener): Response | undefined {
  try {
    return dress(new Response(tapped(response, body, listener), response), response)
  } catch {
    // One of a kind that only its maker can make.
    return undefined
  }
}

/** The stream holds on to the response: if that is lost unread, its host closes the connection, and must not do so before. */
function tapped(response: Response, body: ReadableStream, listener: Listener): ReadableStream {
  let reader: ReadableStreamDefaultReader | undefined
  const open = (controller: Controller): ReadableStreamDefaultReader => {
    const opened = body.getReader()
    // Whoever reads nothing at the moment hears at once that the rest does not come, as without a listener.
    opened.closed.catch(error => {
      listener.end('cut')
      controller.error(error)
    })
    return opened
  }
  const source = {
    async pull(controller: Controller) {
      reader ??= open(controller)
      const { done, value } = await reader.read()
      if (!done) {
        // Before it is passed on, since a stream of bytes takes them away.
        listener.chunk(value)
        return controller.enqueue(value)
      }
      listener.end('whole')
      controller.close()
      if ('byobRequest' in controller) controller.byobRequest?.respond(0)
    },
    cancel(reason: unknown) {
      listener.end('cut')
      return reader ? reader.cancel(reason) : response.body?.cancel(reason)
    },
  }
  // Nothing is read before the reader asks for it.
  return isOfBytes(body)
    ? new ReadableStream({ ...source, type: 'bytes' })
    : new ReadableStream(source, { highWaterMark: 0 })
}

type Controller = ReadableByteStreamController | ReadableStreamDefaultController

/** Only a stream of bytes lets its reader bring the room for them. */
function isOfBytes(body: ReadableStream): boolean {
  try {
    body.getReader({ mode: 'byob' }).releaseLock()
    return true
  } catch {
    return false
  }
}

/** What a response cannot be made with, and so loses when it is made anew. */
function dress(made: Response, { url, redirected, type }: Response): Response {
  const clone = (): Response => dress(Response.prototype.clone.call(made), made)
  return Object.defineProperties(made, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
    clone: { value: clone },
  })
}
