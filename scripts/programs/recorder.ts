import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as it came, to the byte. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Buffer
  /** Not known before it is answered. */
  status?: number
  /** What the proxy says that it has repaired. */
  repairs?: string
}

export interface Recorder extends AsyncDisposable {
  readonly url: string
  readonly requests: Recorded[]
  /** Where requests go. */
  target: string
}

/** A server that sends everything on as it came, and remembers it. */
export async function startRecorder(): Promise<Recorder> {
  const requests: Recorded[] = []
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers, rawHeaders } = request
    // Who speaks before anybody is meant to has found the port by chance.
    if (recorder.target === '') return response.destroy()
    const recorded: Recorded = { method, path: url, headers, body: await buffer(request) }
    requests.push(recorded)
    const onward = send(recorder.target + url, { method, headers: rawHeaders, setHost: false })
    onward.on('error', () => response.destroy())
    onward.on('response', answer => {
      recorded.status = answer.statusCode ?? 0
      const repairs = answer.headers['x-antiphon-repairs']
      if (typeof repairs === 'string') recorded.repairs = repairs
      response.writeHead(recorded.status, answer.rawHeaders)
      answer.pipe(response)
      answer.on('error', () => response.destroy())
      response.on('close', () => answer.destroy())
    })
    onward.end(recorded.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const recorder: Recorder = {
    url: `http://127.0.0.1:${port}`,
    requests,
    target: '',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return recorder
}
