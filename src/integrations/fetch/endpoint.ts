import type { CodecId } from '../../codecs/index.ts'
import type { DialectId } from '../../core/dialects/index.ts'

/** A place that takes histories. */
export interface Endpoint {
  readonly url: URL
  readonly format: CodecId
  /** The model that the path names. */
  readonly model: string | undefined
  /** Whose path it is, where nobody else has it. */
  readonly owner: DialectId | undefined
}

/** The endpoint that a URL leads to, at whatever host, or undefined if it takes no history. */
export function findEndpoint(url: URL): Endpoint | undefined {
  const path = withoutEndSlashes(url.pathname)
  for (const { pattern, format, owner } of table) {
    const match = pattern.exec(path)
    if (match) return { url, format, model: decode(match.groups?.model), owner }
  }
  return undefined
}

/** Not by a pattern: of a path that is all slashes but its end, one would look at every rest. */
export function withoutEndSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** The ends of paths, since what stands in front of them is the caller's base URL. The first that fits counts. */
const table: readonly { readonly pattern: RegExp; readonly format: CodecId; readonly owner?: DialectId }[] = [
  { pattern: /\/deployments\/(?<model>[^/]+)\/chat\/completions$/, format: 'openai-chat' },
  { pattern: /\/(chat|agents)\/completions$/, format: 'openai-chat' },
  { pattern: /\/v2\/chat$/, format: 'openai-chat', owner: 'cohere' },
  { pattern: /\/responses(\/compact|\/input_tokens)?$/, format: 'openai-responses' },
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
