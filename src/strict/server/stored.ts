import type { Ids } from '../answers/ids.ts'
import { type JsonObject, objectOf, objects } from '../json.ts'
import type { ProviderFailure, ProviderRejection, StrictRequest } from '../provider.ts'
import { fixedTime } from './clock.ts'
import type { EndpointKind } from './routes.ts'
import { conversationIdOf, previousOf, type ServerState } from './state.ts'
import { continuedOf } from './threads.ts'

/** The rejection of a request that builds on something this server does not have. */
export function missingBasis(request: StrictRequest, state: ServerState): ProviderRejection | undefined {
  const { api, body } = request
  if (api === 'anthropic') return missingThread(request, state)
  if (api === 'gemini-interactions') return missingInteraction(objectOf(body), state)
  if (api !== 'openai-responses') return undefined
  const [previous, conversation] = [previousOf(objectOf(body)), conversationIdOf(objectOf(body))]
  if (previous !== undefined && !state.response(previous)) {
    const message = `Previous response with id '${previous}' not found.`
    const detail = { param: 'previous_response_id', code: 'previous_response_not_found' }
    return { fact: 'previous-response-not-found', message, status: 400, body: errorBody(message, detail) }
  }
  return conversation === undefined || state.conversation(conversation)
    ? undefined
    : missing('Conversation', conversation)
}

/** The message was not seen. */
function missingInteraction(body: JsonObject, state: ServerState): ProviderRejection | undefined {
  const { previous_interaction_id: previous } = body
  return typeof previous !== 'string' || state.response(previous) ? undefined : noInteraction(previous)
}

function noInteraction(id: string): ProviderRejection {
  const message = `Interaction ${id} not found.`
  return { fact: 'interaction-not-found', message, status: 404, body: { error: { message, code: 'not_found' } } }
}

/** Clients check the code; the message was not seen. */
function missingThread({ id, body }: StrictRequest, { threads }: ServerState): ProviderRejection | undefined {
  const previous = continuedOf(objectOf(body))
  if (previous === undefined || threads.has(previous)) return undefined
  const message = `No thread was found for the message '${previous}'.`
  const error = { type: 'not_found_error', message, details: { error_code: 'thread_not_found' } }
  return { fact: 'thread-not-found', message, status: 404, body: { type: 'error', error, request_id: id } }
}

type Lookup = (id: string, state: ServerState, request: StrictRequest) => JsonObject | ProviderRejection

/** Requests that read or delete stored objects. */
export const lookups: Partial<Record<EndpointKind, Lookup>> = {
  response: (id, state) => state.response(id)?.body ?? missing('Response', id),
  'response-deletion': (id, state) =>
    state.forget(id) ? { id, object: 'response', deleted: true } : missing('Response', id),
  interaction: (id, state) => state.response(id)?.body ?? noInteraction(id),
  'interaction-deletion': (id, state) => (state.forget(id) ? {} : noInteraction(id)),
  'input-items': (id, state, request) => listed(state.response(id)?.input, request) ?? missing('Response', id),
  conversation: (id, state) => (state.conversation(id) ? conversationBody(id) : missing('Conversation', id)),
  'conversation-items': (id, state, request) => listed(state.conversation(id), request) ?? missing('Conversation', id),
}

/** Items on one page, the latest first unless the request asks for another order. */
function listed(items: JsonObject[] | undefined, { query }: StrictRequest): JsonObject | undefined {
  if (!items) return undefined
  const data = query?.order === 'asc' ? items : items.toReversed()
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: false }
}

export function openConversation(body: JsonObject, ids: Ids, state: ServerState): JsonObject {
  const id = ids.next('conv_', 50)
  state.openConversation(id, objects(body.items))
  return conversationBody(id, body.metadata)
}

const conversationBody = (id: string, metadata: unknown = {}): JsonObject => ({
  ...{ id, object: 'conversation', created_at: fixedTime, metadata },
})

function missing(what: string, id: string): ProviderRejection {
  const message = `${what} with id '${id}' not found.`
  return { fact: `${what.toLowerCase()}-not-found`, message, status: 404, body: errorBody(message) }
}

const errorBody = (message: string, detail: { param?: string; code?: string } = {}): ProviderFailure['body'] => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...detail },
})
