import { type Dirent, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { mustHaveNoLinks } from '../../files/no-links.ts'
import type { RawLine } from '../../files/raw-lines.ts'
import type { Inherited } from './examine.ts'
import { type RolloutHeader, rolloutHeaderOf } from './header.ts'
import { rolloutPieces } from './recover-records.ts'
import { openRollout, type RolloutFile } from './rollout-file.ts'
import { inheritedChanges } from './scan.ts'

/** The items of the rollouts that this one was forked from, oldest first. */
export async function inheritedBy(path: string, header: RolloutHeader | undefined): Promise<Inherited> {
  const parts: { file: RolloutFile; endByte: number }[] = []
  const known = new Set<string>()
  let problem: string | undefined
  for (let [at, base] = [path, header?.base]; base; ) {
    const ancestor = known.has(base.rollout) || known.size === depthMax ? undefined : findRollout(at, base.rollout)
    if (ancestor === undefined) {
      problem = `the rollout ${base.rollout} that it was forked from is not here, so results without a call were left alone`
      break
    }
    known.add(base.rollout)
    const file = await openRollout(ancestor)
    parts.unshift({ file, endByte: base.endByte })
    at = ancestor
    base = firstHeader(file.lines())?.base
  }
  return {
    *changes() {
      for (const { file, endByte } of parts) yield* inheritedChanges(linesUpTo(file.lines(), endByte))
    },
    close() {
      for (const { file } of parts) file.close()
    },
    ...(problem === undefined ? {} : { problem }),
  }
}

const depthMax = 64

/** The header of a rollout, which is near its beginning, if there is one. */
export function firstHeader(lines: Iterable<RawLine>): RolloutHeader | undefined {
  let at = 0
  for (const { value } of rolloutPieces(lines)) {
    const header = value && rolloutHeaderOf(value, at)
    if (header || at++ === headerMax) return header
  }
  return undefined
}

/** So many records may be before the header. */
export const headerMax = 100

function* linesUpTo(lines: Iterable<RawLine>, endByte: number): Generator<RawLine> {
  let at = 0
  for (const line of lines) {
    if (at >= endByte) return
    yield line
    at += line.bytes.length + line.ending.length
  }
}

/** The file of a rollout in the same home: most likely in the folder of the day in its id. */
export function findRollout(path: string, rollout: string): string | undefined {
  const home = homeOf(path)
  if (home === undefined) return inFolder(dirname(path), rollout, dirname(path))
  const archive = join(home, 'archived_sessions')
  for (const day of daysOf(rollout)) {
    const found = inFolder(join(home, 'sessions', ...day.split('-')), rollout, home)
    if (found !== undefined) return found
  }
  return (
    inFolder(dirname(path), rollout, home) ??
    inFolder(archive, rollout, home) ??
    anywhere(join(home, 'sessions'), rollout, home)
  )
}

const homeOf = (path: string): string | undefined => {
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    if (['sessions', 'archived_sessions'].includes(basename(folder))) return dirname(folder)
  }
  return undefined
}

/** The id begins with its creation time, and folders are named in local time, so the adjacent days count too. */
function daysOf(rollout: string): string[] {
  const time = Number.parseInt(rollout.replaceAll('-', '').slice(0, 12), 16)
  const days = [time, time - dayMs, time + dayMs].map(ms => new Date(ms))
  return days.flatMap(day => (Number.isNaN(day.getTime()) ? [] : [day.toISOString().slice(0, 10)]))
}

const dayMs = 86_400_000

function inFolder(folder: string, rollout: string, home: string): string | undefined {
  const names = entriesIn(folder, home).flatMap(entry =>
    entry.isFile() && isNamed(entry.name, rollout) ? [entry.name] : [],
  )
  const name = names.find(one => one.endsWith('.jsonl')) ?? names[0]
  return name === undefined ? undefined : join(folder, name)
}

function anywhere(top: string, rollout: string, home: string): string | undefined {
  const coming = [top]
  for (let folder = coming.pop(); folder !== undefined; folder = coming.pop()) {
    const found = inFolder(folder, rollout, home)
    if (found !== undefined) return found
    for (const entry of entriesIn(folder, home)) if (entry.isDirectory()) coming.push(join(folder, entry.name))
  }
  return undefined
}

/**
 * The entries of a folder in the home of Codex; empty if it is missing, or is reached only through a link in that home.
 */
function entriesIn(folder: string, home: string): Dirent[] {
  try {
    mustHaveNoLinks(home, folder)
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

const isNamed = (name: string, rollout: string): boolean =>
  name.endsWith(`${rollout}.jsonl`) || name.endsWith(`${rollout}.jsonl.zst`)
