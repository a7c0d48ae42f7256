import type { Random } from '../../../laws/random.ts'

/** A corruption of the lines of a history, like crashes and defects of its writers; false if nothing is broken. */
type Corruption = (lines: string[], random: Random) => boolean

/** Breaks lines in place, once to four times. */
export function corruptLines(lines: string[], random: Random): string[] {
  const done: string[] = []
  const wanted = random.range(1, 4)
  for (let round = 0; done.length < wanted && round < 40; round++) {
    const name = random.pick(Object.keys(corruptions))
    if (corruptions[name](lines, random)) done.push(name)
  }
  return done
}

const corruptions: Record<string, Corruption> = {
  'a line with results is lost': (lines, random) => takeOut(lines, pick(lines, random, hasResults)) !== undefined,
  'a line with calls is lost': (lines, random) => takeOut(lines, pick(lines, random, hasCalls)) !== undefined,
  'results come late': (lines, random) => {
    const at = pick(lines, random, hasResults)
    const line = takeOut(lines, at)
    if (line === undefined) return false
    lines.splice(random.range(at, lines.length), 0, line)
    return true
  },
  'results stand twice': (lines, random) => {
    const at = pick(lines, random, hasResults)
    if (at < 0) return false
    lines.splice(random.range(at + 1, lines.length), 0, lines[at])
    return true
  },
  'one result of several is lost': (lines, random) => {
    const at = pick(lines, random, line => (line.match(/"function_result"/g)?.length ?? 0) > 1)
    if (at < 0) return false
    const message = JSON.parse(lines[at])
    message.contents.splice(random.int(message.contents.length), 1)
    lines[at] = JSON.stringify(message)
    return true
  },
  'the user speaks in front of results': (lines, random) => {
    const at = pick(lines, random, hasResults)
    if (at < 0) return false
    const said = { type: 'message', role: 'user', contents: [{ type: 'text', text: random.sentence() }] }
    lines.splice(at, 0, JSON.stringify(said))
    return true
  },
  'the end is lost': (lines, random) => {
    const at = pick(lines, random, hasCalls)
    if (at < 1) return false
    lines.splice(at + 1)
    return true
  },
  'the last line is cut': (lines, random) => {
    const last = lines.at(-1) ?? ''
    if (last.length < 20 || lines.length === 1) return false
    lines[lines.length - 1] = last.slice(0, random.range(5, last.length - 2))
    return true
  },
}

const hasResults = (line: string): boolean => isWhole(line) && line.includes('"function_result"')
const hasCalls = (line: string): boolean =>
  isWhole(line) && line.includes('"function_call"') && !line.includes('"function_approval_response"')

function isWhole(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

function pick(lines: readonly string[], random: Random, fits: (line: string) => boolean): number {
  const found = [...lines.keys()].filter(index => fits(lines[index]))
  return found.length === 0 ? -1 : random.pick(found)
}

const takeOut = (lines: string[], at: number): string | undefined =>
  at < 0 || lines.length === 1 ? undefined : lines.splice(at, 1)[0]
