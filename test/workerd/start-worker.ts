import { Miniflare } from 'miniflare'
import { Agent, fetch, type RequestInit, type Response } from 'undici'

export interface StartOptions {
  /** Where the objects are stored; in memory if absent. */
  readonly folder?: string
  readonly bindings?: Readonly<Record<string, unknown>>
  readonly flags?: readonly string[]
}

/** A worker in the runtime, on loopback. */
export interface StartedWorker {
  readonly url: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  stop(): Promise<void>
}

/** Starts a bundled worker. Every class is bound by its own name. */
export async function startWorker(
  code: string,
  classes: readonly string[],
  { folder, bindings = {}, flags = [] }: StartOptions = {},
): Promise<StartedWorker> {
  let words = ''
  const runtime = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: code }],
    compatibilityDate,
    compatibilityFlags: flags,
    bindings,
    durableObjects: Object.fromEntries(classes.map(className => [className, { className, useSQLite: true }])),
    ...(folder !== undefined && { durableObjectsPersist: folder }),
    // Objects that crash are part of the tests, and each of them would be reported.
    handleRuntimeStdio: (stdout, stderr) => {
      stdout.resume()
      stderr.on('data', data => {
        words = `${words}${data}`.slice(-4_000)
      })
    },
  })
  const { origin } = await runtime.ready.catch(cause => {
    throw new Error(`the runtime did not start: ${words}`, { cause })
  })
  // Without keep-alive: a worker closes idle connections, and a request on one of them would fail.
  const dispatcher = new Agent({ pipelining: 0 })
  return {
    url: origin,
    fetch: (path, init) => fetch(`${origin}${path}`, { dispatcher, ...init }),
    async stop() {
      await dispatcher.close()
      await runtime.dispose()
    },
  }
}

/** The date of the examples in the documentation. */
export const compatibilityDate = '2026-04-01'
