import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** A primary and a synchronous standby, on loopback. */
export interface Pair {
  /** The connection string, with both hosts. */
  readonly url: string
  /** Those of one host each. */
  readonly urls: readonly string[]
  /**
   * Promotes the standby: after the primary has crashed, or while it still runs. Resolves when the old primary is the standby; `promoted` is
   * called when the new one accepts writes.
   */
  failOver(how: 'fail' | 'part', promoted?: () => void): Promise<void>
  stop(): Promise<void>
}

export async function startPair(): Promise<Pair> {
  const guard = fork(fileURLToPath(import.meta.resolve('./postgres-pair-guard.ts')), { execArgv: [] })
  const failed = once(guard, 'exit').then(([code]) => {
    throw new Error(`there is no pair of PostgreSQL servers: its guard ended with ${code}`)
  })
  failed.catch(() => {})
  const next = async (): Promise<unknown> => ((await Promise.race([once(guard, 'message'), failed])) as unknown[])[0]
  const { ports, user, password } = (await next()) as { ports: number[]; user: string; password: string }
  const login = `${user}:${encodeURIComponent(password)}`
  const hosts = ports.map(port => `127.0.0.1:${port}`)
  return {
    url: `postgres://${login}@${hosts.join(',')}/postgres?target_session_attrs=read-write`,
    urls: hosts.map(host => `postgres://${login}@${host}/postgres`),
    async failOver(how, promoted) {
      guard.send(how)
      await next()
      promoted?.()
      await next()
    },
    async stop() {
      guard.disconnect()
      await once(guard, 'exit')
    },
  }
}
