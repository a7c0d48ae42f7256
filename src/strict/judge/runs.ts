import type { EntryCall, HistoryEntry } from './entry.ts'

/** An assistant message with calls and the results directly after it, or results without such a message. */
export type ResultRun = {
  opener: HistoryEntry | undefined
  results: HistoryEntry[]
  /** Nothing follows it. */
  last: boolean
}

export function runs(chat: HistoryEntry[]): ResultRun[] {
  const found: ResultRun[] = []
  let current: ResultRun | undefined
  for (const entry of chat) {
    const isResult = entry.role === 'tool'
    const isOpener = entry.role === 'assistant' && entry.calls.length > 0
    if (isOpener || (isResult && !current)) {
      current = { opener: isOpener ? entry : undefined, results: [], last: false }
      found.push(current)
    }
    if (isResult) current?.results.push(entry)
    else if (!isOpener) current = undefined
  }
  if (current) current.last = true
  return found
}

/** The calls without a result in the run. A call without an id cannot be checked. */
export function unanswered({ opener, results }: ResultRun): EntryCall[] {
  const answered = new Set(results.map(result => result.answers))
  return opener?.calls.filter(({ id }) => id !== undefined && !answered.has(id)) ?? []
}

/** The results that do not follow an assistant message with calls. */
export const strays = (chat: HistoryEntry[]): HistoryEntry[] =>
  runs(chat).flatMap(({ opener, results }) => (opener ? [] : results))

export const idsOf = (calls: EntryCall[]): string => calls.map(({ id }) => id ?? '').join(', ')

/** The results whose id an earlier result of the same run already has, each with that one. */
export function duplicates({ results }: ResultRun): { first: HistoryEntry; again: HistoryEntry }[] {
  const firsts = new Map<string, HistoryEntry>()
  return results.flatMap(again => {
    if (again.answers === undefined) return []
    const first = firsts.get(again.answers)
    firsts.set(again.answers, first ?? again)
    return first ? [{ first, again }] : []
  })
}

/** The results whose id no earlier call has. */
export function unknown(chat: HistoryEntry[]): HistoryEntry[] {
  const seen = new Set<string | undefined>()
  return chat.filter(({ role, calls, answers }) => {
    for (const { id } of calls) seen.add(id)
    return role === 'tool' && (answers === undefined || !seen.has(answers))
  })
}
