import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type * as doctor from '../../../src/doctor/doctor.ts'
import type * as systems from '../../../src/doctor/systems.ts'
import { writeSession } from '../../doctor/sessions.ts'
import { inFolder } from '../../journal/folder.ts'
import type { Choice } from '../../task.ts'

export interface DoctorRow {
  name: string
  megabytes: number
  sessions: number
  /** The time of a visit as a multiple of the time that reading the same bytes takes. */
  ratio: number
  /** The same, of reading the same lines and parsing them. */
  parsed: number
  /** What the process took at most, in megabytes, and what it had before the visit. */
  peak: number
  before: number
}

/** Goes over healthy sessions, many or one large one, or heals a large broken one. */
export async function run(name: string, { quick }: Choice): Promise<DoctorRow> {
  const { examineStores: visit } = await load<typeof doctor>('doctor')
  const { systems: all } = await load<typeof systems>('systems')
  const scale = quick ? 0.05 : 1
  return inFolder(async file => {
    const root = file('sessions')
    const { sessions, bytes } = plans[name]
    const count = Math.max(1, Math.round(sessions * (sessions > 1 ? scale : 1)))
    const size = sessions > 1 ? bytes : Math.round(bytes * scale)
    let written = 0
    for (let number = 0; number < count; number++) {
      const session = `rollout-2026-05-14T10-22-00-0199f3c2-7b41-7a10-9c55-${String(number).padStart(12, '0')}.jsonl`
      written += writeSession(join(root, String(number % 100), session), size, name === 'healing')
    }
    const paths = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
    const read = time(() => readEach(paths))
    const before = process.memoryUsage().rss
    const start = performance.now()
    let found = 0
    const options = { systems: all, fix: name === 'healing', backups: file('backups') }
    for await (const one of visit([root], options)) if (one.kind === 'conversation') found++
    const took = performance.now() - start
    const peak = process.resourceUsage().maxRSS * 1024
    if (found !== count) throw new Error(`the doctor found ${found} sessions of ${count}`)
    const parsed = time(() => readEach(paths, line => JSON.parse(line)))
    const megabyte = 1024 * 1024
    return {
      name,
      megabytes: written / megabyte,
      sessions: count,
      ratio: took / read,
      parsed: took / parsed,
      peak: peak / megabyte,
      before: before / megabyte,
    }
  })
}

const plans: Record<string, { sessions: number; bytes: number }> = {
  many: { sessions: 10_000, bytes: 20 * 1024 },
  small: { sessions: 1, bytes: 100 * 1024 * 1024 },
  large: { sessions: 1, bytes: 1024 * 1024 * 1024 },
  healing: { sessions: 1, bytes: 1024 * 1024 * 1024 },
}

const load = async <T>(name: string): Promise<T> =>
  (await import(new URL(`../../../src/doctor/${name}.ts`, import.meta.url).href)) as T

function time(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function readEach(paths: readonly string[], use?: (line: string) => unknown): void {
  for (const path of paths) readAll(path, use)
}

/** Reads a file in blocks, and hands out its lines if anybody wants them. */
function readAll(path: string, use?: (line: string) => unknown): void {
  const file = openSync(path, 'r')
  const block = Buffer.allocUnsafe(1024 * 1024)
  let rest = Buffer.alloc(0)
  for (let length = 1; length > 0; ) {
    length = readSync(file, block, 0, block.length, null)
    if (!use) continue
    const bytes = Buffer.concat([rest, block.subarray(0, length)])
    let start = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      use(bytes.toString('utf8', start, end))
      start = end + 1
    }
    rest = Buffer.from(bytes.subarray(start))
  }
  closeSync(file)
}
