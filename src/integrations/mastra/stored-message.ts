import { type Fields, isRecord } from '../../core/conversation.ts'

/** A message in the format of AI SDK chats, with its parts at the top level. */
export type PartsMessage = Fields & { readonly parts: readonly unknown[] }

/** The field of a converted message or part that holds the original. It is copied with the other fields when something changes. */
const source = Symbol('as Mastra keeps it')

/** Converts a stored message of Mastra to the format of AI SDK chats. Any other value is returned unchanged. */
export function toParts(message: unknown): unknown {
  if (!isRecord(message) || !isRecord(message.content) || !Array.isArray(message.content.parts)) return message
  return { id: message.id, role: message.role, parts: message.content.parts.map(toPart), [source]: message }
}

export const isPartsMessage = (message: unknown): message is PartsMessage => isRecord(message) && source in message

/** Converts back to the message as Mastra stores it; the same object if nothing changed. */
export function fromParts<Message>(converted: unknown): Message {
  if (!isPartsMessage(converted)) return converted as Message
  const message = sourceOf(converted) as Fields & {
    readonly content: Fields & { readonly parts: readonly unknown[] }
  }
  const { content } = message
  const parts = converted.parts.map(fromPart)
  if (parts.length === content.parts.length && parts.every((part, index) => part === content.parts[index]))
    return message as Message
  const { toolInvocations, ...rest } = content
  // Version 4 of the AI SDK has a second list of the calls.
  const calls = parts.flatMap(part => (isRecord(part) && isRecord(part.toolInvocation) ? [part.toolInvocation] : []))
  return {
    ...message,
    content: { ...rest, ...(toolInvocations === undefined ? {} : { toolInvocations: calls }), parts },
  } as Message
}

/** The message that it was made from. */
export const sourceOf = (message: PartsMessage): unknown => message[source as never]

/** A part that healing ignores and `fromParts` restores. */
export const held = (part: Fields): Fields => ({ type: 'data-held', [source]: part[source as never] })

function toPart(part: unknown): unknown {
  if (!isRecord(part) || part.type !== 'tool-invocation' || !isRecord(part.toolInvocation)) return part
  const { toolCallId, toolName, args, state, result, errorText, approval, rawInput } = part.toolInvocation
  return {
    ...{ type: 'dynamic-tool', toolCallId, toolName, input: args, state: states.get(state) ?? state },
    ...(state === 'result' ? { output: result ?? '' } : {}),
    ...(errorText === undefined ? {} : { errorText }),
    ...(approval === undefined ? {} : { approval }),
    ...(rawInput === undefined ? {} : { rawInput }),
    ...(part.providerExecuted === true ? { providerExecuted: true } : {}),
    [source]: part,
  }
}

/** The states of AI SDK 4 that Mastra still writes, by their current names. Newer states have the same name in both. */
const states: ReadonlyMap<unknown, string> = new Map([
  ['partial-call', 'input-available'],
  ['call', 'input-available'],
  ['result', 'output-available'],
])

function fromPart(converted: unknown): unknown {
  if (!isRecord(converted) || !(source in converted)) return converted
  const part = converted[source as never] as Fields & { readonly toolInvocation: Fields }
  if (converted.type === 'data-held') return part
  const before = toPart(part) as Fields
  const isSame = Object.keys({ ...before, ...converted }).every(key => before[key] === converted[key])
  if (isSame) return part
  const { toolCallId, toolName, input, state, output, errorText } = converted
  const { result: _, errorText: __, ...call } = part.toolInvocation
  const answer = state === 'output-available' ? { state: 'result', result: output } : { state, errorText }
  return { ...part, toolInvocation: { ...call, toolCallId, toolName, args: input ?? {}, ...answer } }
}
