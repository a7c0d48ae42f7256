import type { Entry } from '../../src/strict/judge/entry.ts'

/** What an unbroken conversation is known by: which result's word belongs to which call's. */
export type Pairs = ReadonlyMap<string, string>

/**
 * What is gone from a history, or stands at the wrong call, told by its unique words; nothing if it is whole. Neither the judge nor the
 * healer has a say in it. A result is at home at the call that it answered before anything happened, and at any whose id it has in the
 * broken history. Three things do not count for anybody: a result whose call is nowhere; of several results of one call all
 * but one, since no wire has room for two; thinking, which a reader refuses once its signature is gone.
 */
export function findLoss(before: readonly Entry[], after: readonly Entry[], pairs: Pairs): string | undefined {
  const [had, has] = [account(before), account(after)]
  const lostText = [...had.texts].find(word => !has.texts.has(word))
  if (lostText !== undefined) return `the text ${lostText} is gone`
  const lostCall = [...had.calls].find(word => !has.calls.has(word))
  if (lostCall !== undefined) return `the call ${lostCall} is gone`

  const homesOf = (result: string) => new Set([pairs.get(result), ...(had.claims.get(result) ?? [])])
  const answersOf = (call: string | undefined) => (call === undefined ? [] : (has.answers.get(call) ?? []))
  const strangers = [...had.results].filter(word => !pairs.has(word))
  for (const [result, call] of pairs) {
    if (!had.results.has(result) || had.orphans.has(result)) continue
    const isNowhere = !had.calls.has(call) && (had.claims.get(result) ?? []).length === 0
    if (isNowhere || (!had.calls.has(call) && has.results.has(result))) continue
    const isHome = [...homesOf(result)].some(home =>
      [result, ...strangers].some(word => answersOf(home).includes(word)),
    )
    if (!isHome)
      return has.results.has(result) ? `the result ${result} is not at its call` : `the result ${result} is gone`
  }
  for (const [call, answers] of has.answers) {
    const wrong = answers.find(word => pairs.has(word) && !homesOf(word).has(call))
    if (wrong !== undefined && had.calls.has(call)) return `the result ${wrong} stands at the call ${call}`
  }
  return undefined
}

/** Which result answers which call in a conversation that nothing has happened to. */
export function pairsOf(entries: readonly Entry[]): Pairs {
  const pairs = new Map<string, string>()
  for (const [call, answers] of account(entries).answers) for (const word of answers) pairs.set(word, call)
  return pairs
}

interface Account {
  texts: Set<string>
  calls: Set<string>
  results: Set<string>
  /** The words of results whose id, or lacking one whose name, stands on no call. */
  orphans: Set<string>
  /** By the word of a result the words of all calls that have its id. */
  claims: Map<string, string[]>
  /** The words of the results that answer a call, by the first word of the call. */
  answers: Map<string, string[]>
}

interface Asked {
  id: string | undefined
  name: string | undefined
  word: string | undefined
  step: Entry
  /** By a result before this one, or by one that has its id. */
  isAnswered: boolean
}

function account(entries: readonly Entry[]): Account {
  const found: Account = {
    texts: new Set(),
    calls: new Set(),
    results: new Set(),
    orphans: new Set(),
    claims: new Map(),
    answers: new Map(),
  }
  const calls = entries.flatMap(entry => entry.calls)
  const ids = new Set(calls.map(({ id }) => id))
  const names = new Set(calls.map(({ name }) => name))
  const answered = new Set(entries.map(entry => entry.answers))
  const asked: Asked[] = []
  for (const entry of entries) {
    if (entry.role === 'tool') {
      const words = entry.texts.flatMap(wordsIn)
      const { answers: id } = entry
      const claimed = calls.filter(call => call.id === id).flatMap(({ args = '' }) => wordsIn(args).slice(0, 1))
      const name = nameIn(entry)
      const isOrphan = id ? !ids.has(id) : name !== undefined && !names.has(name)
      for (const word of words) {
        found.results.add(word)
        if (isOrphan) found.orphans.add(word)
        found.claims.set(word, [...(found.claims.get(word) ?? []), ...claimed])
      }
      const call = callOf(entry, asked)
      if (call?.word !== undefined) found.answers.set(call.word, [...(found.answers.get(call.word) ?? []), ...words])
      continue
    }
    if (speakers.has(entry.role)) for (const word of entry.texts.flatMap(wordsIn)) found.texts.add(word)
    for (const { id, name, args = '' } of entry.calls) {
      const words = wordsIn(args)
      for (const word of words) found.calls.add(word)
      asked.push({ id, name, word: words[0], step: entry, isAnswered: Boolean(id) && answered.has(id) })
    }
  }
  return found
}

const speakers = new Set(['system', 'developer', 'user', 'assistant'])

/** The call that a reader takes a result for: the latest with its id, and without one the first open call of the step, by its name. */
function callOf(result: Entry, asked: Asked[]): Asked | undefined {
  const name = nameIn(result)
  const isOpen = (one: Asked) => one.step === asked.at(-1)?.step && !one.isAnswered
  const call = result.answers
    ? asked.findLast(one => one.id === result.answers)
    : asked.find(one => isOpen(one) && (name === undefined || one.name === name))
  if (call) call.isAnswered = true
  return call
}

/** Wires without ids say the tool's name in the result's part: the entry's place leads there. */
function nameIn({ wire, at }: Entry): string | undefined {
  const index = Number(/\.parts\[(\d+)\]$/.exec(at)?.[1])
  const part: unknown = Array.isArray(wire.parts) ? wire.parts[index] : undefined
  if (typeof part !== 'object' || part === null) return undefined
  const result: unknown = Reflect.get(part, 'functionResponse') ?? Reflect.get(part, 'function_response')
  const name: unknown = typeof result === 'object' && result !== null ? Reflect.get(result, 'name') : undefined
  return typeof name === 'string' ? name : undefined
}

const wordsIn = (text: string): string[] => text.match(/w\d+z?/g) ?? []
