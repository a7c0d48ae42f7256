import { dotted } from '../../judge/dotted.ts'
import { callIds, type HistoryEntry } from '../../judge/entry.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import { idsOf } from '../../judge/runs.ts'

/** The provider joins neighbouring messages of one side: results must come first, each for a call of the previous side. */
export function pairing(entries: HistoryEntry[]): RejectionReason[] {
  const turns = sides(entries)
  return turns.flatMap((turn, place) =>
    turn[0].role === 'assistant'
      ? checkCalls(turn, turns[place + 1] ?? [])
      : checkResults(turn, turns[place - 1] ?? []),
  )
}

/** Neighbouring messages of one side, at least one. */
type Side = [HistoryEntry, ...HistoryEntry[]]

function sides(entries: HistoryEntry[]): Side[] {
  const found: Side[] = []
  let current: Side | undefined
  for (const entry of entries) {
    const isSameSide = current && (current[0].role === 'assistant') === (entry.role === 'assistant')
    if (current && isSameSide) current.push(entry)
    else {
      current = [entry]
      found.push(current)
    }
  }
  return found
}

/** Checks the calls of an assistant turn against the next turn. */
function checkCalls(turn: HistoryEntry[], next: HistoryEntry[]): RejectionReason[] {
  const firstOther = next.findIndex(({ role }) => role !== 'tool')
  const front = resultIds(firstOther < 0 ? next : next.slice(0, firstOther))
  const all = resultIds(next)
  return turn.flatMap((entry, place) => {
    const open = entry.calls.filter(({ id }) => id !== undefined && !front.has(id))
    const message = missingText(entry.index, idsOf(open))
    if (open.length > 0) {
      const isMisplaced = open.some(({ id }) => id !== undefined && all.has(id))
      return [reject(isMisplaced ? 'an-result-not-first' : 'an-missing-result', message, entry.at)]
    }
    // Whether the provider joins assistant messages before or after it looks for results is not known.
    const isSplit = entry.calls.length > 0 && place < turn.length - 1
    return isSplit ? [rejectPedantically('an-OPEN-split', missingText(entry.index, idsOf(entry.calls)), entry.at)] : []
  })
}

/** Checks the results of a user turn against the calls before it. */
function checkResults(turn: HistoryEntry[], previous: HistoryEntry[]): RejectionReason[] {
  const known = callIds(previous)
  const seen = new Set<string>()
  return turn.flatMap(({ role, answers, at }) => {
    // The messages for missing or invalid ids were not seen.
    if (role !== 'tool' || answers === undefined) return []
    if (!known.has(answers)) return [reject('an-orphan', orphanText(at, answers), at)]
    const isRepeated = seen.has(answers)
    seen.add(answers)
    return isRepeated ? [reject('an-dup-result', repeatedText(at, answers), at)] : []
  })
}

const resultIds = (entries: HistoryEntry[]): Set<string | undefined> => new Set(entries.map(({ answers }) => answers))

export const missingText = (index: number, ids: string): string =>
  `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`

const orphanText = (at: string, id: string): string =>
  `${dotted(at)}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`

const repeatedText = (at: string, id: string): string =>
  `${dotted(at)}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`
