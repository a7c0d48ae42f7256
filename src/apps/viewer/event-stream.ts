import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/** Sends values as server-sent events, no faster than they are taken, and ends with them or when the client goes. */
export async function streamEvents(
  response: ServerResponse,
  values: AsyncIterable<unknown>,
  gone: AbortSignal,
): Promise<void> {
  // Nothing comes behind a stream, so that its end is that of the connection.
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', connection: 'close' })
  // The browser counts as connected from the first byte on.
  response.write(': hello\n\n')
  const beat = setInterval(() => {
    // A client that takes nothing has enough to take already.
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

/** Waits until a client has taken what was sent, or is gone. */
export async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return
  await once(response, 'drain', { signal: gone }).catch(() => {})
}
