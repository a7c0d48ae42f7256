import { createHash } from 'node:crypto'
import type { AIMessage, BaseMessage, ToolCall } from '@langchain/core/messages'

/**
 * A key for a call that is the same after every crash: its position and its arguments. Providers reuse ids, so the message
 * counts; a person may change the arguments, and then it is another call. Calls of one message that are equal in everything
 * are distinguished by their tasks.
 */
export function callKey(namespace: string, message: BaseMessage | undefined, call: ToolCall, task: unknown): string {
  const written = textOf(call)
  const equals = (message as AIMessage | undefined)?.tool_calls?.filter(known => textOf(known) === written) ?? []
  const parts = [graphOf(namespace), message?.id ?? '', written, equals.length > 1 ? task : '']
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

const textOf = ({ id, name, args }: ToolCall): string => sortedJson([id, name, args])

/** The message that made a call: the last one that contains it. */
export const callerOf = (messages: readonly BaseMessage[], call: ToolCall): BaseMessage | undefined =>
  messages.findLast(
    message => message.type === 'ai' && (message as AIMessage).tool_calls?.some(known => isSame(known, call)),
  )

const isSame = (one: ToolCall, other: ToolCall): boolean =>
  one === other || (one.id === other.id && one.name === other.name)

/** The graph that a task belongs to: its namespace without the task itself. */
const graphOf = (namespace: string): string => namespace.split('|').slice(0, -1).join('|')

/** JSON that does not depend on the order of keys, which a store may change. */
const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
