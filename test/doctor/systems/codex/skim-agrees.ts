import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { examineRecords } from '../../../../src/doctor/systems/codex/examine.ts'
import { firstHeader } from '../../../../src/doctor/systems/codex/lineage.ts'
import { openRollout } from '../../../../src/doctor/systems/codex/rollout-file.ts'
import { skimRollout } from '../../../../src/doctor/systems/codex/skim.ts'
import { Random } from '../../../laws/random.ts'
import { corrupt } from './corrupt.ts'
import { generate } from './generate.ts'

export type Verdict = 'healthy' | 'broken' | 'doubted' | 'not skimmed'

/** Expects that a rollout is surely healthy only if the examination finds nothing in it, and counts the same. */
export async function skimAgrees(path: string, about: unknown): Promise<Verdict> {
  const file = await openRollout(path)
  if (path.endsWith('.zst') || firstHeader(file.lines())?.isPaginated) return 'not skimmed'
  const counts = skimRollout(path)
  const found = examined(file)
  if (!counts) return found === undefined || found.state === 'broken' ? 'broken' : 'doubted'
  const nothing = { state: 'healthy', repairs: [], remaining: [], notes: [], dropped: [] }
  expect({ about, found }).toEqual({ about, found: { ...nothing, counts: { ...counts, orphans: 0, unanswered: 0 } } })
  return 'healthy'
}

/** What is found in a rollout; undefined if it cannot be examined. */
function examined(file: Awaited<ReturnType<typeof openRollout>>): Record<string, unknown> | undefined {
  try {
    const inherited = { changes: () => [], close: () => {} }
    const { draw: _, ...found } = examineRecords(file, inherited, false)
    return found as unknown as Record<string, unknown>
  } catch {
    return undefined
  }
}

/** How often each verdict is given for random rollouts: healthy, with the defects of crashes, and changed anywhere. */
export async function skimRandomly(folder: string, from: number, to: number): Promise<Record<Verdict, number>> {
  const counts = { healthy: 0, broken: 0, doubted: 0, 'not skimmed': 0 }
  const path = join(folder, 'sessions/rollout.jsonl')
  mkdirSync(dirname(path), { recursive: true })
  for (let seed = from; seed < to; seed++) {
    const random = new Random(seed + 9_000_000)
    const home = generate(seed)
    const { files } = seed % 3 === 1 ? corrupt(seed, home) : home
    const bytes = files.get(home.path) as Buffer
    if (home.path.endsWith('.zst')) continue
    writeFileSync(path, seed % 3 === 2 ? changed(bytes, random) : bytes)
    counts[await skimAgrees(path, seed)]++
  }
  return counts
}

/** A rollout with some of its lines, ids or bytes changed. */
function changed(bytes: Buffer, random: Random): Buffer {
  const lines = bytes.toString('latin1').split('\n')
  const at = random.range(1, lines.length - 1)
  const other = random.range(1, lines.length - 1)
  const line = lines[at] as string
  switch (random.int(7)) {
    case 0:
      lines.splice(at, 1)
      break
    case 1:
      lines.splice(other, 0, line)
      break
    case 2:
      lines.splice(other, 0, ...lines.splice(at, 1))
      break
    case 3:
      lines[at] = withIdOf(line, lines[other] as string)
      break
    case 4: {
      const place = random.int(line.length + 1)
      lines[at] = line.slice(0, place) + random.pick(pieces) + line.slice(place + random.int(2))
      break
    }
    case 5: {
      const names = [...line.matchAll(/"\w+"/g)].map(([name]) => name)
      if (names.length > 0) lines[at] = line.replace(random.pick(names), random.pick(names))
      break
    }
    default:
      lines[at] = line.replace(/:"[^"]*"/g, value => (random.chance(0.1) ? ':null' : value))
  }
  return Buffer.from(lines.join('\n'), 'latin1')
}

/** A line with an id of another line in place of its own. */
function withIdOf(line: string, other: string): string {
  const key = /"call_id":/.test(line) ? 'call_id' : 'id'
  const id = /"(?:call_)?id":"[^"]*"/.exec(other)?.[0].replace(/^"\w+":/, '')
  return id === undefined ? line : line.replace(new RegExp(`"${key}":"[^"]*"`), `"${key}":${id}`)
}

const pieces = [
  '"',
  '\\',
  '\\"',
  '\\u00e9',
  '\\u0022',
  '\\ud800',
  '\\u12',
  '\\x',
  '\t',
  '\r',
  '\0',
  '\x7f',
  '\n',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '0',
  'null',
  ' ',
  '\xff',
  '\xc3\xa9',
  '\xed\xa0\x80',
  '{"timestamp":"',
]
