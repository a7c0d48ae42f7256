import { describeError } from '../core/describe-error.ts'
import type { CallHandle } from './call.ts'
import { type ToolSchema, validateInput } from './calls/tool-schema.ts'
import { aborted, untilAborted } from './clock.ts'
import { errorOutcome } from './outcome.ts'
import { type ToolContext, UnknownOutcomeError } from './tool-run.ts'
import type { Turn } from './turn.ts'

/** A tool, as an application declares it. */
export interface Tool {
  /**
   * Validates the arguments before anybody is asked to approve them and before the call runs. The tool gets what the schema returns. If they do
   * not fit, the call is not run, and the model is told why.
   */
  readonly inputSchema?: ToolSchema
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

/** A tool whose functions get the arguments as `inputSchema` returns them. */
export interface TypedTool<Input> extends Omit<Tool, 'inputSchema' | 'execute' | 'probe' | 'approval'> {
  readonly inputSchema: ToolSchema<Input>
  execute?(input: Input, context: ToolContext): unknown
  probe?(input: Input, context: ToolContext): ProbeAnswer | Promise<ProbeAnswer>
  readonly approval?:
    | boolean
    | ((input: Input, context: { readonly signal: AbortSignal }) => boolean | Promise<boolean>)
}

/** Declares a tool with a schema: the type of its input is inferred from the schema. */
export const tool = <Input>(declared: TypedTool<Input>): Tool => declared

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
 * Runs a call, or parks it if it needs an approval or a result from outside. Unknown tools and arguments that are unreadable or do not fit
 * the schema become error results. If no more tools may be started, the call is left open.
 */
export async function handleCall(turn: Turn, call: CallHandle, tools: Tools, signals: Signals): Promise<void> {
  const tool = findTool(tools, call.name)
  if (!tool) return settleWithError(turn, call, `There is no tool named ${call.name}. ${known(tools)}`)
  if (!call.isReadable)
    return settleWithError(turn, call, 'The arguments are not a JSON object, so the call was not run.')
  const valid = await untilAborted(signals.starting, inputFor(tool, call))
  if (valid === aborted) return
  if ('problem' in valid) return rejectInput(turn, call, valid.problem)
  const expiry = tool.expiresMs === undefined ? [] : [tool.expiresMs]
  const asks = !call.isApproved && !call.again && (await needsApproval(tool, valid.input, signals.starting))
  if (signals.starting.aborted) return
  if (asks) return turn.parkCall(call, 'approval', ...expiry)
  const { execute, timeoutMs } = tool
  if (!execute) return turn.parkCall(call, 'outside', ...expiry)
  const isProbed = call.again && tool.replay === 'probe'
  const run = async (context: ToolContext): Promise<unknown> => {
    const either = { ...context, signal: AbortSignal.any([context.signal, signals.running]) }
    // The call has started now, so nobody changes its input any more.
    const last = await inputFor(tool, call)
    if ('problem' in last) throw new Error(last.problem)
    const perform = (): unknown => execute.call(tool, last.input as never, either)
    return isProbed ? probeFirst(tool, last.input, either, perform) : perform()
  }
  await turn.perform(call, run, timeoutMs === undefined ? {} : { timeoutMs })
}

/** The input of a call as its tool gets it. */
const inputFor = async ({ inputSchema }: Tool, { input }: CallHandle): ReturnType<typeof validateInput> =>
  inputSchema ? validateInput(inputSchema, input) : { input }

/** Looks up what became of the call, and performs it only if it was not done. */
async function probeFirst(tool: Tool, input: unknown, context: ToolContext, perform: () => unknown): Promise<unknown> {
  let found: ProbeAnswer
  try {
    found = await tool.probe?.(input as never, context)
  } catch (error) {
    throw new UnknownOutcomeError(describeError(error))
  }
  if (found && 'done' in found) return found.done
  if (!found?.notDone) throw new UnknownOutcomeError()
  context.signal.throwIfAborted()
  return perform()
}

async function needsApproval({ approval = false }: Tool, input: unknown, signal: AbortSignal): Promise<boolean> {
  if (typeof approval === 'boolean') return approval
  try {
    const check = Promise.resolve(approval(input as never, { signal }))
    return (await untilAborted(signal, check)) !== false
  } catch {
    return true
  }
}

/** A call whose arguments do not fit was not run, unless it was running during a crash. */
async function rejectInput(turn: Turn, call: CallHandle, problem: string): Promise<void> {
  if (!call.again) return settleWithError(turn, call, `${problem} The call was not run.`)
  const fail = (): never => {
    throw new UnknownOutcomeError(problem)
  }
  await turn.perform(call, fail)
}

async function settleWithError(turn: Turn, call: CallHandle, message: string): Promise<void> {
  await turn.settleAs(call, errorOutcome(message))
}

const known = (tools: Tools): string => {
  const names = Object.keys(tools)
  return names.length === 0 ? 'There are no tools.' : `Known tools: ${names.join(', ')}.`
}
