import type { CallHandle } from './call.ts'
import { untilAborted } from './clock.ts'
import { errorOutcome } from './outcome.ts'
import type { ToolContext } from './tool-run.ts'
import type { Turn } from './turn.ts'

/** A tool, as an application declares it. */
export interface Tool {
  /** Runs the call. Without it the call waits for a result from outside (`thread.settle`). */
  execute?(input: never, context: ToolContext): unknown
  /** Whether a call that was running during a crash may run again, with the same idempotency key: `never` by default. */
  readonly replay?: 'never' | 'safe'
  /** Whether the call needs an approval first. A check that throws means yes. Its signal is aborted when the answer is no longer needed. */
  readonly approval?:
    | boolean
    | ((input: never, context: { readonly signal: AbortSignal }) => boolean | Promise<boolean>)
  readonly timeoutMs?: number
  /** How long the call waits for its approval, or for its result from outside. */
  readonly expiresMs?: number
}

export type Tools = Readonly<Record<string, Tool>>

export const findTool = (tools: Tools, name: string): Tool | undefined =>
  Object.hasOwn(tools, name) ? tools[name] : undefined

export interface Signals {
  /** Aborted when running tools must end. */
  readonly running: AbortSignal
  /** Aborted when no more tools may be started. */
  readonly starting: AbortSignal
}

/**
 * Runs a call, or parks it if it needs an approval or a result from outside. Unknown tools and unreadable arguments become
 * error results. If no more tools may be started, the call is left open.
 */
export async function handleCall(turn: Turn, call: CallHandle, tools: Tools, signals: Signals): Promise<void> {
  const tool = findTool(tools, call.name)
  if (!tool) return settleWithError(turn, call, `There is no tool named ${call.name}. ${known(tools)}`)
  if (!call.isReadable)
    return settleWithError(turn, call, 'The arguments are not a JSON object, so the call was not run.')
  const expiry = tool.expiresMs === undefined ? [] : [tool.expiresMs]
  const asks = !call.isApproved && !call.again && (await needsApproval(tool, call, signals.starting))
  if (signals.starting.aborted) return
  if (asks) return turn.parkCall(call, 'approval', ...expiry)
  const { execute, timeoutMs } = tool
  if (!execute) return turn.parkCall(call, 'outside', ...expiry)
  const run = (context: ToolContext): unknown => {
    const either = AbortSignal.any([context.signal, signals.running])
    return execute.call(tool, call.input as never, { ...context, signal: either })
  }
  await turn.perform(call, run, timeoutMs === undefined ? {} : { timeoutMs })
}

async function needsApproval({ approval = false }: Tool, { input }: CallHandle, signal: AbortSignal): Promise<boolean> {
  if (typeof approval === 'boolean') return approval
  try {
    const check = Promise.resolve(approval(input as never, { signal }))
    return (await untilAborted(signal, check)) !== false
  } catch {
    return true
  }
}

async function settleWithError(turn: Turn, call: CallHandle, message: string): Promise<void> {
  await turn.settleAs(call, errorOutcome(message))
}

const known = (tools: Tools): string => {
  const names = Object.keys(tools)
  return names.length === 0 ? 'There are no tools.' : `Known tools: ${names.join(', ')}.`
}
