import type { Api } from '../provider.ts'

/** The meaning of a path. */
export interface StrictRoute {
  /** The provider named in the path, else the owner of the path. */
  provider: string
  /** The path begins with the provider's id, so only that provider may answer. */
  isNamed: boolean
  api: Api
  endpoint: EndpointKind
  /** What the path names: a model, a response, a conversation. */
  subject?: string
  stream?: boolean
}

export type EndpointKind =
  | 'reply'
  | 'count'
  | 'models'
  | 'model'
  | 'response'
  | 'interaction'
  | 'interaction-deletion'
  | 'response-deletion'
  | 'input-items'
  | 'conversations'
  | 'conversation'
  | 'conversation-items'

/** Reads a path. Undefined for a path that no provider has. */
export function findRoute(method: string, path: string, providerIds: string[]): StrictRoute | undefined {
  const { provider, rest } = splitProvider(path, providerIds)
  for (const { pattern, methods = 'POST', owner, ...route } of table) {
    const groups = method === methods ? rest.match(pattern)?.groups : undefined
    if (!groups || !isRoot(groups.root ?? '')) continue
    const subject = groups.subject === undefined ? {} : { subject: decode(groups.subject) }
    const found = { ...route, ...subject, ...(groups.stream !== undefined && { stream: groups.stream !== '' }) }
    return { ...found, provider: provider ?? owner ?? ownerOf(found.api, rest), isNamed: provider !== undefined }
  }
  return undefined
}

/** The API that a wrong path was probably meant for. */
export function guessApi(path: string): Api {
  if (/(^|\/)messages(\/|$)/.test(path)) return 'anthropic'
  if (/(^|\/)interactions(\/|$)/.test(path)) return 'gemini-interactions'
  if (/v1beta|:\w+$/.test(path)) return 'gemini'
  if (/^\/?model\//.test(path)) return 'bedrock'
  if (/^\/?api\/(chat|tags|show|generate)$/.test(path)) return 'ollama'
  return /(^|\/)responses(\/|$)/.test(path) ? 'openai-responses' : 'openai-chat'
}

/** A leading provider id, and the path after it. `/openai/deployments` is Azure's own path. */
export function splitProvider(path: string, providerIds: string[]): { provider?: string; rest: string } {
  const rest = path.replace(/^\/+|\/+$/g, '')
  const [first = ''] = rest.split('/')
  const isNamed = providerIds.includes(first) && !rest.startsWith('openai/deployments/')
  return isNamed ? { provider: first, rest: rest.slice(first.length + 1) } : { rest }
}

interface Row {
  pattern: RegExp
  methods?: 'GET' | 'POST' | 'DELETE'
  api: Api
  endpoint: EndpointKind
  owner?: string
}

const table: Row[] = [
  {
    pattern: /^openai\/deployments\/(?<subject>[^/]+)\/chat\/completions$/,
    ...{ api: 'openai-chat', endpoint: 'reply', owner: 'azure' },
  },
  { pattern: /^(?<root>.*?)chat\/completions$/, api: 'openai-chat', endpoint: 'reply' },
  { pattern: /^(?<root>.*?)responses$/, api: 'openai-responses', endpoint: 'reply' },
  {
    pattern: /^(?<root>.*?)responses\/(?<subject>[^/]+)$/,
    ...{ methods: 'GET', api: 'openai-responses', endpoint: 'response' },
  },
  {
    pattern: /^(?<root>.*?)responses\/(?<subject>[^/]+)$/,
    ...{ methods: 'DELETE', api: 'openai-responses', endpoint: 'response-deletion' },
  },
  {
    pattern: /^(?<root>.*?)responses\/(?<subject>[^/]+)\/input_items$/,
    ...{ methods: 'GET', api: 'openai-responses', endpoint: 'input-items' },
  },
  { pattern: /^(?<root>.*?)conversations$/, api: 'openai-responses', endpoint: 'conversations' },
  {
    pattern: /^(?<root>.*?)conversations\/(?<subject>[^/]+)$/,
    ...{ methods: 'GET', api: 'openai-responses', endpoint: 'conversation' },
  },
  {
    pattern: /^(?<root>.*?)conversations\/(?<subject>[^/]+)\/items$/,
    ...{ methods: 'GET', api: 'openai-responses', endpoint: 'conversation-items' },
  },
  { pattern: /^(?<root>.*?)messages$/, api: 'anthropic', endpoint: 'reply' },
  { pattern: /^(?<root>.*?)messages\/count_tokens$/, api: 'anthropic', endpoint: 'count' },
  {
    pattern: /^(?<root>.*?)(models|tunedModels)\/(?<subject>[^/]+?)(:|%3A)(?<stream>(stream)?)generateContent$/i,
    ...{ api: 'gemini', endpoint: 'reply' },
  },
  {
    pattern: /^(?<root>.*?)(models|tunedModels)\/(?<subject>[^/]+?)(:|%3A)countTokens$/i,
    ...{ api: 'gemini', endpoint: 'count' },
  },
  { pattern: /^(?<root>.*?)interactions$/, api: 'gemini-interactions', endpoint: 'reply' },
  {
    pattern: /^(?<root>.*?)interactions\/(?<subject>[^/]+)$/,
    ...{ methods: 'GET', api: 'gemini-interactions', endpoint: 'interaction' },
  },
  {
    pattern: /^(?<root>.*?)interactions\/(?<subject>[^/]+)$/,
    ...{ methods: 'DELETE', api: 'gemini-interactions', endpoint: 'interaction-deletion' },
  },
  { pattern: /^model\/(?<subject>[^/]+)\/converse(?<stream>(-stream)?)$/, api: 'bedrock', endpoint: 'reply' },
  { pattern: /^(?<root>)api\/chat$/, api: 'ollama', endpoint: 'reply', owner: 'ollama' },
  { pattern: /^(?<root>)api\/tags$/, methods: 'GET', api: 'ollama', endpoint: 'models', owner: 'ollama' },
  { pattern: /^(?<root>v2\/)chat$/, api: 'cohere-v2', endpoint: 'reply', owner: 'cohere' },
  { pattern: /^(?<root>v1\/)chat$/, api: 'cohere-v1', endpoint: 'reply', owner: 'cohere' },
  { pattern: /^(?<root>v1beta\d?\/)models$/, methods: 'GET', api: 'gemini', endpoint: 'models' },
  { pattern: /^(?<root>.*?)models$/, methods: 'GET', api: 'openai-chat', endpoint: 'models' },
  {
    pattern: /^(?<root>v1beta\d?\/)models\/(?<subject>[^/]+)$/,
    ...{ methods: 'GET', api: 'gemini', endpoint: 'model' },
  },
  {
    pattern: /^(?<root>.*?)models\/(?<subject>[^/]+)$/,
    ...{ methods: 'GET', api: 'openai-chat', endpoint: 'model' },
  },
]

/** The allowed prefixes of an endpoint: nothing, or words of known base URLs, with at most one version. */
function isRoot(root: string): boolean {
  const words = root.replace(publisher, '').split('/').filter(Boolean)
  return words.every(word => rootWords.has(word) || version.test(word)) && words.filter(isVersion).length <= 1
}

const isVersion = (word: string): boolean => version.test(word)
const version = /^v\d+(beta\d?)?$/
const publisher = /(projects\/[^/]+\/locations\/[^/]+\/)?publishers\/google\//
const rootWords = new Set([
  ...['api', 'openai', 'anthropic', 'compatible-mode', 'compatibility', 'paas', 'coding', 'inference', 'apps'],
])

function ownerOf(api: Api, path: string): string {
  if (api === 'gemini-interactions') return 'gemini'
  if (api === 'gemini') return publisher.test(path) ? 'vertex' : 'gemini'
  return api === 'anthropic' || api === 'bedrock' ? api : 'openai'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
