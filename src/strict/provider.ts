import type { State } from './server/state.ts'

export type Api = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'bedrock' | 'cohere-v2' | 'cohere-v1'

/** What a request was, parsed. */
export interface StrictRequest {
  /** In the form of the API; bodies and headers of the answer name it. */
  id: string
  provider: string
  api: Api
  method?: string
  path: string
  model: string
  stream: boolean
  headers: Record<string, string>
  /** What stands behind the question mark of the URL, if there is one. */
  query?: Record<string, string>
  body: unknown
}

/** An answer that is not a reply. */
export interface Failure {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** A refusal as it goes over the wire. */
export interface Refusal extends Failure {
  /** The id of the provider fact, or the kind of the failure. */
  fact: string
  message: string
  /** It comes inside a stream that began with 200. Without a stream it comes as usual. */
  inStream?: boolean
}

export type FailureKind = 'rate-limit' | 'overload' | 'bad-json' | 'too-large' | 'not-found'

/** One provider: which APIs it speaks, and how it refuses. The first API is its main one. */
export interface Provider {
  id: string
  api: Api | Api[]
  /** Why the request is refused, or nothing. A request that is no JSON object never gets here. */
  refuse(request: StrictRequest, state: State): Refusal | undefined
  /** Without a request nobody knows which of its APIs was meant. */
  failure(kind: FailureKind, request?: StrictRequest): Failure
  /** The id of its next call, if it is not in the form of the API. An empty one is not written. */
  callId?(name: string, count: number, model: string): string | undefined
  /** Where its chat answers differ from OpenAI's. */
  chat?: ChatHabits
}

export interface ChatHabits {
  /** Where the thinking goes: a field beside the content, or Mistral's chunks inside it. OpenAI shows none. */
  thinking?: 'reasoning_content' | 'reasoning' | 'chunks'
  /** In these requests the model always thinks: the field is there even if it holds nothing. */
  mustThink?(body: unknown, model: string): boolean
  /** What stands for no words beside calls; by default null. */
  noText?: ''
  /** A stream brings all calls in one chunk, which is also the one with the reason to stop and the usage. */
  compact?: true
}

export const apisOf = ({ api }: Provider): Api[] => (Array.isArray(api) ? api : [api])
