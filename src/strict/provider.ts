import type { ServerState } from './server/state.ts'

export type Api =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'gemini'
  | 'bedrock'
  | 'cohere-v2'
  | 'cohere-v1'
  | 'ollama'
  | 'gemini-interactions'

/** A parsed request. */
export interface StrictRequest {
  /** In the format of the API; the bodies and headers of the answer contain it. */
  id: string
  provider: string
  api: Api
  method?: string
  path: string
  model: string
  stream: boolean
  headers: Record<string, string>
  /** The query of the URL, if there is one. */
  query?: Record<string, string>
  body: unknown
}

/** An answer that is an error. */
export interface ProviderFailure {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** A rejection as it is sent to the client. */
export interface ProviderRejection extends ProviderFailure {
  /** The id of the provider fact, or the kind of the failure. */
  fact: string
  message: string
  /** Sent inside a stream that began with status 200. Without a stream it is sent as usual. */
  inStream?: boolean
}

export type FailureKind = 'rate-limit' | 'overload' | 'bad-json' | 'too-large' | 'not-found'

/** One provider: its APIs, and what it rejects. The first API is its main one. */
export interface Provider {
  id: string
  api: Api | Api[]
  /** Why the request is rejected, or undefined. Not called for a request that is not a JSON object. */
  reject(request: StrictRequest, state: ServerState): ProviderRejection | undefined
  /** Without a request it is not known which API was meant. */
  failure(kind: FailureKind, request?: StrictRequest): ProviderFailure
  /** The id of its next call, if it differs from the form of the API. An empty one is omitted. */
  callId?(name: string, count: number, model: string): string | undefined
  /** How its chat answers differ from OpenAI's. */
  chat?: ChatHabits
}

export interface ChatHabits {
  /** Where thinking is sent: a field next to the content, or Mistral's chunks inside it. OpenAI sends none. */
  thinking?: 'reasoning_content' | 'reasoning' | 'chunks'
  /** In these requests the model always thinks: the field is present even if it is empty. */
  mustThink?(body: unknown, model: string): boolean
  /** The content if there are only calls; by default null. */
  noText?: ''
  /** A stream sends all calls in one chunk, together with the finish reason and the usage. */
  compact?: true
}

export const apisOf = ({ api }: Provider): Api[] => (Array.isArray(api) ? api : [api])
