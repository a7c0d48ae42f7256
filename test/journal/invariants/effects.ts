import type { Entry } from '../../../src/journal/entry.ts'
import { callId } from '../../../src/journal/fold.ts'
import type { ProbeAnswer } from '../../../src/journal/tool.ts'

/** What a tool may do. */
export interface Habits {
  /** A second run would do harm. */
  readonly isOnce: boolean
  readonly needsApproval: boolean
}

interface Execution {
  readonly key: string
  readonly tool: string
  readonly habits: Habits
  readonly process: string
  /** What it ran with. */
  readonly input: unknown
  /** What it gave back, if it came to that. */
  output?: string
}

/** What tools did, counted where no journal can forget it. */
export class Effects {
  readonly executions: Execution[] = []
  /** Processes that could not tell what came of their tools. */
  readonly silenced = new Set<string>()

  enter(key: string, tool: string, habits: Habits, process: string, input: unknown = {}): Execution {
    const execution: Execution = { key, tool, habits, process, input }
    this.executions.push(execution)
    return execution
  }

  /** What a service says that was asked about a key. */
  lookUp(key: string): ProbeAnswer {
    const known = this.executions.filter(execution => execution.key === key)
    const output = known.find(execution => execution.output !== undefined)?.output
    if (output !== undefined) return { done: { word: output } }
    return known.length > 0 ? undefined : { notDone: true }
  }

  timesEntered(key: string): number {
    return this.executions.filter(execution => execution.key === key).length
  }
}

/** Tools that ran too often, or without leave, and outputs that the log has forgotten. */
export function wrongEffects(
  uid: string,
  entries: readonly Entry[],
  { executions, silenced }: Effects,
  isErased = false,
): string[] {
  const known = callsIn(uid, entries)
  return executions.flatMap((execution, index) => {
    const { key, tool, habits, process, input, output } = execution
    const call = known.get(key)
    if (!key.startsWith(`${uid}-`)) return []
    if (!call) return [`${tool} ran for ${key}, which is no call`]
    const isAgain = executions.findIndex(other => other.key === key) < index
    return [
      ...(habits.isOnce && isAgain ? [`${tool} ran a second time for ${key}`] : []),
      ...(habits.needsApproval && !call.isApproved ? [`${tool} ran for ${key} without approval`] : []),
      ...(call.edited === undefined || call.edited === JSON.stringify(input)
        ? []
        : [`${tool} ran for ${key} with ${JSON.stringify(input)}, and a person changed it to ${call.edited}`]),
      ...(call.isStarted ? [] : [`${tool} ran for ${key}, and the log does not know that it began`]),
      ...(output === undefined || silenced.has(process) || call.hasResult || isErased
        ? []
        : [`${tool} gave ${output} for ${key}, and it is lost`]),
    ]
  })
}

interface CallFacts {
  isStarted?: true
  isApproved?: true
  /** What a person changed its input to. */
  edited?: string
  hasResult?: true
}

function callsIn(uid: string, entries: readonly Entry[]): Map<string, CallFacts> {
  const calls = new Map<string, CallFacts>()
  for (const entry of entries) {
    if (entry.kind === 'response-record')
      for (const index of entry.calls.keys()) calls.set(callId(uid, { step: entry.seq, index }), {})
    if (!('call' in entry)) continue
    const call = calls.get(callId(uid, entry.call))
    if (!call) continue
    if (entry.kind === 'call-start') call.isStarted = true
    if (entry.kind === 'call-edit') call.edited = JSON.stringify(entry.input)
    if (entry.kind === 'call-decide' && entry.approved) call.isApproved = true
    if ((entry.kind === 'call-settle' || entry.kind === 'call-late') && entry.outcome.status !== 'made-up')
      call.hasResult = true
  }
  return calls
}
