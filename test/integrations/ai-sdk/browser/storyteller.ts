import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../laws/random.ts'
import { gate } from '../gate.ts'

export interface Storyteller extends AsyncDisposable {
  readonly url: string
  /** What is answered from now on. The last word is said when the gate opens. */
  tell(story: string): { open(): void }
}

/** A provider that streams a story in pieces of random sizes after random pauses. */
export async function startStoryteller(random: Random): Promise<Storyteller> {
  let story = ''
  let end = gate()
  const server = createServer(async (request, response) => {
    request.resume()
    const write = (delta: object, finish: string | null): unknown =>
      response.write(`data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const last = story.lastIndexOf(' ')
    for (let at = 0; at < last; ) {
      const to = Math.min(last, at + 1 + random.int(9))
      write({ role: 'assistant', content: story.slice(at, to) }, null)
      at = to
      await sleep(random.int(25))
    }
    await end.passed
    write({ content: story.slice(last) }, null)
    write({}, 'stop')
    response.end('data: [DONE]\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tell(next) {
      story = next
      end = gate()
      return end
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
