import type { AgentInputItem } from '@openai/agents'
import { type Fields, isRecord } from '../../core/conversation.ts'

/** The field of a converted item that holds the SDK's item. It is copied with the other fields when the item is changed. */
const source = Symbol('the item of the SDK')

/**
 * Converts an item of the SDK to the format of the Responses API, as far as healing reads it. Messages are the same in both; other items
 * have other field names in the SDK.
 */
export function toApiItem(item: unknown): unknown {
  if (!isRecord(item) || isMessage(item)) return item
  const { type, callId, providerData } = item
  const call = typeof callId === 'string' ? { call_id: callId } : {}
  const write = typeof type === 'string' && Object.hasOwn(fieldWriters, type) ? fieldWriters[type] : undefined
  return { ...item, ...call, ...write?.(item, asRecord(providerData)), [source]: item }
}

/** Marks a call as run by the provider, so that healing leaves it alone. */
export const asHosted = (item: AgentInputItem): unknown => ({ ...item, type: hosted(undefined), [source]: item })

/** Converts back to items of the SDK. Unchanged items are the same objects. */
export function fromApiItems(before: readonly unknown[], after: readonly unknown[]): AgentInputItem[] {
  const untouched = new Set(before)
  const names = new Map<unknown, string>()
  return after.map(apiItem => {
    if (!isRecord(apiItem)) return apiItem as unknown as AgentInputItem
    const own = (apiItem as { [source]?: Fields })[source]
    const item = untouched.has(apiItem) ? (own ?? apiItem) : own ? changed(own, apiItem) : made(apiItem, names)
    if (typeof item.callId === 'string' && typeof item.name === 'string') names.set(item.callId, item.name)
    return item as unknown as AgentInputItem
  })
}

const fieldWriters: Readonly<Record<string, (item: Fields, data: Fields) => Fields>> = {
  function_call_result: ({ output }) => ({ type: 'function_call_output', output: wordsOf(output) }),
  computer_call_result: () => ({ type: 'computer_call_output' }),
  reasoning: (_, { encryptedContent, encrypted_content = encryptedContent }) =>
    encrypted_content === undefined ? {} : { encrypted_content },
  // The SDK has one type for all calls that the provider runs, and another for items that it does not know.
  hosted_tool_call: ({ name }, { type = name }) => ({ type: hosted(type) }),
  unknown: (_, { type }) => ({ type: hosted(type) }),
}

const hosted = (type: unknown): string =>
  typeof type === 'string' && /^(mcp_\w+|\w+_search_call|code_interpreter_call|image_generation_call)$/.test(type)
    ? type
    : 'web_search_call'

/** The SDK's own tools wrap a single text in an object. */
const wordsOf = (output: unknown): unknown =>
  isRecord(output) && output.type === 'text' && typeof output.text === 'string' ? output.text : output

/** The item with the fields that a repair changed. All other fields stay. */
function changed(own: Fields, apiItem: Fields): Fields {
  const before = toApiItem(own) as Fields
  const item: Record<string, unknown> = { ...own }
  for (const key of Object.keys(before)) if (!(key in apiItem)) delete item[key]
  for (const [key, value] of Object.entries(apiItem))
    if (value !== before[key] && key !== 'type') item[key === 'call_id' ? 'callId' : key] = value
  return item
}

/** An item that a repair added: a placeholder, or one that joins two others. */
function made(apiItem: Fields, names: ReadonlyMap<unknown, string>): Fields {
  if (isMessage(apiItem)) return apiItem.role === 'assistant' ? { status: 'completed', ...apiItem } : apiItem
  const { call_id: callId, type, ...rest } = apiItem
  if (type === 'function_call_output')
    return { type: 'function_call_result', callId, name: names.get(callId) ?? 'unknown', status: 'incomplete', ...rest }
  if (type !== 'computer_call_output') return { type, callId, ...rest }
  const { image_url: data, ...output } = asRecord(rest.output)
  return { type: 'computer_call_result', callId, ...rest, output: { ...output, data } }
}

const isMessage = ({ type, role }: Fields): boolean =>
  type === 'message' || (type === undefined && typeof role === 'string')

const asRecord = (value: unknown): Fields => (isRecord(value) ? value : {})
