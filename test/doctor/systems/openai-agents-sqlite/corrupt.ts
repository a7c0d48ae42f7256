import { Random } from '../../../laws/random.ts'
import type { ItemRow, SessionStore } from './generate.ts'
import { callOf, resultOf, wordsOf } from './speaker.ts'

/** One to four defects in the rows of one session. */
export function corrupt(seed: number, { advanced, rows }: SessionStore): SessionStore {
  const random = new Random(seed ^ 0x5eed)
  const session = random.pick(rows).session
  let items = [...rows]
  for (let count = random.range(1, 4); count > 0; count--) items = random.pick(faults)(random, items, session)
  return { advanced, rows: items }
}

type Fault = (random: Random, rows: ItemRow[], session: string) => ItemRow[]

const faults: readonly Fault[] = [
  loseResult,
  loseResult,
  loseCall,
  doubleResult,
  delayResult,
  advanceResult,
  strayResult,
  endInCalls,
  writeOn,
  cutTail,
]

function loseResult(random: Random, rows: ItemRow[], session: string): ItemRow[] {
  return without(rows, anyOf(random, rows, session, isResult))
}

function loseCall(random: Random, rows: ItemRow[], session: string): ItemRow[] {
  return without(rows, anyOf(random, rows, session, isCall))
}

/** A retry wrote it again. */
function doubleResult(random: Random, rows: ItemRow[], session: string): ItemRow[] {
  const at = anyOf(random, rows, session, isResult)
  return at < 0 ? rows : [...rows, rows[at]]
}

function delayResult(random: Random, rows: ItemRow[], session: string): ItemRow[] {
  const at = anyOf(random, rows, session, isResult)
  const words = rows.findIndex((row, index) => index > at && row.session === session && /"role": "user"/.test(row.data))
  return at < 0 || words < 0 ? rows : rows.toSpliced(words + 1, 0, rows[at]).toSpliced(at, 1)
}

function advanceResult(random: Random, rows: ItemRow[], session: string): ItemRow[] {
  const at = anyOf(random, rows, session, isResult)
  const id = idOf(rows[at])
  const call = rows.findIndex(row => row.session === session && isCall(row) && idOf(row) === id)
  return at < 0 || call < 0 || call > at ? rows : rows.toSpliced(at, 1).toSpliced(call, 0, rows[at])
}

function strayResult(random: Random, rows: ItemRow[], session: string): ItemRow[] {
  return [...rows, later(rows, session, resultOf(random, random.id('call_')))]
}

/** The process died after the calls. */
function endInCalls(random: Random, rows: ItemRow[], session: string): ItemRow[] {
  const calls = Array.from({ length: random.range(1, 2) }, () =>
    later(rows, session, callOf(random, random.id('call_'))),
  )
  return [...rows, ...calls]
}

function writeOn(random: Random, rows: ItemRow[], session: string): ItemRow[] {
  return [...endInCalls(random, rows, session), later(rows, session, wordsOf(random))]
}

/** `pop_item`, some times. */
function cutTail(random: Random, rows: ItemRow[], session: string): ItemRow[] {
  let left = random.range(1, 3)
  const own = rows.filter(row => row.session === session).length
  if (own < 5) return rows
  return rows
    .toReversed()
    .filter(row => row.session !== session || left-- <= 0)
    .reverse()
}

const later = (rows: readonly ItemRow[], session: string, data: string): ItemRow => ({
  session,
  data,
  createdAt: rows.at(-1)?.createdAt ?? '2026-07-01 10:00:00',
})

const isResult = ({ data }: ItemRow): boolean => /"type": "(function_call|custom_tool_call)_output"/.test(data)
const isCall = ({ data }: ItemRow): boolean => /"type": "(function_call|custom_tool_call)"/.test(data)
const idOf = (row: ItemRow | undefined): unknown => (row ? JSON.parse(row.data).call_id : undefined)

function anyOf(random: Random, rows: readonly ItemRow[], session: string, fits: (row: ItemRow) => boolean): number {
  const places = [...rows.keys()].filter(at => rows[at].session === session && fits(rows[at]))
  return places.length > 0 ? random.pick(places) : -1
}

const without = (rows: readonly ItemRow[], at: number): ItemRow[] => rows.filter((_, index) => index !== at)
