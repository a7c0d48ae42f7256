import { basename, dirname, join, resolve } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import type { LinkedFormat } from '../../linked/linked-format.ts'
import type { Peek } from '../../peek.ts'
import type { RecordedOwner, StoreUser, System } from '../../system.ts'
import { piHeader, piStore } from '../pi/index.ts'
import { piFormat } from '../pi/linked-format.ts'

/** Sessions of OpenClaw until 2026.7.1: files in the format of pi. Later ones are in a database. */
export const openclaw: System = {
  id: 'openclaw',
  title: 'OpenClaw',
  places: openclawPlaces,
  recognises,
  program: { processes: [], owners },
  open: async path => piStore(path, openclawFormat),
}

export function openclawPlaces({ home, folder, environment }: StoreUser): string[] {
  const { OPENCLAW_STATE_DIR: own } = environment
  const roots = own ? [resolve(folder, own)] : ['.openclaw', '.clawdbot'].map(name => join(home, name))
  return roots.map(root => join(root, 'agents'))
}

/**
 * The header is that of pi. What OpenClaw alone has are its own marks in the records, or the place of the file. Its
 * archives and its backups have other endings.
 */
function recognises(peek: Peek): boolean {
  if (!peek.name.endsWith('.jsonl') || !piHeader(peek)) return false
  const folder = dirname(resolve(peek.path))
  return (
    marks.test(peek.headText()) || (basename(folder) === 'sessions' && basename(dirname(dirname(folder))) === 'agents')
  )
}

const marks =
  /"customType":\s*"(model-snapshot|openclaw[^"]*)"|"__openclaw"|"openclaw[A-Z]\w*":|"provenance":\s*\{|"type":\s*"(leaf|reset)"/

/** A lock next to the session, with the process that holds it. One that is older than 30 minutes is stale. */
function owners(path: string, now: number): RecordedOwner[] {
  const lock = lockOf(path)
  const pid = Number(lock?.pid)
  const created = Date.parse(String(lock?.createdAt))
  if (!(pid > 0) || now - created > lockMsMax) return []
  const start = lock?.starttime === undefined ? {} : { start: String(lock.starttime) }
  return [{ pid, ...start, isThis: true, isCurrent: true }]
}

const lockMsMax = 30 * 60 * 1_000

function lockOf(path: string): Record<string, unknown> | undefined {
  try {
    const value = tryParseJson(readRegularFile(`${path}.lock`).toString())
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A missing parent is taken for the record before, and `leaf` entries say where the program continues. */
export const openclawFormat: LinkedFormat = {
  ...piFormat,
  followsLost: true,
  leaf({ ids }, value) {
    const last = ids.length - 1
    const control = last < 0 ? {} : value(last)
    const target = control.type === 'leaf' ? ids.indexOf(String(control.targetId)) : last
    return target < 0 ? last : target
  },
}
