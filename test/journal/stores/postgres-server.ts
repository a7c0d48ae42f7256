import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** A PostgreSQL server of its own, on loopback. */
export interface Server {
  readonly port: number
  /** The connection string, also by way of another port. */
  url(port?: number, password?: string): string
  /** A statement, on a connection of its own. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>
  /** Shuts the server down and starts it again. */
  restart(): Promise<void>
  /** The same, but it goes down as in a crash. */
  crash(): Promise<void>
  stop(): Promise<void>
}

export async function startServer(): Promise<Server> {
  const guard = fork(fileURLToPath(import.meta.resolve('./postgres-guard.ts')), { execArgv: [] })
  const [{ port, user, password }] = (await Promise.race([once(guard, 'message'), failure()])) as [Ready]
  const pool = new pg.Pool({ host: '127.0.0.1', port, user, password, database: 'postgres', max: 2 })
  pool.on('error', () => {})
  const tell = async (message: string) => {
    guard.send(message)
    await once(guard, 'message')
  }
  return {
    port,
    url: (way = port, word = password) => `postgres://${user}:${encodeURIComponent(word)}@127.0.0.1:${way}/postgres`,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    restart: () => tell('restart'),
    crash: () => tell('crash'),
    stop: async () => {
      await pool.end()
      guard.disconnect()
      await once(guard, 'exit')
    },
  }

  async function failure(): Promise<never> {
    const [code] = await once(guard, 'exit')
    throw new Error(`there is no PostgreSQL server: its guard ended with ${code}`)
  }
}

interface Ready {
  readonly port: number
  readonly user: string
  readonly password: string
}
