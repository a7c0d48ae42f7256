import { createHash } from 'node:crypto'
import type { AIMessage, BaseMessage, ToolCall } from '@langchain/core/messages'

/**
 * The name of a call, the same after every crash: where it stands, and what it asks for. Ids of providers are reused, so the
 * message counts; a person may change what is asked for, and then it is another call. Calls of one message that are equal
 * in everything are told apart by the task that each of them has.
 */
export function callKey(namespace: string, message: BaseMessage | undefined, call: ToolCall, task: unknown): string {
  const written = textOf(call)
  const equals = (message as AIMessage | undefined)?.tool_calls?.filter(known => textOf(known) === written) ?? []
  const parts = [graphOf(namespace), message?.id ?? '', written, equals.length > 1 ? task : '']
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

const textOf = ({ id, name, args }: ToolCall): string => sortedJson([id, name, args])

/** The message that made a call: the last one that has it. */
export const callerOf = (messages: readonly BaseMessage[], call: ToolCall): BaseMessage | undefined =>
  messages.findLast(
    message => message.type === 'ai' && (message as AIMessage).tool_calls?.some(known => isSame(known, call)),
  )

const isSame = (one: ToolCall, other: ToolCall): boolean =>
  one === other || (one.id === other.id && one.name === other.name)

/** The graph that a task belongs to: its namespace without the task itself. */
const graphOf = (namespace: string): string => namespace.split('|').slice(0, -1).join('|')

/** JSON that is the same whatever the order of keys, which a store may change. */
const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
