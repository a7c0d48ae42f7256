import type { Entry, ErrorData } from '../../src/journal/entry.ts'
import type { Counters } from './counters.ts'

/** What became of every input, every turn and every call of a thread, counted; and what nothing accounts for. */
export function countOutcomes(entries: readonly Entry[], counters: Counters): string[] {
  const problems: string[] = []
  let admitted: number[] = []
  /** Those that the model has not answered yet. */
  let unanswered: number[] = []
  /** How many calls the last response made: after their results the model has to be asked again. */
  let calls = 0
  for (const entry of entries) {
    counters.count('entries')
    counters.count(`entry ${entry.kind}`)
    if (entry.kind === 'turn-start') [admitted, unanswered, calls] = [[], [], 0]
    if (entry.kind === 'input-admit') {
      admitted.push(...entry.inputs)
      unanswered.push(...entry.inputs)
    }
    if (entry.kind === 'response-record') {
      unanswered = []
      calls = entry.calls.length
      counters.count('calls', entry.calls.length)
      counters.count(`response ${entry.finish}`)
    }
    if (entry.kind === 'call-settle') {
      const { status, state } = entry.outcome
      counters.count(`outcome ${state ?? status}`)
    }
    if (entry.kind !== 'turn-end') continue
    const { turn, status, error } = entry
    counters.count(`turn ${status}`)
    counters.count(`input ${status}`, admitted.length)
    if (status === 'done' && unanswered.length > 0) problems.push(`turn ${turn} is done, and ${unanswered} unanswered`)
    if (status === 'done' && calls > 0)
      problems.push(`turn ${turn} is done, and nobody told the model what came of its calls`)
    if (status === 'done' || status === 'interrupted') continue
    const reason = error && reasonOf(error)
    if (reason) counters.count(`failure ${reason}`)
    else problems.push(`turn ${turn} ended with ${status}, and nobody made it: ${JSON.stringify(error)}`)
  }
  return problems
}

/** What made a turn fail: something that the strict providers were told to do, or a journal that was down. */
export function reasonOf({ code = '', status = 0, message }: ErrorData): string | undefined {
  if (status === 429 || /rate.?limit/i.test(`${code} ${message}`)) return 'rate-limit'
  if (status === 503 || status === 529 || /overload/i.test(message)) return 'overload'
  if (/^journal-/.test(String(code))) return 'journal down'
  if (/JSON/.test(message)) return 'malformed'
  const isCut = code === 'stream-cut' || /terminated|socket|premature|ECONNRESET|connection/i.test(message)
  return isCut ? 'cut' : undefined
}
