import type { Call, Entry } from './entry.ts'

/** An assistant message with calls and the results directly behind it, or results that no such message opens. */
export type Run = {
  opener: Entry | undefined
  results: Entry[]
  /** Nothing stands behind it. */
  last: boolean
}

export function runs(chat: Entry[]): Run[] {
  const found: Run[] = []
  let current: Run | undefined
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

/** The calls that no result of the run names. Of a call without an id nobody can say that. */
export function unanswered({ opener, results }: Run): Call[] {
  const answered = new Set(results.map(result => result.answers))
  return opener?.calls.filter(({ id }) => id !== undefined && !answered.has(id)) ?? []
}

/** The results that no assistant message with calls opens. */
export const strays = (chat: Entry[]): Entry[] => runs(chat).flatMap(({ opener, results }) => (opener ? [] : results))

export const idsOf = (calls: Call[]): string => calls.map(({ id }) => id ?? '').join(', ')

/** The results whose id an earlier result of the same run has, each with that one. */
export function duplicates({ results }: Run): { first: Entry; again: Entry }[] {
  const firsts = new Map<string, Entry>()
  return results.flatMap(again => {
    if (again.answers === undefined) return []
    const first = firsts.get(again.answers)
    firsts.set(again.answers, first ?? again)
    return first ? [{ first, again }] : []
  })
}

/** The results of the list whose id no call before them has. */
export function unknown(chat: Entry[]): Entry[] {
  const seen = new Set<string | undefined>()
  return chat.filter(({ role, calls, answers }) => {
    for (const { id } of calls) seen.add(id)
    return role === 'tool' && (answers === undefined || !seen.has(answers))
  })
}
