import type { EntryCall, HistoryEntry } from '../../src/strict/judge/entry.ts'
import { nameIn, telling } from './telling.ts'

/** What an unbroken conversation is known by: which result's word belongs to which call's. */
export type Pairs = ReadonlyMap<string, string>

/**
 * What is gone from a history, or stands at the wrong call, told by its unique words; nothing if it is whole. Neither the judge nor the
 * healer has a say in it. A result is at home at the call that it answered before anything happened, and at any whose id it has in the
 * broken history. Four things do not count for anybody: a result whose call is gone; one of which nobody can tell the call any more;
 * of several results of one call all but one, since no wire has room for two; thinking, which a reader refuses once its signature is gone.
 */
export function findLoss(
  before: readonly HistoryEntry[],
  after: readonly HistoryEntry[],
  pairs: Pairs,
): string | undefined {
  const [had, has] = [account(before), account(after)]
  const lostText = [...had.texts].find(word => !has.texts.has(word))
  if (lostText !== undefined) return `the text ${lostText} is gone`
  const lostCall = [...had.calls].find(word => !has.calls.has(word))
  if (lostCall !== undefined) return `the call ${lostCall} is gone`

  const homesOf = (result: string) => new Set([pairs.get(result), ...(had.claims.get(result) ?? [])])
  const answersOf = (call: string | undefined) => (call === undefined ? [] : (has.answers.get(call) ?? []))
  const canTell = telling(
    before,
    wordOf,
    ({ texts }) => texts.flatMap(wordsIn).flatMap(word => pairs.get(word) ?? [])[0],
  )
  const isTold = (result: string, call: string) => had.entries.get(result)?.some(entry => canTell(entry, call)) ?? false
  const strangers = [...had.results].filter(word => !pairs.has(word))
  for (const [result, call] of pairs) {
    if (!had.calls.has(call) || !isTold(result, call)) continue
    const isHome = [...homesOf(result)].some(home =>
      [result, ...strangers].some(word => answersOf(home).includes(word)),
    )
    if (!isHome)
      return has.results.has(result) ? `the result ${result} is not at its call` : `the result ${result} is gone`
  }
  for (const [call, answers] of has.answers) {
    const wrong = answers.find(word => {
      const own = pairs.get(word)
      return own !== undefined && isTold(word, own) && !homesOf(word).has(call)
    })
    if (wrong !== undefined && had.calls.has(call)) return `the result ${wrong} stands at the call ${call}`
  }
  return undefined
}

/** Which result answers which call in a conversation that nothing has happened to. */
export function pairsOf(entries: readonly HistoryEntry[]): Pairs {
  const pairs = new Map<string, string>()
  for (const [call, answers] of account(entries).answers) for (const word of answers) pairs.set(word, call)
  return pairs
}

interface Account {
  texts: Set<string>
  calls: Set<string>
  results: Set<string>
  /** By the word of a result where it stands. */
  entries: Map<string, HistoryEntry[]>
  /** By the word of a result the words of all calls that have its id. */
  claims: Map<string, string[]>
  /** The words of the results that answer a call, by the first word of the call. */
  answers: Map<string, string[]>
}

interface Asked {
  id: string | undefined
  name: string | undefined
  word: string | undefined
  step: HistoryEntry
  /** By a result before this one, or by one that has its id. */
  isAnswered: boolean
}

function account(entries: readonly HistoryEntry[]): Account {
  const found: Account = {
    texts: new Set(),
    calls: new Set(),
    results: new Set(),
    entries: new Map(),
    claims: new Map(),
    answers: new Map(),
  }
  const calls = entries.flatMap(entry => entry.calls)
  const answered = new Set(entries.map(entry => entry.answers))
  const asked: Asked[] = []
  for (const entry of entries) {
    if (entry.role === 'tool') {
      const words = entry.texts.flatMap(wordsIn)
      const { answers: id } = entry
      const claimed = calls.filter(call => call.id === id).flatMap(call => wordOf(call) ?? [])
      for (const word of words) {
        found.results.add(word)
        found.entries.set(word, [...(found.entries.get(word) ?? []), entry])
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

/** The call that a reader takes a result for: the latest with its id, and without such a call the first open one of the step, by its name. */
function callOf(result: HistoryEntry, asked: Asked[]): Asked | undefined {
  const name = nameIn(result)
  const isOpen = (one: Asked) => one.step === asked.at(-1)?.step && !one.isAnswered
  const byId = result.answers ? asked.findLast(one => one.id === result.answers) : undefined
  const call = byId ?? asked.find(one => isOpen(one) && (name === undefined || one.name === name))
  if (call) call.isAnswered = true
  return call
}

const wordOf = ({ args = '' }: EntryCall): string | undefined => wordsIn(args)[0]

const wordsIn = (text: string): string[] => text.match(/w\d+z?/g) ?? []
