import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'undici'
import type { Requests } from './body.ts'

/** A server in a process of its own. */
export interface Served {
  readonly url: string
  /** Its memory in bytes, and the time of processors that it has taken so far in microseconds. */
  usage(): Promise<{ rss: number; cpu: number }>
  stop(): void
}

export async function serve(file: string, ...args: string[]): Promise<Served> {
  const child: ChildProcess = fork(fileURLToPath(new URL(`${file}.ts`, import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
  })
  const [url] = (await once(child, 'message')) as [string]
  return {
    url,
    async usage() {
      child.send('how much?')
      const [{ rss, cpu }] = (await once(child, 'message')) as [{ rss: number; cpu: NodeJS.CpuUsage }]
      return { rss, cpu: cpu.user + cpu.system }
    },
    stop: () => child.disconnect(),
  }
}

/** Requests a second at so many connections, each with one request at a time, over about so long. */
export async function rateOf(
  pool: InstanceType<typeof Pool>,
  requests: Requests,
  connections: number,
  ms: number,
): Promise<number> {
  const start = performance.now()
  let done = 0
  const work = async (): Promise<void> => {
    while (performance.now() - start < ms) {
      const { statusCode, body: answer } = await pool.request({
        path: '/v1/chat/completions',
        method: 'POST',
        headers,
        body: requests.next(),
      })
      await answer.dump()
      if (statusCode !== 200) throw new Error(`status ${statusCode}`)
      done++
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  return (done * 1000) / (performance.now() - start)
}

const headers = { 'content-type': 'application/json', authorization: 'Bearer any' }
