import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Line } from '../kill/ledger.ts'

/** Writes down what happens outside of the objects. */
export async function startLedger() {
  const lines: Line[] = []
  const server = createServer((request, response) => {
    void text(request).then(body => {
      lines.push(JSON.parse(body))
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    lines,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close(),
  }
}
