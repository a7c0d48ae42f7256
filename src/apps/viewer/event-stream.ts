import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/** Sends values as server-sent events, with backpressure. Ends after the last value, or when the client disconnects. */
export async function streamEvents(
  response: ServerResponse,
  values: AsyncIterable<unknown>,
  gone: AbortSignal,
): Promise<void> {
  // The end of the stream is the end of the connection.
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' })
  // The browser reports the connection as open after the first byte.
  response.write(': hello\n\n')
  const beat = setInterval(() => {
    // A client that does not read needs no keep-alive comments.
    if (!response.writableNeedDrain) response.write(': still there\n\n')
  }, beatMs)
  try {
    for await (const value of values) {
      if (!response.write(`data: ${JSON.stringify(value)}\n\n`)) await drained(response, gone)
      if (gone.aborted) break
    }
  } finally {
    clearInterval(beat)
    response.end()
  }
}

const beatMs = 15_000

/** Waits until the client has read what was sent, or has disconnected. */
export async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return
  await once(response, 'drain', { signal: gone }).catch(() => {})
}
