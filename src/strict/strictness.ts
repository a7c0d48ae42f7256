import { isObject, type JsonObject } from './json.ts'
import type { Objection } from './judge/objection.ts'
import { readers } from './judge/readers/read.ts'
import type { Validator } from './judge/validator.ts'
import type { Api, Failure, Provider, StrictRequest } from './provider.ts'
import type { State } from './state.ts'

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
  const { api, body, model, query } = request
  if (!isObject(body)) return []
  const history = api === 'openai-responses' ? state.context(body) : listOf(body[roots[api]])
  const messages: JsonObject[] = history.map(message => (isObject(message) ? message : {}))
  const found = validate(readers[api](history), { format: api, messages, body, model, query, state })
  return state.pedantic ? found : found.filter(({ pedantic }) => !pedantic)
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The field that holds the history. */
const roots: Readonly<Record<Api, string>> = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  anthropic: 'messages',
  gemini: 'contents',
  bedrock: 'messages',
}
