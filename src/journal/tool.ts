import type { CallHandle } from './call.ts'
import { failed } from './outcome.ts'
import type { ToolContext, Turn } from './turn.ts'
import { untilAborted } from './until-aborted.ts'

/** A tool as its owner declares it. */
export interface Tool {
  /** Runs the call. Without it the call waits until its result comes from outside. */
  execute?(input: never, context: ToolContext): unknown
  /** Whether a run that a crash broke off may be run again with the same key: `never` by default. */
  readonly replay?: 'never' | 'safe'
  /** Whether somebody has to approve the call first. A check that throws means yes; its signal says when nobody waits for it. */
  readonly approval?:
    | boolean
    | ((input: never, context: { readonly signal: AbortSignal }) => boolean | Promise<boolean>)
  readonly timeoutMs?: number
  /** How long the call waits for its approval, or for its result from outside. */
  readonly expiresMs?: number
}

export type Tools = Readonly<Record<string, Tool>>

export const toolNamed = (tools: Tools, name: string): Tool | undefined =>
  Object.hasOwn(tools, name) ? tools[name] : undefined

export interface Signals {
  /** Aborted when what runs is to end. */
  readonly running: AbortSignal
  /** Aborted when nothing more is to be started. */
  readonly starting: AbortSignal
}

/**
 * Brings a call as far as it can go now: it has its result then, or waits for somebody outside. If nothing more is to be
 * started it is left as it is.
 */
export async function handle(turn: Turn, call: CallHandle, tools: Tools, signals: Signals): Promise<void> {
  const tool = toolNamed(tools, call.name)
  if (!tool) return refuse(turn, call, `There is no tool named ${call.name}. ${known(tools)}`)
  if (!call.isReadable) return refuse(turn, call, 'The arguments are not a JSON object, so the call was not run.')
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

async function refuse(turn: Turn, call: CallHandle, message: string): Promise<void> {
  await turn.settleAs(call, failed(message))
}

const known = (tools: Tools): string => {
  const names = Object.keys(tools)
  return names.length === 0 ? 'There are no tools.' : `Known tools: ${names.join(', ')}.`
}
