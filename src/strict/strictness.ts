import { issuerOf } from './answers/signature.ts'
import { isObject, type JsonObject } from './json.ts'
import type { Objection } from './judge/objection.ts'
import { readers } from './judge/readers/read.ts'
import type { Validator } from './judge/validator.ts'
import type { Api, Failure, Provider, StrictRequest } from './provider.ts'
import type { State } from './server/state.ts'
import { isResumption } from './server/threads.ts'

/** What a provider refuses in one of its APIs, and how it writes that down. */
export interface Strictness {
  validate: Validator
  shape(objection: Objection, request: StrictRequest): Failure & { inStream?: boolean }
}

/** A provider that refuses, made from one that does not. The first objection counts. */
export function strict(provider: Provider, strictness: Partial<Record<Api, Strictness>>): Provider {
  return {
    ...provider,
    refuse(request, state) {
      const { validate, shape } = strictness[request.api] ?? {}
      const objection = validate && objections(validate, request, state)[0]
      if (!objection || !shape) return undefined
      return { ...shape(objection, request), fact: objection.fact, message: objection.message }
    },
  }
}

/** Everything that a request is refused for, in the order in which the provider looks. */
export function objections(validate: Validator, request: StrictRequest, state: State): Objection[] {
  const { api, model, query, headers } = request
  if (!isObject(request.body) || isResumption(request.body)) return []
  const body = state.threads.whole(request.body)
  const history = historyIn(body, api, state)
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

/** The messages. Nothing if they are no list: that is another fault, whose words are not known. */
function historyIn(body: JsonObject, api: Api, state: State): unknown[] | undefined {
  if (api === 'openai-responses') return state.context(body)
  const history = body[roots[api]] ?? (mayMiss.has(api) ? [] : undefined)
  return Array.isArray(history) ? history : undefined
}

/** Of these it is known what a request without the field means. */
const mayMiss: ReadonlySet<Api> = new Set(['gemini', 'cohere-v2', 'cohere-v1'])

/** The field that holds the history. */
const roots: Readonly<Record<Api, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
  bedrock: 'messages',
  'cohere-v2': 'messages',
  'cohere-v1': 'chat_history',
}
