import { once } from 'node:events'
import { createServer, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: string
}

interface Recorded {
  headers: Record<string, unknown>
  body: Buffer
}

interface Service extends AsyncDisposable {
  url: string
  requests: Recorded[]
}

/** A server that speaks HTTP/2, as the client does, and answers in order; the last answer is for ever. */
export const startService = (...answers: (Answer | 'reset')[]): Promise<Service> => {
  let count = 0
  return serve(async () => answers[Math.min(++count, answers.length) - 1] ?? {})
}

/** What Bedrock is to a Claude model: the body goes on as it is, the model comes from the path, a refusal is an exception. */
export const startRelay = (provider: string): Promise<Service> =>
  serve(async ({ body }) => {
    const { anthropic_version: _, ...fields } = JSON.parse(body.toString())
    const answer = await fetch(`${provider}/anthropic/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ model: 'claude-sonnet-4-5', ...fields }),
    })
    const told = await answer.text()
    return answer.ok ? { body: told } : refusal(JSON.parse(told).error.message)
  })

export const refusal = (message: string, type = 'ValidationException'): Answer => ({
  ...{ status: 400, headers: { 'x-amzn-errortype': type } },
  body: JSON.stringify({ message }),
})

async function serve(answer: (request: Recorded) => Promise<Answer | 'reset'>): Promise<Service> {
  const requests: Recorded[] = []
  const sessions = new Set<ServerHttp2Session>()
  const visit = async (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const recorded = { headers: request.headers, body: Buffer.concat(chunks) }
    requests.push(recorded)
    const told = await answer(recorded)
    if (told === 'reset') return request.stream.session?.destroy()
    response.writeHead(told.status ?? 200, { 'content-type': 'application/json', ...told.headers })
    response.end(told.body ?? '{}')
  }
  const server = createServer((request, response) => {
    visit(request, response).catch(() => response.stream.destroy())
  })
  server.on('session', session => sessions.add(session))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
