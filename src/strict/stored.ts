import { now } from './clock.ts'
import type { Ids } from './ids.ts'
import { type JsonObject, objectOf, objects } from './json.ts'
import type { Failure, Refusal, StrictRequest } from './provider.ts'
import { conversationOf, previousOf, type State } from './state.ts'

/** A Responses request that builds on something this server does not have. */
export function missingBasis({ api, body }: StrictRequest, state: State): Refusal | undefined {
  if (api !== 'openai-responses') return undefined
  const [previous, conversation] = [previousOf(objectOf(body)), conversationOf(objectOf(body))]
  if (previous !== undefined && !state.response(previous)) {
    const message = `Previous response with id '${previous}' not found.`
    const detail = { param: 'previous_response_id', code: 'previous_response_not_found' }
    return { fact: 'previous-response-not-found', message, status: 400, body: errorBody(message, detail) }
  }
  return conversation === undefined || state.conversation(conversation)
    ? undefined
    : missing('Conversation', conversation)
}

/** A stored response, or the items that were its input. */
export function storedResponse(id: string, state: State, part: 'response' | 'input-items'): JsonObject | Refusal {
  const stored = state.response(id)
  if (!stored) return missing('Response', id)
  return part === 'response' ? stored.body : { object: 'list', data: stored.input.toReversed(), has_more: false }
}

export function openConversation(body: JsonObject, ids: Ids, state: State): JsonObject {
  const id = ids.next('conv_', 50)
  state.openConversation(id, objects(body.items))
  return conversationBody(id, body.metadata)
}

export const storedConversation = (id: string, state: State): JsonObject | Refusal =>
  state.conversation(id) ? conversationBody(id) : missing('Conversation', id)

const conversationBody = (id: string, metadata: unknown = {}): JsonObject => ({
  ...{ id, object: 'conversation', created_at: now, metadata },
})

function missing(what: string, id: string): Refusal {
  const message = `${what} with id '${id}' not found.`
  return { fact: `${what.toLowerCase()}-not-found`, message, status: 404, body: errorBody(message) }
}

const errorBody = (message: string, detail: { param?: string; code?: string } = {}): Failure['body'] => ({
  error: { message, type: 'invalid_request_error', param: null, code: null, ...detail },
})
