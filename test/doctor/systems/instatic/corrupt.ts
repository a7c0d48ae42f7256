import { Random } from '../../../laws/random.ts'
import { type Chat, type FullRow, nanoid, type Store, withPositions } from './generate.ts'

/** The same store with one to four defects, such as kills, double submits and two servers at once leave. */
export function corrupt(seed: number, store: Store): Store {
  const random = new Random(seed + 1_000_003)
  const chats = store.chats.map(({ rows, ...chat }) => ({ ...chat, rows: [...rows] }))
  for (let count = random.range(1, 4); count > 0; count--) {
    const { rows } = random.pick(chats)
    if (rows.length > 0) random.pick(faults)(rows, random)
  }
  return { chats: chats.map(chat => settled(chat, random)) }
}

/** Positions are unique and in order again, as the index demands. */
function settled(chat: Chat, random: Random): Chat {
  const first = chat.rows.length > 0 ? Math.max(0, chat.rows[0].position) : 0
  return { ...chat, rows: withPositions(chat.rows, first, random) }
}

type Fault = (rows: FullRow[], random: Random) => void

const faults: readonly Fault[] = [
  loseCalls,
  loseResults,
  loseAnything,
  loseStretch,
  killServer,
  submitAgain,
  answerLate,
  answerEarly,
  doubleRow,
  inventResult,
  interleaveTurns,
  cutJson,
]

/** What was reported: results without the rows of their calls. */
function loseCalls(rows: FullRow[], random: Random): void {
  const at = placeOf(rows, random, row => row.role === 'assistant' && row.tool_call_id !== null)
  if (at >= 0) rows.splice(at, random.range(1, 2))
}

function loseResults(rows: FullRow[], random: Random): void {
  const at = placeOf(rows, random, ({ role }) => role === 'tool')
  if (at >= 0) rows.splice(at, 1)
}

function loseAnything(rows: FullRow[], random: Random): void {
  rows.splice(random.int(rows.length), 1)
}

function loseStretch(rows: FullRow[], random: Random): void {
  rows.splice(random.int(rows.length), random.range(2, 5))
}

/** Nothing after a row was written. */
function killServer(rows: FullRow[], random: Random): void {
  const at = placeOf(rows, random, ({ tool_call_id }) => tool_call_id !== null)
  if (at >= 0) rows.splice(at + 1)
}

/** The user sends a prompt again while a step is running, and its results follow that. */
function submitAgain(rows: FullRow[], random: Random): void {
  const at = placeOf(rows, random, ({ role }) => role === 'tool')
  if (at >= 0) rows.splice(at, 0, ...said(rows, random, random.range(1, 2)))
}

/** A result comes when the conversation is further on. */
function answerLate(rows: FullRow[], random: Random): void {
  const at = placeOf(rows, random, ({ role }) => role === 'tool')
  if (at < 0) return
  const [late] = rows.splice(at, 1)
  rows.splice(Math.min(rows.length, at + random.range(1, 6)), 0, late)
}

function answerEarly(rows: FullRow[], random: Random): void {
  const at = placeOf(rows, random, ({ role }) => role === 'tool')
  if (at < 0) return
  const [early] = rows.splice(at, 1)
  rows.splice(Math.max(0, at - random.range(1, 4)), 0, early)
}

function doubleRow(rows: FullRow[], random: Random): void {
  const at = random.int(rows.length)
  rows.splice(at + random.range(1, 3), 0, { ...rows[at], id: nanoid(random) })
}

function inventResult(rows: FullRow[], random: Random): void {
  const row: FullRow = {
    ...rows[0],
    id: nanoid(random),
    role: 'tool',
    content_json: random.pick(['[{"kind":"toolResult","ok":true}]', '[{"kind":"text","text":""}]']),
    tool_call_id: random.chance(0.8) ? random.id('call_') : random.pick([null, '']),
    tool_name: 'insertHtml',
  }
  rows.splice(random.int(rows.length + 1), 0, row)
}

/** Two servers answer two prompts at once: the rows of two turns, each in its own order. */
function interleaveTurns(rows: FullRow[], random: Random): void {
  const starts = rows.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  if (starts.length < 2) return
  const first = random.int(starts.length - 1)
  const [from, middle, to] = [starts[first], starts[first + 1], starts[first + 2] ?? rows.length]
  const turns = [rows.slice(from, middle), rows.slice(middle, to)]
  const mixed: FullRow[] = []
  while (turns[0].length + turns[1].length > 0) {
    const turn = turns[random.int(2)]
    if (turn.length > 0) mixed.push(turn.shift() as FullRow)
  }
  rows.splice(from, to - from, ...mixed)
}

/** The text of a row ends in the middle, as after a bad copy of the file. */
function cutJson(rows: FullRow[], random: Random): void {
  const at = random.int(rows.length)
  const { content_json } = rows[at]
  rows[at] = { ...rows[at], content_json: content_json.slice(0, random.int(content_json.length)) }
}

/** New words of the user, the same each time. */
function said(rows: readonly FullRow[], random: Random, count: number): FullRow[] {
  const content_json = JSON.stringify([{ kind: 'text', text: random.sentence() }])
  return Array.from({ length: count }, () => ({
    ...rows[0],
    id: nanoid(random),
    role: 'user',
    content_json,
    tool_call_id: null,
    tool_name: null,
  }))
}

/** The place of one row of a kind, or -1 if there is none. */
function placeOf(rows: readonly FullRow[], random: Random, isMeant: (row: FullRow) => boolean): number {
  const places = rows.flatMap((row, index) => (isMeant(row) ? [index] : []))
  return places.length > 0 ? random.pick(places) : -1
}
