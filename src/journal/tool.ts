import { isRecord } from '../core/conversation.ts'
import { describeError } from '../core/describe-error.ts'
import { AntiphonError } from '../core/errors.ts'
import { depthOf } from './agents/child-name.ts'
import { dropAgent } from './agents/drop-agent.ts'
import type { ModelOptions } from './ask-models.ts'
import type { CallHandle } from './call.ts'
import { type ToolSchema, validateInput } from './calls/tool-schema.ts'
import { aborted, untilAborted } from './clock.ts'
import type { RunCompaction } from './compaction/run-compaction.ts'
import { type JournalCall, lastStep, type ThreadState } from './fold.ts'
import { errorOutcome, placeholderOutcome } from './outcome.ts'
import type { Thread } from './thread.ts'
import type { ThreadOptions } from './thread-options.ts'
import { type ToolContext, UnknownOutcomeError } from './tool-run.ts'
import type { Turn } from './turn.ts'
import { isErased } from './turn-errors.ts'

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
  /** How long the call waits for its approval, for its result from outside, or for its agent. */
  readonly expiresMs?: number
  /** An agent that runs the call, instead of `execute`. Use `agent()`. */
  readonly agent?: AgentOptions
}

/** A model with tools of its own, which runs a call in a thread of its own. */
export interface AgentOptions extends ModelOptions, Pick<Tool, 'inputSchema' | 'approval' | 'expiresMs'> {
  readonly tools?: Tools
  /** As for `run`. */
  readonly compact?: RunCompaction
  /** As for `run`. */
  readonly maxSteps?: number
  /** The first message of the agent, made from the input of the call. By default its only text, or the input as JSON. */
  readonly prompt?: (input: never) => unknown
  /** Options of its thread; by default those of the thread that calls it. */
  readonly thread?: ThreadOptions
}

/** Bounds on the agents of a run. A call beyond them gets an error as its result, which the model can read. */
export interface AgentLimits {
  /** How deep agents may call agents; 4 by default. */
  readonly depth?: number
  /** How many calls of agents one turn may make; 16 by default. */
  readonly perTurn?: number
}

/**
 * A tool whose calls are run by another model. The agent works in a thread of its own (`thread.child(callId)`), and its last words are the result
 * of the call. After a crash it goes on in any process, and is never started twice.
 */
export const agent = (options: AgentOptions): Tool => {
  const { inputSchema, approval, expiresMs } = options
  return {
    agent: options,
    ...(inputSchema && { inputSchema }),
    ...(approval === undefined ? {} : { approval }),
    ...(expiresMs === undefined ? {} : { expiresMs }),
  }
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

/**
 * Whether a call of the tool can go on after a crash. A tool with `replay: 'probe'` and without `probe` cannot, nor one that was run when the call
 * began, and is an agent now or waits for results from outside.
 */
export const canReplay =
  (tools: Tools) =>
  (name: string): boolean => {
    const { replay, probe, execute, agent } = findTool(tools, name) ?? {}
    if (!execute || agent) return false
    return replay === 'safe' || (replay === 'probe' && probe !== undefined)
  }

export interface Signals {
  /** Aborted when running tools must end. */
  readonly running: AbortSignal
  /** Aborted when no more tools may be started. */
  readonly starting: AbortSignal
}

/** What is needed to run the calls of a turn. */
export interface CallContext {
  readonly thread: Thread
  readonly turn: Turn
  readonly tools: Tools
  readonly agentLimits?: AgentLimits | undefined
  /** Called when an agent has its input. */
  readonly onAgent?: ((callId: string) => void) | undefined
}

/**
 * Runs a call, or parks it if it needs an approval, a result from outside or an agent. Unknown tools and arguments that are unreadable or do not fit
 * the schema become error results. If no more tools may be started, the call is left open.
 */
export async function handleCall(context: CallContext, call: CallHandle, signals: Signals): Promise<void> {
  const { turn, tools } = context
  const tool = findTool(tools, call.name)
  if (!tool) return settleWithError(turn, call, `There is no tool named ${call.name}. ${known(tools)}`)
  if (!call.isReadable)
    return settleWithError(turn, call, 'The arguments are not a JSON object, so the call was not run.')
  const valid = await untilAborted(signals.starting, inputFor(tool, call))
  if (valid === aborted) return
  if ('problem' in valid) return rejectInput(turn, call, valid.problem)
  const expiry = tool.expiresMs === undefined ? [] : [tool.expiresMs]
  const waits = !call.isApproved && !call.again && (await mustAsk(tool, valid.input, signals.starting))
  if (signals.starting.aborted) return
  if (waits) return turn.parkCall(call, 'approval', ...expiry)
  const { execute, timeoutMs } = tool
  if (tool.agent) {
    const beyond = await beyondLimits(context, call)
    if (beyond) return settleWithError(turn, call, beyond)
    await turn.parkCall(call, 'agent', ...expiry)
    // If the call got a result in the meantime, it was not parked, and its thread would not be erased with its parent.
    return context.thread.agents.isOpen(call.id) ? startAgent(context, call, signals.running) : undefined
  }
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

/**
 * Brings the agents of a turn in line with its calls, when an owner takes it. Agents whose process crashed before they had their input get it: a
 * parked turn waits only for agents that have theirs. Agents whose calls have results are ended.
 */
export async function alignAgents(context: CallContext, running: AbortSignal): Promise<void> {
  const { thread, turn } = context
  for (const { id, outcome, parked } of recentCalls(await thread.read(), turn.number - 1)) {
    if (!outcome || parked?.why !== 'agent') continue
    if (await thread.agents.of(id).isBusy()) await dropAgent(thread.child(id))
  }
  if (thread.agents.open.length === 0) return
  for (const call of await thread.openCalls())
    if (call.parked?.why === 'agent') await startAgent(context, call, running)
}

/** The calls since a turn began. */
const recentCalls = ({ items }: ThreadState, turn: number): JournalCall[] =>
  items
    .slice(items.findLastIndex(item => item.kind === 'step' && item.step.response.turn < turn) + 1)
    .flatMap(item => (item.kind === 'step' ? item.step.calls : []))

/** Gives the agent of a call its input, once. The call was parked before, by the owner of the turn: so the store has refused it to everyone else. */
async function startAgent(
  { thread, turn, tools, onAgent }: CallContext,
  call: CallHandle,
  running: AbortSignal,
): Promise<void> {
  const started = thread.agents.of(call.id)
  try {
    if (!(await started.exists())) {
      const tool = findTool(tools, call.name)
      const options = tool?.agent
      if (!options) return await settleWithError(turn, call, `There is no agent named ${call.name}. ${known(tools)}`)
      const content = await untilAborted(running, promptOf(options, inputFor(tool, call)))
      if (content === aborted) return
      await started.create()
      await thread.child(call.id, options.thread).submit(content, { key: call.id })
    }
  } catch (error) {
    const code = AntiphonError.is(error) ? error.code : undefined
    if (isErased(error)) {
      await turn.settleAs(call, placeholderOutcome('interrupted', 'the thread of its agent was erased'))
      return
    }
    if (error instanceof PromptError || code === 'invalid-input')
      return settleWithError(turn, call, `The agent could not be started: ${describeError(error)}`)
    // With `key-taken` another process was faster, and its `prompt` returned another text.
    if (code !== 'key-taken') throw error
  }
  onAgent?.(call.id)
}

/** The first message of an agent cannot be made from the input of the call. */
class PromptError extends Error {}

async function promptOf({ prompt }: AgentOptions, validated: ReturnType<typeof validateInput>): Promise<unknown> {
  const valid = await validated
  if ('problem' in valid) throw new PromptError(valid.problem)
  const { input } = valid
  if (prompt) {
    try {
      return await prompt(input as never)
    } catch (error) {
      throw new PromptError(describeError(error))
    }
  }
  const values = isRecord(input) ? Object.values(input) : [input]
  const [text] = values
  return values.length === 1 && typeof text === 'string' && text.trim() !== '' ? text : JSON.stringify(input)
}

/** Which limit the call of an agent exceeds. Calls are counted in the order in which the model made them, so that every process counts the same. */
async function beyondLimits(
  { thread, tools, agentLimits = {} }: CallContext,
  { id, turn }: CallHandle,
): Promise<string | undefined> {
  const { depth = 4, perTurn = 16 } = agentLimits
  if (depthOf(thread.name) >= depth)
    return `Agents may be nested at most ${depth} deep, so this one was not started. Do the work without it.`
  const state = await thread.read()
  if (allowedAgents(state, turn, tools, perTurn).has(id)) return undefined
  return `At most ${perTurn} agents may be started in one turn, so this one was not started. Do the work without it.`
}

/** The first calls of agents in a turn. Kept until the next response, since one response may have thousands of calls. */
function allowedAgents(state: ThreadState, turn: number, tools: Tools, perTurn: number): ReadonlySet<string> {
  const asked = [lastStep(state)?.seq, turn, tools, perTurn] as const
  const known = allowedLast.get(state)
  if (known?.asked.every((value, index) => value === asked[index])) return known.allowed
  const calls = recentCalls(state, turn).filter(({ name }) => findTool(tools, name)?.agent)
  const allowed = new Set(calls.slice(0, perTurn).map(({ id }) => id))
  allowedLast.set(state, { asked, allowed })
  return allowed
}

const allowedLast = new WeakMap<
  ThreadState,
  { readonly asked: readonly unknown[]; readonly allowed: ReadonlySet<string> }
>()

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

/** A tool that is declared for the AI SDK has `needsApproval`. If it has `approval` as well, a call that either asks for must be approved. */
export interface DeclaredTool extends Tool {
  readonly needsApproval?: Tool['approval'] | undefined
}

async function mustAsk(
  { approval, needsApproval }: DeclaredTool,
  input: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  // Only a function is awaited: without a pause, calls go on in their order.
  for (const asks of [approval, needsApproval])
    if (asks === true || (asks !== undefined && asks !== false && (await isAsked(asks, input, signal)))) return true
  return false
}

async function isAsked(
  asks: Exclude<Tool['approval'], boolean | undefined>,
  input: unknown,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const check = Promise.resolve(asks(input as never, { signal }))
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
