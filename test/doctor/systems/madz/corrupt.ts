import { Random } from '../../../laws/random.ts'
import { callsEntry, entryOf, isCalling, quoted, resultEntry, roleOf, type Session } from './generate.ts'

/** One to four defects in the list of a session. */
export function corrupt(seed: number, session: Session): Session {
  const random = new Random(seed ^ 0x5eed)
  let entries = [...session.entries]
  for (let count = random.range(1, 4); count > 0; count--) entries = random.pick(faults)(random, entries)
  return { ...session, entries }
}

type Fault = (random: Random, entries: string[]) => string[]

const faults: readonly Fault[] = [
  strandCalls,
  displaceSystem,
  repeatSystem,
  loseResult,
  loseCalls,
  doubleResult,
  delayResult,
  strayResult,
]

/** An interruption left the calls. */
function strandCalls(random: Random, entries: string[]): string[] {
  const calls = callsEntry(random, [random.id('call_'), random.id('call_')].slice(random.int(2)))
  return entries.toSpliced(random.range(1, entries.length), 0, calls)
}

function displaceSystem(random: Random, entries: string[]): string[] {
  const system = roleOf(entries[0]) === 'system' ? entries[0] : entryOf(random, 'system', quoted(random))
  const rest = entries.filter(entry => entry !== system)
  return rest.toSpliced(random.range(1, rest.length), 0, system)
}

function repeatSystem(random: Random, entries: string[]): string[] {
  const first = entries.find(entry => roleOf(entry) === 'system')
  return first ? entries.toSpliced(random.range(1, entries.length), 0, first) : entries
}

function loseResult(random: Random, entries: string[]): string[] {
  return without(
    entries,
    anyOf(random, entries, entry => roleOf(entry) === 'tool'),
  )
}

function loseCalls(random: Random, entries: string[]): string[] {
  return without(entries, anyOf(random, entries, isCalling))
}

function doubleResult(random: Random, entries: string[]): string[] {
  const at = anyOf(random, entries, entry => roleOf(entry) === 'tool')
  return at < 0 ? entries : entries.toSpliced(random.range(at + 1, entries.length), 0, entries[at])
}

function delayResult(random: Random, entries: string[]): string[] {
  const at = anyOf(random, entries, entry => roleOf(entry) === 'tool')
  const user = entries.findIndex((entry, index) => index > at && roleOf(entry) === 'user')
  return at < 0 || user < 0 ? entries : entries.toSpliced(user + 1, 0, entries[at]).toSpliced(at, 1)
}

function strayResult(random: Random, entries: string[]): string[] {
  return entries.toSpliced(random.range(1, entries.length), 0, resultEntry(random, random.id('call_')))
}

function anyOf(random: Random, entries: readonly string[], fits: (entry: string) => boolean): number {
  const places = [...entries.keys()].filter(at => fits(entries[at]))
  return places.length > 0 ? random.pick(places) : -1
}

const without = (entries: readonly string[], at: number): string[] => entries.filter((_, index) => index !== at)
