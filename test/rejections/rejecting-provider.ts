import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bodyOf, objections, type RejectionCase } from './shared-cases.ts'

/** A provider on loopback that answers as a case says: the first request is rejected unless it was repaired already, the next accepted. */
export async function startRejecting() {
  let current: RejectionCase | undefined
  let bodies: Buffer[] = []
  const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push(Buffer.concat(chunks))
    if (!current) return response.writeHead(500).end()
    const { refusal, class: kind } = current
    const mayAccept = kind !== 'not-healable'
    const isAccepted =
      mayAccept && (bodies.length > 1 || objections(JSON.parse(String(bodies[0])), current).length === 0)
    if (isAccepted) response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    else response.writeHead(refusal.status, { 'content-type': 'application/json' }).end(bodyOf(current))
  })
  // A connection that waits is not closed: the next request would meet its end.
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get bodies(): readonly Buffer[] {
      return bodies
    },
    answerWith(rejected: RejectionCase): void {
      current = rejected
      bodies = []
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
