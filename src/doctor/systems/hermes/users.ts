import { hostname } from 'node:os'
import type { DatabaseSync } from 'node:sqlite'
import { isAlive } from '../../files/processes/is-alive.ts'

/**
 * Who works on a session, as the program has recorded it: a turn, a compression, or a gateway, which may write to all
 * sessions. A record of a process that has ended does not count. Undefined if no process does.
 */
export function usersOf(database: DatabaseSync, session: string, now: number): string | undefined {
  const seconds = now / 1000
  for (const [table, key, what] of leases) {
    if (!exists(database, table)) continue
    const rows = database.prepare(`select holder, expires_at from ${table} where ${key} = ?`).all(session)
    for (const { holder, expires_at } of rows) {
      const pid = Number(/\bpid[=:](\d{1,10})/.exec(String(holder))?.[1] ?? Number.NaN)
      const isOver = Number(expires_at) <= seconds || (!Number.isNaN(pid) && !isAlive(pid))
      if (!isOver) return `${what} of ${holder} is recorded as running`
    }
  }
  if (!exists(database, 'gateway_heartbeats')) return undefined
  const beats = database.prepare('select pid, host, last_heartbeat from gateway_heartbeats').all()
  const gateway = beats.find(
    ({ pid, host, last_heartbeat }) =>
      Number(last_heartbeat) > seconds - heartbeatSeconds &&
      (host !== '' && host !== hostname() ? true : isAlive(Number(pid))),
  )
  return gateway && `a gateway (process ${gateway.pid}) is recorded as running`
}

const leases = [
  ['session_turn_leases', 'conversation_id', 'a turn'],
  ['compression_locks', 'session_id', 'a compression'],
] as const

/** A gateway that has not written for so long is not running. */
const heartbeatSeconds = 300

const exists = (database: DatabaseSync, table: string): boolean =>
  database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table) !== undefined
