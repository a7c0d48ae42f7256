/**
 * Reads the bytes of a stream. If they are more than `bytesMax`, if the stream fails, or if the signal aborts first, an
 * equivalent stream is returned instead: it yields what was read, and then continues or fails like the original.
 */
export async function readStream(
  stream: ReadableStream,
  bytesMax: number,
  signal?: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream> {
  const reader = stream.getReader()
  const chunks: unknown[] = []
  const aborted = Symbol('aborted')
  const { promise: abortion, resolve: abort } = withResolvers<typeof aborted>()
  const onAbort = () => abort(aborted)
  signal?.addEventListener('abort', onAbort)
  try {
    if (signal?.aborted) abort(aborted)
    for (let bytes = 0; bytes <= bytesMax; ) {
      // On abort the pending read goes to the replayed stream, so that its chunk is not lost.
      const reading = reader.read()
      const next = await Promise.race([reading, abortion])
      if (next === aborted) return replay(chunks, reader, reading)
      const { done, value } = next
      if (done) return join(chunks as Uint8Array[], bytes)
      chunks.push(value)
      if (!(value instanceof Uint8Array)) break
      bytes += value.byteLength
    }
    return replay(chunks, reader)
  } catch {
    return replay(chunks, reader)
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

type Reading = ReturnType<ReadableStreamDefaultReader['read']>

/** A stream of what was read, the pending read, and the rest. */
function replay(chunks: unknown[], reader: ReadableStreamDefaultReader, reading?: Reading): ReadableStream {
  let pending = reading
  let next = 0
  return new ReadableStream(
    {
      async pull(controller) {
        if (next < chunks.length) {
          const chunk = chunks[next]
          chunks[next++] = undefined
          return controller.enqueue(chunk)
        }
        const { done, value } = await (pending ?? reader.read())
        pending = undefined
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: reason => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

function join(chunks: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}
