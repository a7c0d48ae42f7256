import { execFileSync } from 'node:child_process'
import { Miniflare } from 'miniflare'
import { Agent, fetch, type RequestInit, type Response } from 'undici'

export interface StartOptions {
  /** Where the objects are stored; in memory if absent. */
  readonly folder?: string
  readonly bindings?: Readonly<Record<string, unknown>>
  readonly flags?: readonly string[]
  /** Called with what the worker writes to its console. */
  readonly onOutput?: (text: string) => void
}

/** A worker in the runtime, on loopback. */
export interface StartedWorker {
  readonly url: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Kills the runtime. Objects in a folder are left as they are on disk. */
  kill(): void
  stop(): Promise<void>
}

/** Starts a bundled worker. Every class is bound by its own name. */
export async function startWorker(
  code: string,
  classes: readonly string[],
  { folder, bindings = {}, flags = [], onOutput = () => {} }: StartOptions = {},
): Promise<StartedWorker> {
  let words = ''
  const before = runtimes()
  const runtime = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: code }],
    compatibilityDate,
    compatibilityFlags: flags,
    bindings,
    durableObjects: Object.fromEntries(classes.map(className => [className, { className, useSQLite: true }])),
    ...(folder !== undefined && { durableObjectsPersist: folder }),
    // Objects that crash are part of the tests, and each of them would be reported.
    handleRuntimeStdio: (stdout, stderr) => {
      stdout.on('data', data => onOutput(String(data)))
      stderr.on('data', data => {
        words = `${words}${data}`.slice(-4_000)
      })
    },
  })
  const { origin } = await runtime.ready.catch(cause => {
    throw new Error(`the runtime did not start: ${words}`, { cause })
  })
  const started = runtimes().filter(pid => !before.includes(pid))
  // Without keep-alive: a worker closes idle connections, and a request on one of them would fail.
  const dispatcher = new Agent({ pipelining: 0 })
  return {
    url: origin,
    fetch: (path, init) => fetch(`${origin}${path}`, { dispatcher, ...init }),
    kill() {
      for (const pid of started) process.kill(pid, 'SIGKILL')
    },
    async stop() {
      await dispatcher.close()
      await runtime.dispose()
    },
  }
}

/** The runtimes that this process has started. */
function runtimes(): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' }).split('\n')
  const found = lines.map(line => line.trim().split(/\s+/, 3))
  return found.filter(([, parent, name]) => Number(parent) === process.pid && /workerd/.test(name)).map(([pid]) => +pid)
}

/** The date of the examples in the documentation. */
export const compatibilityDate = '2026-04-01'
