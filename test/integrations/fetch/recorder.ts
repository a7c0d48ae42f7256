import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request exactly as it came over the wire. */
export interface Recorded {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

export interface Recorder extends AsyncDisposable {
  url: string
  requests: Recorded[]
}

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string
}

/** A server that keeps what it gets, and answers as it is told: the answers in their order, and the last one for ever. */
export async function startRecorder(...answers: (Answer | 'reset')[]): Promise<Recorder> {
  const requests: Recorded[] = []
  const visit = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: Buffer.concat(chunks) })
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? {}
    if (answer === 'reset') return request.socket.destroy()
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
    response.end(answer.body ?? '{}')
  }
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    visit(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
