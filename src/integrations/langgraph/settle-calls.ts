import { type AIMessage, type BaseMessage, RemoveMessage, type ToolMessage } from '@langchain/core/messages'
import type { Repair } from '../../core/rules/repair.ts'
import { repair } from '../../heal/heal.ts'
import { callKey } from './call-key.ts'
import type { Checkpointer } from './checkpointer.ts'
import { readOutcome, unknownResult } from './outcome.ts'
import { namespaceOf, threadOf } from './perform-once.ts'
import type { Runtime } from './run-signs.ts'

export interface Settled {
  /** The update of the state. */
  readonly messages: BaseMessage[]
  readonly repairs: readonly Repair[]
}

/**
 * Answers the calls in a state that had no result when the next message was added: with their result, if the tool has one,
 * and otherwise with a placeholder that states what is known. Undefined if there are none.
 */
export async function settleCalls(
  messages: readonly BaseMessage[],
  runtime: Runtime,
  journal: Checkpointer,
): Promise<Settled | undefined> {
  const { messages: answered, repairs } = repair(messages, {
    format: 'langchain',
    for: 'lenient',
    allow: ['synthetic'],
  })
  if (repairs.length === 0) return undefined
  const recorded = new Set(messages)
  const settled: BaseMessage[] = []
  for (const [index, message] of answered.entries()) {
    const isMadeUp = message.type === 'tool' && !recorded.has(message)
    settled.push(isMadeUp ? await truthOf(message as ToolMessage, answered.slice(0, index), runtime, journal) : message)
  }
  return { messages: [new RemoveMessage({ id: removeAll }), ...settled], repairs }
}

/** Tells LangGraph that the following list replaces all messages. */
const removeAll = '__remove_all__'

async function truthOf(
  placeholder: ToolMessage,
  before: readonly BaseMessage[],
  runtime: Runtime,
  { store, serde }: Checkpointer,
): Promise<BaseMessage> {
  const caller = before.findLast(({ type }) => type === 'ai') as AIMessage | undefined
  const call = caller?.tool_calls?.find(({ id }) => id === placeholder.tool_call_id)
  const thread = threadOf(runtime)
  if (!call || thread === undefined) return placeholder
  const key = callKey(namespaceOf(runtime), caller, call, undefined)
  const known = await store.effect(thread, key)
  if (known?.state === 'started') await store.settleEffect(thread, key, { state: 'unknown' })
  if (known?.state !== 'done') return known ? unknownResult(call) : placeholder
  const outcome = await readOutcome(known.outcome ?? '', serde)
  return 'tool_call_id' in outcome ? outcome : unknownResult(call)
}
