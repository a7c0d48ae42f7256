import { asRecord, type Fields, isRecord, type Role } from '../../core/conversation.ts'

/**
 * The ways to write a message: an object of a message class, that object as JSON (`constructor`), the form of message
 * stores (`stored`), and plain fields (`flat`).
 */
export type Form = 'instance' | 'constructor' | 'stored' | 'flat'

export function formOf(raw: Fields): Form {
  if (typeof raw._getType === 'function') return 'instance'
  if (raw.lc === 1 && Array.isArray(raw.id) && isRecord(raw.kwargs)) return 'constructor'
  return isRecord(raw.data) && raw.content === undefined ? 'stored' : 'flat'
}

/**
 * Whether LangChain.js wrote a message: an object, or its JSON. LangChain for Python has another package name in `id`,
 * writes the type into the stored fields too, and is the only one that writes plain fields.
 */
export function isOfJavaScript(raw: Fields): boolean {
  const form = formOf(raw)
  if (form === 'constructor') return (raw.id as unknown[])[0] === 'langchain_core'
  return form === 'instance' || (form === 'stored' && !('type' in (raw.data as Fields)))
}

/** Where the fields of a message are; the message itself if it has none of these forms. */
export const holders: Readonly<Partial<Record<Form, string>>> = { constructor: 'kwargs', stored: 'data' }

/** The content of a message, in any of its forms. */
export function fieldsOf(raw: Fields): Fields {
  const form = formOf(raw)
  return (form === 'constructor' ? raw.kwargs : form === 'stored' ? raw.data : raw) as Fields
}

/** What a message calls itself: the name of its class, its type or its role. */
export function typeOf(raw: Fields): unknown {
  const form = formOf(raw)
  if (form === 'instance') return (raw as { _getType(): unknown })._getType()
  if (form === 'constructor') return (raw.id as unknown[]).at(-1)
  return form === 'flat' && typeof raw.role === 'string' ? raw.role : raw.type
}

export const roleOf = (type: unknown): Role => roles.get(type) ?? 'other'

/** The class of a message. A result of a `function_call` has a separate class. */
export type Kind = Exclude<Role, 'other'> | 'function'

export function kindOf(type: unknown): Kind | 'other' {
  const role = roleOf(type)
  return role === 'tool' && functionTypes.has(type) ? 'function' : role
}

const functionTypes: ReadonlySet<unknown> = new Set(['function', 'FunctionMessage', 'FunctionMessageChunk'])

/** A message that removes another from the state of a graph: it has no content, and is allowed anywhere. */
export function isAside(raw: unknown): boolean {
  const type = isRecord(raw) ? typeOf(raw) : undefined
  return type === 'remove' || type === 'RemoveMessage'
}

const roles: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ...(['human', 'user', 'HumanMessage', 'HumanMessageChunk'] as const).map(type => [type, 'user'] as const),
  ...(['ai', 'assistant', 'AIMessage', 'AIMessageChunk'] as const).map(type => [type, 'assistant'] as const),
  ...(['system', 'developer', 'SystemMessage', 'SystemMessageChunk'] as const).map(type => [type, 'system'] as const),
  ...(['tool', 'ToolMessage', 'ToolMessageChunk'] as const).map(type => [type, 'tool'] as const),
  ...(['function', 'FunctionMessage', 'FunctionMessageChunk'] as const).map(type => [type, 'tool'] as const),
])

/** Other fields that can have the content, in JSON and for a constructor. They count if `content` is empty. */
export const blockKeys = ['content_blocks', 'contentBlocks'] as const

/** The key of the content. An object has its blocks as a getter, which is not a field. */
export function contentKey(fields: Fields): 'content' | (typeof blockKeys)[number] {
  if (!isEmptyContent(fields.content)) return 'content'
  for (const key of blockKeys) if (Object.hasOwn(fields, key) && isFilled(fields[key])) return key
  return 'content'
}

export const contentOf = (fields: Fields): unknown => fields[contentKey(fields)]

export const isEmptyContent = (content: unknown): boolean =>
  content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)

/** Whether the calls of an assistant message are not a list, for example their JSON text. */
export const hasUnlistedCalls = (type: unknown, { tool_calls: calls, invalid_tool_calls: invalid }: Fields): boolean =>
  roleOf(type) === 'assistant' && [calls, invalid].some(list => list && !Array.isArray(list))

export const isFilled = (list: unknown): list is unknown[] => Array.isArray(list) && list.length > 0

/** Whether the provider's own list of calls is sent, and empty: some servers answer with an empty list. */
export const sendsEmptyCalls = (fields: Fields): boolean => {
  const { tool_calls: own } = asRecord(fields.additional_kwargs)
  return !isFilled(fields.tool_calls) && Array.isArray(own) && own.length === 0
}

/** A system message that its provider knows as `developer`. */
export const isDeveloper = (type: unknown, fields: Fields): boolean =>
  type === 'developer' || asRecord(fields.additional_kwargs)[developerKey] === 'developer'

export const developerKey = '__openai_role__'

/** Whether content must be a list of blocks: messages with this `output_version` cannot read anything else. */
export const hasBlockContent = (fields: Fields): boolean =>
  contentKey(fields) !== 'content' || asRecord(fields.response_metadata).output_version === 'v1'

/** Whether a block has a type and no content, such as a text block without text. The packages leave it out, or fail. */
export function isEmptyBlock(block: Fields): boolean {
  if (block.type === 'text') return typeof block.text !== 'string'
  if (block.type === undefined) return false
  if (block.type === 'image_url' && hasNoUrl(block.image_url)) return true
  for (const key in block) if (!nameKeys.has(key)) return false
  return true
}

/** Whether an image has no URL, or an invalid value for it. */
function hasNoUrl(image: unknown): boolean {
  if (image === undefined) return false
  const address = addressOf(image)
  return typeof address !== 'string' || address.trim() === ''
}

const addressOf = (image: unknown): unknown => (isRecord(image) ? image.url : image)

/** What an image with an address has there. */
export function fileIn({ type, image_url, url }: Fields): { file?: 'url' | 'data' | 'neither' } {
  const address = type === 'image_url' ? addressOf(image_url) : type === 'image' ? url : undefined
  if (typeof address !== 'string') return {}
  if (/^https?:\/\/[^\s/]/i.test(address)) return { file: 'url' }
  return { file: /^data:\w+\/\w+;base64,[a-z\d+/]+=*$/i.test(address) ? 'data' : 'neither' }
}

/**
 * Whether a standard block of LangChain cannot be sent by the package for Anthropic: an image or a file without content, any audio, or a piece of a
 * call, which it sends as a call of its own. Pieces stay in the content of a streamed answer with `outputVersion: 'v1'`, next to the whole call.
 */
export const isUnsendable = ({ type, url, data, fileId }: Fields): boolean =>
  type === 'audio' || type === 'tool_call_chunk' || ((type === 'image' || type === 'file') && !url && !data && !fileId)

const nameKeys = new Set(['type', 'id', 'index'])
