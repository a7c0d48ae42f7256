import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isRecord } from '../../core/conversation.ts'
import { isAlive } from '../../files/is-alive.ts'
import type { Log } from './log.ts'

/** Why a conversation is left alone: an agent server holds it, or a run wrote to it a moment ago. */
export function workOn(path: string, { events, base }: Log, now: number): string | undefined {
  const owner = ownerOf(join(path, 'owner_lease.json'), now)
  if (owner !== undefined) return `an agent server${owner} holds its lease, so it is left alone`
  const time = events.at(-1)?.time ?? ''
  const isFresh = [time, `${time}Z`].some(stamp => Math.abs(now - Date.parse(stamp)) < freshMs)
  return base.status === 'running' && isFresh
    ? 'a run wrote to it less than five minutes ago, so it is left alone'
    : undefined
}

/** Events are stamped in the time of whoever wrote them, without saying which; a server may well keep another one. */
const freshMs = 300_000

/** Who holds a lease that has not run out; undefined if nobody does, or if that process is gone. */
function ownerOf(file: string, now: number): string | undefined {
  let lease: unknown
  try {
    lease = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
  if (!isRecord(lease) || typeof lease.expires_at !== 'number' || lease.expires_at * 1000 <= now) return undefined
  const { owner_host: host, owner_pid: pid } = lease
  if (typeof pid !== 'number' || host !== hostname()) return ''
  return isAlive(pid) ? ` (process ${pid})` : undefined
}
