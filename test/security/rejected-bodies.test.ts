import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { chatPath, post } from '../integrations/fetch/requests.ts'
import { serve, upstream } from '../integrations/proxy/serving.ts'

test('[SE140] compressed requests that are rejected together are decompressed one at a time', async () => {
  const decompressing = countLongBodies()
  const held: ServerResponse[] = []
  const mine = await upstream((request, response) => request.resume().on('end', () => held.push(response)))
  const { url } = await serve({ to: mine.url, maxBytes: 2 ** 21 })
  const messages = [{ role: 'user', content: 'word '.repeat(200_000) }]
  const body = gzipSync(JSON.stringify({ model: 'gpt-4.1', messages }))
  const count = 3
  const answers = Array.from({ length: count }, () =>
    fetch(url + chatPath, post(body, { headers: { 'content-encoding': 'gzip' } })),
  )
  await vi.waitFor(() => expect(held).toHaveLength(count), { timeout: 120_000 })
  expect(decompressing).toMatchObject({ now: 0, most: 1 })
  const { total } = decompressing
  const message = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
  for (const response of held)
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message, type: 'invalid_request_error' } }))
  for (const answer of answers) expect((await answer).status).toBe(400)
  expect(decompressing).toMatchObject({ now: 0, most: 1 })
  expect(decompressing.total).toBeGreaterThan(total)
})

/** Counts bodies that are decompressed beyond the length up to which the proxy looks at once: how many now, and the most at once. */
function countLongBodies() {
  const counts = { now: 0, most: 0, total: 0 }
  const Original = globalThis.DecompressionStream
  onTestFinished(() => {
    globalThis.DecompressionStream = Original
  })
  globalThis.DecompressionStream = class {
    readonly writable: InstanceType<typeof Original>['writable']
    readonly readable: InstanceType<typeof Original>['readable']
    constructor(format: ConstructorParameters<typeof Original>[0]) {
      const original = new Original(format)
      let bytes = 0
      const counted = new TransformStream<Uint8Array, Uint8Array>({
        async transform(chunk, controller) {
          const isLong = bytes <= longBytes && bytes + chunk.length > longBytes
          bytes += chunk.length
          if (isLong) {
            counts.total++
            counts.most = Math.max(counts.most, ++counts.now)
            // Long enough for others to get as far.
            await setTimeout(200)
          }
          controller.enqueue(chunk)
        },
        flush() {
          if (bytes > longBytes) counts.now--
        },
      })
      this.writable = original.writable
      this.readable = original.readable.pipeThrough(counted) as InstanceType<typeof Original>['readable']
    }
  }
  return counts
}

const longBytes = 600_000
