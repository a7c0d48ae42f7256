import type { BaseMessage, ToolCall } from '@langchain/core/messages'
import { AntiphonError } from '../../core/errors.ts'
import { randomUid } from '../../journal/stores/uid.ts'
import { notify } from '../fetch/notify.ts'
import { callerOf, callKey } from './call-key.ts'
import type { Checkpointer } from './checkpointer.ts'
import type { Effect } from './graph-store.ts'
import type { GraphRun } from './leases.ts'
import { failedResult, readOutcome, type ToolOutcome, unknownResult, writeOutcome } from './outcome.ts'
import { checkpointsOf, type Runtime } from './run-signs.ts'

export interface PerformOnceOptions {
  readonly journal: Checkpointer
  /** Options of tools, by name. */
  readonly tools: Readonly<Record<string, ToolOptions>>
  readonly toolErrors: 'answer' | 'throw'
  readonly onError: (error: unknown) => void
}

export interface ToolOptions {
  /** After a crash during the call: `never` (default) leaves it as unknown, `safe` runs it again. */
  readonly replay?: 'never' | 'safe'
}

/** An agent's request to a tool, as far as it is read here. */
export interface ToolRequest {
  readonly toolCall: ToolCall
  readonly state: { readonly messages: readonly BaseMessage[] }
  readonly runtime: Runtime
}

/**
 * Runs a tool once. Its start is stored before it runs, and its outcome before it is returned. The same call again, after a
 * crash or from an older checkpoint, gets the same outcome, or the answer that it is unknown.
 */
export async function performOnce(
  request: ToolRequest,
  execute: () => Promise<ToolOutcome>,
  options: PerformOnceOptions,
): Promise<ToolOutcome> {
  const { toolCall: call, runtime } = request
  const thread = threadOf(runtime)
  if (thread === undefined) return execute()
  const { journal, tools } = options
  const run = journal.leases.runOf(runtime)
  const owner = run?.owner ?? ownerless
  const key = callKey(namespaceOf(runtime), callerOf(request.state.messages, call), call, taskOf(runtime))
  // The call itself must be stored, or after a crash it would be made again under another key.
  if (run) await journal.stored(run, thread, checkpointsOf(runtime))
  const known = await journal.store.effect(thread, key)
  if (known && !mayRun(known, owner, Object.hasOwn(tools, call.name) ? tools[call.name]?.replay : undefined))
    return recall(known, call, thread, key, journal, owner)
  await start(journal, run, thread, { key, owner, before: known })
  return journal.leases.during(run, () => settle(execute, call, thread, key, runtime, options))
}

export const threadOf = ({ configurable }: Runtime): string | undefined => {
  const { thread_id: thread } = configurable ?? {}
  return thread === undefined || thread === null || thread === '' ? undefined : String(thread)
}

export const namespaceOf = ({ configurable }: Runtime): string => String(configurable?.checkpoint_ns ?? '')

const taskOf = ({ configurable }: Runtime): unknown => configurable?.__pregel_task_id

/** A tool that waited for a person runs again, and so does a failed one when it is requested again. */
function mayRun({ state, owner }: Effect, mine: string, replay: ToolOptions['replay'] = 'never'): boolean {
  if (state === 'parked') return true
  if (state === 'failed') return owner === mine || replay === 'safe'
  return state !== 'done' && replay === 'safe'
}

async function recall(
  known: Effect,
  call: ToolCall,
  thread: string,
  key: string,
  { store, serde }: Checkpointer,
  mine: string,
): Promise<ToolOutcome> {
  const { state, owner, outcome = '' } = known
  if (state === 'done') return readOutcome(outcome, serde)
  if (state === 'failed') return failedResult(call, JSON.parse(outcome))
  if (state === 'started' && owner !== mine) await store.settleEffect(thread, key, { state: 'unknown' })
  return unknownResult(call)
}

async function start(
  { leases, store }: Checkpointer,
  run: GraphRun | undefined,
  thread: string,
  begin: Parameters<typeof store.startEffect>[2],
): Promise<void> {
  const answer = run
    ? await leases.write(run, thread, guard => store.startEffect(thread, guard, begin))
    : await store.startEffect(thread, { leaseMs: 0 }, begin)
  if (answer === 'done') return
  throw new AntiphonError('call-taken', `another run has started this call on the thread ${thread}`, {
    hint: 'nothing was run; invoke the graph again: it continues from what the other run has stored',
    thread,
  })
}

async function settle(
  execute: () => Promise<ToolOutcome>,
  call: ToolCall,
  thread: string,
  key: string,
  { signal }: Runtime,
  { journal, toolErrors, onError }: PerformOnceOptions,
): Promise<ToolOutcome> {
  const { store, serde } = journal
  /** The tool has run: its outcome is returned, whether it can be stored or not. */
  const record = async (effect: () => Promise<Effect>) => {
    try {
      await store.settleEffect(thread, key, await effect())
    } catch (error) {
      notify(onError, error)
    }
  }
  try {
    const outcome = await execute()
    await record(async () => ({ state: 'done', outcome: await writeOutcome(outcome, serde) }))
    return outcome
  } catch (error) {
    const runsAgain = isBubble(error) || isInvalidInput(error)
    await record(async () => {
      if (runsAgain) return { state: 'parked' }
      // LangChain does not wait for a tool that it aborts: it may still be running.
      return signal?.aborted ? { state: 'unknown' } : { state: 'failed', outcome: JSON.stringify(`${error}`) }
    })
    if (runsAgain || toolErrors === 'throw' || signal?.aborted) throw error
    return failedResult(call, `${error}`)
  }
}

/** An interrupt, or another control signal of LangGraph. */
const isBubble = (error: unknown): boolean => (error as { is_bubble_up?: unknown } | null)?.is_bubble_up === true

/** The arguments did not match the tool's schema, so it never ran. LangChain answers the call itself. */
function isInvalidInput(error: unknown): boolean {
  const { '~brand': brand, cause } = Object(error) as { '~brand'?: unknown; cause?: unknown }
  return brand === 'ToolInvocationError' || (brand === 'MiddlewareError' && isInvalidInput(cause))
}

/** The owner of calls outside of a run of this checkpointer: another one, or none, stores their state. */
const ownerless = randomUid()
