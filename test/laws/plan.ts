import type { Random } from './random.ts'

/** The wires that plans are written in, and those whose histories are translated from one of them. */
export type Native = 'openai-chat' | 'openai-responses' | 'anthropic'
export type Codec =
  | Native
  | 'gemini'
  | 'bedrock'
  | 'ai-sdk'
  | 'ai-sdk-ui'
  | 'langchain'
  | 'ag-ui'
  | 'ollama'
  | 'pydantic-ai'
  | 'gemini-interactions'

/**
 * A wire whose histories are those of another, written in its own shape: so every corruption of that one is tried in it.
 * Takes whatever stands in a history: what it does not know it leaves as it is.
 */
export interface Translation {
  from: Native
  translate(messages: readonly unknown[], random: Random): unknown[]
}

export type Fields = Record<string, unknown>

/** A valid conversation that knows no wire. Each of its texts has a unique word in it. */
export interface Plan {
  system: string | undefined
  turns: Turn[]
  /** Whether the ids of one turn come again in the next. */
  reusedIds: boolean
}

export interface Turn {
  input: string
  image: string | undefined
  steps: Step[]
  /** Only the last turn may be without one. */
  answer: Answer | undefined
}

export interface Answer {
  text: string
  reasoning: string | undefined
  search: Search | undefined
}

export interface Step {
  text: string | undefined
  reasoning: string | undefined
  search: Search | undefined
  calls: Call[]
  /** The calls in the order in which their results came. */
  answered: Call[]
  /** What the user said while the tools ran. */
  note: string | undefined
}

/** A tool that the provider ran by itself. */
export interface Search {
  query: string
  found: string
}

export interface Call {
  /** Unique in its turn; a wire puts its own prefix before it. */
  id: string
  name: string
  input: Fields
  result: Result
}

export interface Result {
  text: string
  isError: boolean
  image: string | undefined
}

export type PartKind = 'call' | 'result' | 'reasoning' | 'server'

/** Which parts are of a kind, and under which key of a message they stand; without a key the message is the part. */
export interface PartShape {
  list?: string
  is(part: Fields): boolean
}

/** How a plan is written, and what a corruption has to know of the writing. */
export interface Wire {
  codec: Native
  write(plan: Plan, random: Random): unknown[]
  parts: Partial<Record<PartKind, PartShape>>
  callIdKey: string
  resultIdKey: string
  callMessage(call: Fields): Fields
  resultMessage(result: Fields): Fields
  /** The same result with other words. */
  resultSaying(result: Fields, text: string, isError: boolean): Fields
  /** The arguments as JSON, or undefined for a call that has none. */
  argumentsOf(call: Fields): string | undefined
  withArguments(call: Fields, value: unknown): Fields
  withName(call: Fields, name: string): Fields
  say(role: 'user' | 'assistant' | 'system', text: string): Fields
  /** The message of a user's own words, without results. */
  isUser(message: Fields): boolean
  isAssistant(message: Fields): boolean
}

/** At least three turns; 10 to 60 messages, or items, in every wire. Small ones come more often, since they show as much. */
export function plan(random: Random): Plan {
  const size = 10 + Math.floor(50 * random.next() ** 4)
  const style = makeStyle(random)
  const system = random.chance(0.6) ? random.sentence() : undefined
  const turns: Turn[] = []
  let used = 1
  while (turns.length < 3 || (used < size && size - used >= 8)) {
    style.nextId = style.reusesIds ? 0 : style.nextId
    const turn = makeTurn(random, style, turns.length < 3)
    used += countItems(turn)
    if (used > 59 && turns.length >= 3) break
    turns.push(turn)
  }
  const last = turns.at(-1)
  if (last && random.chance(0.5)) last.answer = undefined
  else if (random.chance(0.5)) {
    turns.push({ input: random.sentence(), image: undefined, steps: [], answer: undefined })
  }
  return { system, turns, reusedIds: style.reusesIds }
}

interface Style {
  reusesIds: boolean
  nextId: number
  reasoning: number
  search: number
}

function makeStyle(random: Random): Style {
  return {
    reusesIds: random.chance(0.2),
    nextId: 0,
    reasoning: random.pick([0, 0, 0.4, 1]),
    search: random.pick([0, 0, 0.2]),
  }
}

/** The first three turns have a call each and at most 18 items, so that three of them are never too few nor too many. */
function makeTurn(random: Random, style: Style, isEarly: boolean): Turn {
  const input = random.sentence()
  const image = random.chance(0.1) ? makeImage(random) : undefined
  const steps: Step[] = []
  const wanted = isEarly ? random.pick([1, 1, 1, 2, 3]) : random.range(0, 4)
  let room = 14
  while (steps.length < wanted && room >= 6) {
    const step = makeStep(random, style, room)
    room -= countStepItems(step)
    steps.push(step)
  }
  return { input, image, steps, answer: makeAnswer(random, style) }
}

function makeStep(random: Random, style: Style, room: number): Step {
  const reasoning = random.chance(style.reasoning) ? random.sentence() : undefined
  const text = random.chance(0.3) ? random.sentence() : undefined
  const search = makeSearch(random, style)
  const calls: Call[] = []
  const count = Math.min(random.pick([1, 1, 1, 2, 2, 3, 4]), (room - 4) >> 1)
  while (calls.length < count) calls.push(makeCall(random, style))
  const answered = random.chance(0.1) ? random.shuffle(calls) : calls
  const note = random.chance(0.05) ? random.sentence() : undefined
  return { text, reasoning, search, calls, answered, note }
}

function makeAnswer(random: Random, style: Style): Answer {
  const reasoning = random.chance(style.reasoning) ? random.sentence() : undefined
  return { reasoning, search: makeSearch(random, style), text: random.sentence() }
}

function makeSearch(random: Random, style: Style): Search | undefined {
  return random.chance(style.search) ? { query: random.sentence(), found: random.sentence() } : undefined
}

function makeCall(random: Random, style: Style): Call {
  const id = style.reusesIds ? String(style.nextId++) : random.id('')
  return { id, name: random.pick(toolNames), input: makeInput(random), result: makeResult(random) }
}

function makeInput(random: Random): Fields {
  switch (random.int(5)) {
    case 0:
      return {}
    case 1:
      return { query: random.sentence(), limit: random.int(50) }
    case 2:
      return { path: `/tmp/${random.word()}.txt`, flags: ['-l', random.sentence()], recursive: random.chance(0.5) }
    case 3:
      return { filter: { text: random.sentence(), before: null } }
    default:
      return { command: random.sentence() }
  }
}

/** Now and then next to nothing, and once in a while nothing at all, which every provider of these wires takes. */
function makeResult(random: Random): Result {
  const image = random.chance(0.04) ? makeImage(random) : undefined
  const kind = random.int(100)
  if (kind < 50) return { text: random.sentence(), isError: false, image }
  if (kind < 75)
    return { text: JSON.stringify({ ok: true, items: [random.sentence(), 1.5, null] }), isError: false, image }
  if (kind < 88) return { text: `Error: ${random.sentence()}`, isError: true, image }
  if (kind < 97) {
    const word = random.word()
    return { text: random.pick([word, `"${word}"`, ` ${word}\n`, `[${word}]`]), isError: false, image }
  }
  return { text: '', isError: false, image: undefined }
}

function makeImage(random: Random): string {
  return `https://example.test/${random.word()}.png`
}

/** As many as in the wire that writes the most: there each call, result, text and thought is an item of its own. */
function countItems(turn: Turn): number {
  const answer = turn.answer
    ? 1 + Number(turn.answer.reasoning !== undefined) + Number(turn.answer.search !== undefined)
    : 0
  return turn.steps.reduce((items, step) => items + countStepItems(step), 1 + answer)
}

function countStepItems(step: Step): number {
  const extras = [step.text, step.reasoning, step.search, step.note].filter(extra => extra !== undefined)
  return extras.length + 2 * step.calls.length
}

const toolNames = ['search', 'read_file', 'edit-file', 'bash', 'get_forecast', 'query_db', 'book']
