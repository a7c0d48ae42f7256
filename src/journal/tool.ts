import { describeError } from '../core/describe-error.ts'
import type { CallHandle } from './call.ts'
import { untilAborted } from './clock.ts'
import { errorOutcome } from './outcome.ts'
import { type ToolContext, UnknownOutcomeError } from './tool-run.ts'
import type { Turn } from './turn.ts'

/** A tool, as an application declares it. */
export interface Tool {
  /** Runs the call. Without it the call waits for a result from outside (`thread.settle`). */
  execute?(input: never, context: ToolContext): unknown
  /**
   * What happens to a call that was running during a crash: its outcome is unknown (`never`, the default), it runs again with the same
   * idempotency key (`safe`), or `probe` is asked whether it was done.
   */
  readonly replay?: 'never' | 'safe' | 'probe'
  /**
   * For `replay: 'probe'`: looks up what became of a call, by its key. With `notDone` it runs again with the same key; without an answer, or
   * if the look-up fails, its outcome is unknown. It has `timeoutMs` together with that run.
   */
  probe?(input: never, context: ToolContext): ProbeAnswer | Promise<ProbeAnswer>
  /** Whether the call needs an approval first. A check that throws means yes. Its signal is aborted when the answer is no longer needed. */
  readonly approval?:
    | boolean
    | ((input: never, context: { readonly signal: AbortSignal }) => boolean | Promise<boolean>)
  readonly timeoutMs?: number
  /** How long the call waits for its approval, or for its result from outside. */
  readonly expiresMs?: number
}

/** What became of a call: it was done, with this result; it was not done; or undefined, if that is not known. */
export type ProbeAnswer = { readonly done: unknown } | { readonly notDone: true } | undefined

export type Tools = Readonly<Record<string, Tool>>

export const findTool = (tools: Tools, name: string): Tool | undefined =>
  Object.hasOwn(tools, name) ? tools[name] : undefined

/** Whether a call of the tool can go on after a crash. A tool with `replay: 'probe'` and without `probe` cannot. */
export const canReplay =
  (tools: Tools) =>
  (name: string): boolean => {
    const { replay, probe } = findTool(tools, name) ?? {}
    return replay === 'safe' || (replay === 'probe' && probe !== undefined)
  }

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
  const isProbed = call.again && tool.replay === 'probe'
  const run = (context: ToolContext): unknown => {
    const either = { ...context, signal: AbortSignal.any([context.signal, signals.running]) }
    const perform = (): unknown => execute.call(tool, call.input as never, either)
    return isProbed ? probeFirst(tool, call, either, perform) : perform()
  }
  await turn.perform(call, run, timeoutMs === undefined ? {} : { timeoutMs })
}

/** Looks up what became of the call, and performs it only if it was not done. */
async function probeFirst(
  tool: Tool,
  call: CallHandle,
  context: ToolContext,
  perform: () => unknown,
): Promise<unknown> {
  let found: ProbeAnswer
  try {
    found = await tool.probe?.(call.input as never, context)
  } catch (error) {
    throw new UnknownOutcomeError(describeError(error))
  }
  if (found && 'done' in found) return found.done
  if (!found?.notDone) throw new UnknownOutcomeError()
  context.signal.throwIfAborted()
  return perform()
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
