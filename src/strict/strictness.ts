import { issuerOf } from './answers/signature.ts'
import { isObject, type JsonObject } from './json.ts'
import { readers } from './judge/readers/read.ts'
import type { RejectionReason } from './judge/rejection-reason.ts'
import type { Validator } from './judge/validator.ts'
import type { Api, Provider, ProviderFailure, StrictRequest } from './provider.ts'
import { storedForm } from './providers/gemini-interactions/steps.ts'
import type { ServerState } from './server/state.ts'
import { isResumption } from './server/threads.ts'

/** What a provider rejects in one of its APIs, and in which format. */
export interface Strictness {
  validate: Validator
  rejection(reason: RejectionReason, request: StrictRequest): ProviderFailure & { inStream?: boolean }
}

/** A provider that rejects, made from a lenient one. The first reason counts. */
export function strict(provider: Provider, strictness: Partial<Record<Api, Strictness>>): Provider {
  return {
    ...provider,
    reject(request, state) {
      const { validate, rejection } = strictness[request.api] ?? {}
      const reason = validate && rejectionReasons(validate, request, state)[0]
      if (!reason || !rejection) return undefined
      return { ...rejection(reason, request), fact: reason.fact, message: reason.message }
    },
  }
}

/** All reasons why a request is rejected, in the order of the provider's checks. */
export function rejectionReasons(validate: Validator, request: StrictRequest, state: ServerState): RejectionReason[] {
  const { api, model, query, headers } = request
  if (!isObject(request.body) || isResumption(request.body)) return []
  const body = state.threads.whole(request.body)
  const history = historyIn(body, api, state) ?? (judgesBody.has(api) ? [] : undefined)
  if (!history) return []
  const messages: JsonObject[] = history.map(message => (isObject(message) ? message : {}))
  const found = validate(readers[api](history), {
    format: api,
    messages,
    body,
    model,
    query,
    headers,
    issuer: issuerOf(request),
    state,
  })
  return state.pedantic ? found : found.filter(({ pedantic }) => !pedantic)
}

/** The messages. Undefined if they are not a list: that is a different error, whose message is not known. */
function historyIn(body: JsonObject, api: Api, state: ServerState): unknown[] | undefined {
  if (api === 'openai-responses') return state.context(body)
  if (api === 'gemini-interactions') return state.context(storedForm(body))
  const history = body[roots[api]] ?? (mayMiss.has(api) ? [] : undefined)
  return Array.isArray(history) ? history : undefined
}

/** For these APIs it is known what a request without the field means. */
const mayMiss: ReadonlySet<Api> = new Set(['gemini', 'cohere-v2', 'cohere-v1'])

/** For these APIs it is known what is said of messages that are not a list. */
const judgesBody: ReadonlySet<Api> = new Set(['ollama'])

/** The field that contains the history. */
const roots: Readonly<Record<Api, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
  bedrock: 'messages',
  'cohere-v2': 'messages',
  'cohere-v1': 'chat_history',
  ollama: 'messages',
  'gemini-interactions': 'input',
}
