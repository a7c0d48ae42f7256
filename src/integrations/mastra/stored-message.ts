import { isRecord } from '../../core/conversation.ts'

type Fields = Readonly<Record<string, unknown>>

/** A message in the shape of the AI SDK's chats, whose parts stand at the top. */
export type PartsMessage = Fields & { readonly parts: readonly unknown[] }

/** Where a message or a part has what it was read from. It is copied along with the other fields when something changes. */
const source = Symbol('as Mastra keeps it')

/** A message as Mastra stores it, in the shape of the AI SDK's chats. What is in no such form comes back as it is. */
export function toParts(message: unknown): unknown {
  if (!isRecord(message) || !isRecord(message.content) || !Array.isArray(message.content.parts)) return message
  return { id: message.id, role: message.role, parts: message.content.parts.map(toPart), [source]: message }
}

export const isPartsMessage = (message: unknown): message is PartsMessage => isRecord(message) && source in message

/** The message as Mastra stores it: the very same one if nothing in it has changed. */
export function fromParts<Message>(wire: unknown): Message {
  if (!isPartsMessage(wire)) return wire as Message
  const message = sourceOf(wire) as Fields & {
    readonly content: Fields & { readonly parts: readonly unknown[] }
  }
  const { content } = message
  const parts = wire.parts.map(fromPart)
  if (parts.length === content.parts.length && parts.every((part, index) => part === content.parts[index]))
    return message as Message
  const { toolInvocations, ...rest } = content
  // Version 4 of the AI SDK keeps the calls a second time.
  const calls = parts.flatMap(part => (isRecord(part) && isRecord(part.toolInvocation) ? [part.toolInvocation] : []))
  return {
    ...message,
    content: { ...rest, ...(toolInvocations === undefined ? {} : { toolInvocations: calls }), parts },
  } as Message
}

/** The message that was read. */
export const sourceOf = (message: PartsMessage): unknown => message[source as never]

/** A part that nobody reads, and that comes back as it was. */
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

/** Mastra has the newer states of the SDK under their names, and the older ones under theirs. */
const states: ReadonlyMap<unknown, string> = new Map([
  ['partial-call', 'input-available'],
  ['call', 'input-available'],
  ['result', 'output-available'],
])

function fromPart(wire: unknown): unknown {
  if (!isRecord(wire) || !(source in wire)) return wire
  const part = wire[source as never] as Fields & { readonly toolInvocation: Fields }
  if (wire.type === 'data-held') return part
  const before = toPart(part) as Fields
  const isSame = Object.keys({ ...before, ...wire }).every(key => before[key] === wire[key])
  if (isSame) return part
  const { toolCallId, toolName, input, state, output, errorText } = wire
  const { result: _, errorText: __, ...call } = part.toolInvocation
  const answer = state === 'output-available' ? { state: 'result', result: output } : { state, errorText }
  return { ...part, toolInvocation: { ...call, toolCallId, toolName, args: input ?? {}, ...answer } }
}
