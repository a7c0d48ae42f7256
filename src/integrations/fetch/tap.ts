/** Observes the body of a response, with no effect on the code that reads the response. */
export interface ResponseListener {
  /** The chunk belongs to the code that reads the response, and must not be kept. It is bytes, except in custom streams. */
  chunk(piece: unknown): void
  /** Called once: the stream has ended, was cancelled, or failed. */
  end(how: 'whole' | 'cut'): void
}

/**
 * The same response, with a listener for its body. A copy of the stream (`tee`) would be read separately and keep the
 * connection open after a cancel; this one is read at the caller's pace, and cancelled with it. A response that cannot be
 * observed is returned as it is, and the listener is told that it is cut.
 */
export function tap(response: Response, listener: ResponseListener): Response {
  const { body } = response
  const made = response instanceof Response && body && !body.locked ? rebuild(response, body, listener) : undefined
  if (!made) listener.end(body ? 'cut' : 'whole')
  return made ?? response
}

function rebuild(response: Response, body: ReadableStream, listener: ResponseListener): Response | undefined {
  try {
    return copyProperties(new Response(tapped(response, body, listener), response), response)
  } catch {
    // A subclass that cannot be constructed here.
    return undefined
  }
}

/**
 * The stream keeps a reference to the response: if a response is garbage-collected unread, its host closes the connection.
 */
function tapped(response: Response, body: ReadableStream, listener: ResponseListener): ReadableStream {
  let reader: ReadableStreamDefaultReader | undefined
  const open = (controller: Controller): ReadableStreamDefaultReader => {
    const opened = body.getReader()
    // Code that is not reading at the moment gets the error at once, as without a listener.
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
        // Before it is enqueued, since a byte stream detaches the buffer.
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
  // Nothing is read ahead.
  return isOfBytes(body)
    ? new ReadableStream({ ...source, type: 'bytes' })
    : new ReadableStream(source, { highWaterMark: 0 })
}

type Controller = ReadableByteStreamController | ReadableStreamDefaultController

/** Only byte streams support a reader with its own buffer. */
function isOfBytes(body: ReadableStream): boolean {
  try {
    body.getReader({ mode: 'byob' }).releaseLock()
    return true
  } catch {
    return false
  }
}

/** Copies the properties that the `Response` constructor does not accept. */
export function copyProperties(made: Response, { url, redirected, type }: Response): Response {
  const clone = (): Response => copyProperties(Response.prototype.clone.call(made), made)
  return Object.defineProperties(made, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
    clone: { value: clone },
  })
}
