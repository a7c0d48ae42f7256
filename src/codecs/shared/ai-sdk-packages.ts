import { asRecord, isRecord, type OtherPart, type Part } from '../../core/conversation.ts'
import type { Facts } from '../../core/dialect.ts'
import { isUrlObject } from '../../core/json/equal.ts'
import { storedElsewhere } from '../../core/placeholder.ts'
import { idsIn } from './ids-in.ts'
import { withSystemField } from './system-field.ts'
import { text } from './text.ts'

/** Which provider ran a call with its own tool, according to the id, the name and the options. */
export function hostOf(callId: string, name: string, options: unknown, approvalId = ''): string | undefined {
  const id = approvalId || callId
  if (/^(srv|mcp)toolu_\w+$/.test(id)) return 'anthropic'
  const { openai, azure, google, vertex, googleVertex } = asRecord(options)
  if (/^(ws|fs|ci|ig|mcpr?|cu|l?sh|apc|tsc?)_/.test(id) || openai || azure)
    return callId !== '' && callId.length <= openaiIdMax ? 'openai' : undefined
  const isGoogle = asRecord(google ?? vertex ?? googleVertex).serverToolCallId !== undefined
  return isGoogle || name === 'code_execution' ? 'google' : undefined
}

/** No id of OpenAI is empty or has more characters. */
const openaiIdMax = 64

/**
 * What a provider package of the AI SDK requires in addition to the provider: packages with a field for the system prompt
 * accept system messages only at the beginning, and each sends back only the calls that its own provider ran.
 */
export function asSent(facts: Facts, dialect: string): Facts {
  if (dialect === 'lenient') return facts
  const sent = systemFields.has(dialect) ? withSystemField(facts) : facts
  return {
    ...sent,
    emptyMessage: sent.emptyMessage === 'accept' ? 'refuse-null' : sent.emptyMessage,
    emptyLast: 'refuse',
    names: sent.names ?? { lengthMax: Number.MAX_SAFE_INTEGER },
    hosts: hosts[dialect] ?? [],
    ...leftOut[dialect],
  }
}

/** The provider that signed a part, or left its id or its encrypted form there. */
export function signerOf(options: unknown): { signedBy?: string } {
  for (const [name, own] of Object.entries(asRecord(options))) {
    if (proofs.some(proof => (asRecord(own)[proof] ?? '') !== '')) return { signedBy: packages[name] ?? name }
  }
  return {}
}

/** Who signed reasoning, and the item that OpenAI keeps of it. */
export function signerAndItemIdOf(options: unknown): { signedBy?: string; itemId?: string } {
  const itemId = itemIdOf(options)
  return { ...signerOf(options), ...(itemId === undefined ? {} : { itemId }) }
}

/** The id of the item that OpenAI keeps of a part. */
export function itemIdOf(options: unknown): string | undefined {
  if (!isRecord(options)) return undefined
  const { itemId } = asRecord(options.openai ?? options.azure)
  return typeof itemId === 'string' && itemId !== '' ? itemId : undefined
}

/** The changed options of a part from which a rule took the id of its item. */
export function withoutItemId({ itemId, raw }: Part, field: string): Record<string, unknown> {
  const options = asRecord(asRecord(raw)[field])
  if (itemId !== undefined || itemIdOf(options) === undefined) return {}
  const name = options.openai ? 'openai' : 'azure'
  const { itemId: _, ...rest } = asRecord(options[name])
  return { [field]: { ...options, [name]: rest } }
}

/** The ids of the items that OpenAI keeps of parts. */
export const itemIdsIn = (parts: unknown, field: string): readonly string[] =>
  idsIn(parts, (part: Readonly<Record<string, unknown>> | null | undefined) =>
    part?.providerExecuted === true ? part.toolCallId : itemIdOf(part?.[field]),
  )

/** What the packages of providers keep with their reasoning. */
const proofs = [
  ...['thoughtSignature', 'signature', 'redactedData', 'redactedContent'],
  ...['itemId', 'reasoningEncryptedContent', 'reasoning_details'],
]

const packages: Readonly<Record<string, string>> = {
  vertex: 'google',
  googleVertex: 'google',
  amazonBedrock: 'bedrock',
  azure: 'openai',
}

/** Whether a package sends a part of an assistant message depends on its file, or on the provider that it is for. */
export function fileOf({ type, url, data, kind }: Readonly<Record<string, unknown>>): Pick<OtherPart, 'file' | 'host'> {
  if (type === 'file' || type === 'reasoning-file') return { file: fileIn(url ?? data) }
  return type === 'custom' ? { host: text(kind).replace(/\..*/s, '') } : {}
}

/** Whether a file is given by its URL, which can be an object, or by its data. */
function fileIn(data: unknown): 'url' | 'data' {
  const { url, href } = asRecord(data)
  const address = href ?? asRecord(url).href ?? url ?? data
  return typeof address === 'string' && /^https?:/.test(address) ? 'url' : 'data'
}

/** The providers that store a file, if a part names it by their ids for it. */
export function storedFile(part: Readonly<Record<string, unknown>>): Pick<OtherPart, 'stored'> {
  const { type, image, data, url, providerReference, ...rest } = part
  if (type !== 'file' && type !== 'image') return {}
  if (isRecord(providerReference)) {
    const without = typeof url === 'string' && url !== '' ? { without: { type, url, ...rest } } : {}
    return { stored: { by: namesIn(providerReference), ...without } }
  }
  const given = image ?? data
  if (!isRecord(given) || ArrayBuffer.isView(given) || given instanceof ArrayBuffer || isUrlObject(given)) return {}
  if (given.type === 'reference') return { stored: { by: namesIn(asRecord(given.reference)) } }
  const ids = Object.values(given)
  const isReference = !('type' in given) && ids.length > 0 && ids.every(id => typeof id === 'string')
  return isReference ? { stored: { by: namesIn(given) } } : {}
}

/** The content of a result with a text in place of each file that none of these providers stores. */
export function replaceStoredFiles(content: unknown, stores: readonly string[]): unknown {
  const value = asRecord(content).type === 'content' ? asRecord(content).value : content
  if (!Array.isArray(value)) return content
  const blocks = value.map(block => {
    const by = isRecord(block) ? storesOf(block, stores) : undefined
    return by && !stores.some(name => by.includes(name)) ? { type: 'text', text: storedElsewhere(by) } : block
  })
  if (blocks.every((block, index) => block === value[index])) return content
  return value === content ? blocks : { ...asRecord(content), value: blocks }
}

/** The providers that store the file of a block. Version 6 of the SDK has types of their own for such blocks. */
function storesOf(block: Readonly<Record<string, unknown>>, own: readonly string[]): readonly string[] | undefined {
  const { type, fileId, providerReference } = block
  if (type === 'file-reference' || type === 'image-file-reference') return namesIn(asRecord(providerReference))
  if (type !== 'file-id' && type !== 'image-file-id') return storedFile(block).stored?.by
  // An id alone belongs to the provider to which it is sent.
  return typeof fileId === 'string' ? own : namesIn(asRecord(fileId))
}

const namesIn = (reference: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(reference).filter(name => (reference[name] ?? '') !== '')

/** What each package leaves out of a message, or fails on: files of other stores in messages, also in results, and more. */
const leftOut: Readonly<Record<string, Partial<Facts>>> = {
  openai: { fileStores: ['openai'] },
  anthropic: {
    fileStores: ['anthropic'],
    resultFileStores: ['anthropic'],
    files: 'skipped',
    roleOnlyUser: 'refuse-alone',
    hostedResults: 'inside',
  },
  'openai-responses': {
    fileStores: ['openai'],
    resultFileStores: ['openai'],
    files: 'skipped',
    hostedResults: 'inside',
  },
  mistral: { files: 'none', fileStores: [] },
  gemini: { fileStores: ['google'], files: 'data', unsignedParts: 'wordless', roleOnlyUser: 'refuse' },
  vertex: { fileStores: [], files: 'data', unsignedParts: 'wordless', roleOnlyUser: 'refuse' },
  bedrock: {
    fileStores: [],
    resultFileStores: [],
    files: 'ignored',
    unsignedParts: 'reasoning',
    roleOnlyUser: 'refuse-alone',
  },
}

const systemFields = new Set(['anthropic', 'bedrock', 'gemini', 'vertex'])

const hosts: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['anthropic'],
  'openai-responses': ['openai'],
  gemini: ['google'],
  vertex: ['google'],
  bedrock: ['bedrock'],
}
