import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { RawLine } from '../../files/raw-lines.ts'
import type { Inherited } from './examine.ts'
import { type Header, headerOf } from './header.ts'
import { openRollout, type RolloutFile } from './rollout-file.ts'
import { piecesOf } from './salvage.ts'
import { factsHandedDown } from './scan.ts'

/** What stands in the rollouts that this one was forked from, oldest first. */
export async function inheritedBy(path: string, header: Header | undefined): Promise<Inherited> {
  const parts: { file: RolloutFile; endByte: number }[] = []
  const known = new Set<string>()
  let trouble: string | undefined
  for (let [at, base] = [path, header?.base]; base; ) {
    const ancestor = known.has(base.rollout) || known.size === depthMax ? undefined : findRollout(at, base.rollout)
    if (ancestor === undefined) {
      trouble = `the rollout ${base.rollout} that it was forked from is not here, so results without a call were left alone`
      break
    }
    known.add(base.rollout)
    const file = await openRollout(ancestor)
    parts.unshift({ file, endByte: base.endByte })
    at = ancestor
    base = firstHeader(file.lines())?.base
  }
  return {
    *facts() {
      for (const { file, endByte } of parts) yield* factsHandedDown(linesUpTo(file.lines(), endByte))
    },
    close() {
      for (const { file } of parts) file.close()
    },
    ...(trouble === undefined ? {} : { trouble }),
  }
}

const depthMax = 64

/** The header of a rollout, which stands near its beginning or nowhere. */
export function firstHeader(lines: Iterable<RawLine>): Header | undefined {
  let at = 0
  for (const { value } of piecesOf(lines)) {
    const header = value && headerOf(value, at)
    if (header || at++ === headerMax) return header
  }
  return undefined
}

const headerMax = 100

function* linesUpTo(lines: Iterable<RawLine>, endByte: number): Generator<RawLine> {
  let at = 0
  for (const line of lines) {
    if (at >= endByte) return
    yield line
    at += line.bytes.length + line.ending.length
  }
}

/** The file of a rollout in the same home: most likely in the folder of the day that its id tells. */
function findRollout(path: string, rollout: string): string | undefined {
  const home = homeOf(path)
  if (home === undefined) return inFolder(dirname(path), rollout)
  const archive = join(home, 'archived_sessions')
  for (const day of daysOf(rollout)) {
    const found = inFolder(join(home, 'sessions', ...day.split('-')), rollout)
    if (found !== undefined) return found
  }
  return inFolder(dirname(path), rollout) ?? inFolder(archive, rollout) ?? anywhere(join(home, 'sessions'), rollout)
}

const homeOf = (path: string): string | undefined => {
  for (let folder = dirname(path); dirname(folder) !== folder; folder = dirname(folder)) {
    if (['sessions', 'archived_sessions'].includes(basename(folder))) return dirname(folder)
  }
  return undefined
}

/** The id begins with the time at which it was made, and folders are named in local time, so the days beside it count too. */
function daysOf(rollout: string): string[] {
  const time = Number.parseInt(rollout.replaceAll('-', '').slice(0, 12), 16)
  const days = [time, time - dayMs, time + dayMs].map(ms => new Date(ms))
  return days.flatMap(day => (Number.isNaN(day.getTime()) ? [] : [day.toISOString().slice(0, 10)]))
}

const dayMs = 86_400_000

function inFolder(folder: string, rollout: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const names = readdirSync(folder).filter(name => isNamed(name, rollout))
  const name = names.find(one => one.endsWith('.jsonl')) ?? names[0]
  return name === undefined ? undefined : join(folder, name)
}

function anywhere(folder: string, rollout: string): string | undefined {
  if (!existsSync(folder)) return undefined
  const found = readdirSync(folder, { recursive: true }).find(name => isNamed(String(name), rollout))
  return found === undefined ? undefined : join(folder, String(found))
}

const isNamed = (name: string, rollout: string): boolean =>
  name.endsWith(`${rollout}.jsonl`) || name.endsWith(`${rollout}.jsonl.zst`)
