import type { AgentInputItem } from '@openai/agents'
import { isRecord } from '../../core/conversation.ts'

type Fields = Readonly<Record<string, unknown>>

/** Where an item of the wire has its item of the SDK. It is copied along with the other fields when the item is changed. */
const source = Symbol('the item of the SDK')

/**
 * The items of the SDK in the shape of the Responses API, as far as it takes to read them. Messages are the same in both;
 * of all others the SDK has names of its own.
 */
export function toWire(item: unknown): unknown {
  if (!isRecord(item) || isMessage(item)) return item
  const { type, callId, providerData } = item
  const call = typeof callId === 'string' ? { call_id: callId } : {}
  const write = typeof type === 'string' && Object.hasOwn(wires, type) ? wires[type] : undefined
  return { ...item, ...call, ...write?.(item, asRecord(providerData)), [source]: item }
}

/** A call that the provider runs itself, as it stands among those that are left alone. */
export const asHosted = (item: AgentInputItem): unknown => ({ ...item, type: hosted(undefined), [source]: item })

/** The items of the SDK again: the very same ones where nothing was changed. */
export function fromWire(before: readonly unknown[], after: readonly unknown[]): AgentInputItem[] {
  const untouched = new Set(before)
  const names = new Map<unknown, string>()
  return after.map(wire => {
    if (!isRecord(wire)) return wire as unknown as AgentInputItem
    const own = (wire as { [source]?: Fields })[source]
    const item = untouched.has(wire) ? (own ?? wire) : own ? changed(own, wire) : made(wire, names)
    if (typeof item.callId === 'string' && typeof item.name === 'string') names.set(item.callId, item.name)
    return item as unknown as AgentInputItem
  })
}

const wires: Readonly<Record<string, (item: Fields, data: Fields) => Fields>> = {
  function_call_result: ({ output }) => ({ type: 'function_call_output', output: wordsOf(output) }),
  computer_call_result: () => ({ type: 'computer_call_output' }),
  reasoning: (_, { encryptedContent, encrypted_content = encryptedContent }) =>
    encrypted_content === undefined ? {} : { encrypted_content },
  // What the provider runs itself goes by one name in the SDK, and whatever it does not know by another.
  hosted_tool_call: ({ name }, { type = name }) => ({ type: hosted(type) }),
  unknown: (_, { type }) => ({ type: hosted(type) }),
}

const hosted = (type: unknown): string =>
  typeof type === 'string' && /^(mcp_\w+|\w+_search_call|code_interpreter_call|image_generation_call)$/.test(type)
    ? type
    : 'web_search_call'

/** A single text is kept in an object by the SDK's own tools. */
const wordsOf = (output: unknown): unknown =>
  isRecord(output) && output.type === 'text' && typeof output.text === 'string' ? output.text : output

/** The item with what an edit has changed: whatever else stands in it stays. */
function changed(own: Fields, wire: Fields): Fields {
  const before = toWire(own) as Fields
  const item: Record<string, unknown> = { ...own }
  for (const key of Object.keys(before)) if (!(key in wire)) delete item[key]
  for (const [key, value] of Object.entries(wire))
    if (value !== before[key] && key !== 'type') item[key === 'call_id' ? 'callId' : key] = value
  return item
}

/** An item that nobody had: a placeholder, or what joins two others. */
function made(wire: Fields, names: ReadonlyMap<unknown, string>): Fields {
  if (isMessage(wire)) return wire.role === 'assistant' ? { status: 'completed', ...wire } : wire
  const { call_id: callId, type, ...rest } = wire
  if (type === 'function_call_output')
    return { type: 'function_call_result', callId, name: names.get(callId) ?? 'unknown', status: 'incomplete', ...rest }
  if (type !== 'computer_call_output') return { type, callId, ...rest }
  const { image_url: data, ...output } = asRecord(rest.output)
  return { type: 'computer_call_result', callId, ...rest, output: { ...output, data } }
}

const isMessage = ({ type, role }: Fields): boolean =>
  type === 'message' || (type === undefined && typeof role === 'string')

const asRecord = (value: unknown): Fields => (isRecord(value) ? value : {})
