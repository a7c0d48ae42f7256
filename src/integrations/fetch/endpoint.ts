import type { CodecId } from '../../codecs/index.ts'
import type { DialectId } from '../../core/dialects/index.ts'

/** A URL that accepts histories. */
export interface Endpoint {
  readonly url: URL
  readonly format: CodecId
  /** The model named in the path. */
  readonly model: string | undefined
  /** The provider of the path, if only one provider uses it. */
  readonly owner: DialectId | undefined
}

/** The endpoint that a URL leads to, on any host, or undefined if it does not accept histories. */
export function findEndpoint(url: URL): Endpoint | undefined {
  const path = withoutEndSlashes(url.pathname)
  for (const { pattern, format, owner } of table) {
    const match = pattern.exec(path)
    if (match) return { url, format, model: decode(match.groups?.model), owner }
  }
  return undefined
}

/** Without a regular expression, which would take quadratic time for a path full of slashes. */
export function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** The ends of paths, since the part before them is the caller's base URL. The first match counts. */
const table: readonly { readonly pattern: RegExp; readonly format: CodecId; readonly owner?: DialectId }[] = [
  { pattern: /\/deployments\/(?<model>[^/]+)\/chat\/completions$/, format: 'openai-chat' },
  { pattern: /\/(chat|agents)\/completions$/, format: 'openai-chat' },
  { pattern: /\/v2\/chat$/, format: 'openai-chat', owner: 'cohere' },
  { pattern: /\/api\/chat$/, format: 'ollama', owner: 'ollama' },
  { pattern: /\/responses(\/compact|\/input_tokens)?$/, format: 'openai-responses' },
  {
    pattern: /\/v\d\w*(\/projects\/[^/]+\/locations\/[^/]+)?\/interactions$/,
    format: 'gemini-interactions',
    owner: 'gemini-interactions',
  },
  { pattern: /\/messages(\/count_tokens)?$/, format: 'anthropic' },
  { pattern: /\/publishers\/anthropic\/models\/(?<model>[^/]+?)(:|%3A)(stream)?rawPredict$/i, format: 'anthropic' },
  {
    pattern: /\/publishers\/mistralai\/models\/(?<model>[^/]+?)(:|%3A)(stream)?rawPredict$/i,
    format: 'openai-chat',
    owner: 'mistral',
  },
  { pattern: /\/model\/(?<model>[^/]*anthropic[^/]*)\/invoke(-with-response-stream)?$/, format: 'anthropic' },
  { pattern: /\/model\/(?<model>[^/]+)\/converse(-stream)?$/, format: 'bedrock' },
  { pattern: /\/(?<model>[^/]+?)(:|%3A)(generateContent|streamGenerateContent|countTokens)$/i, format: 'gemini' },
]

function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
