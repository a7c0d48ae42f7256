import type { JsonObject } from '../json.ts'
import type { State } from '../server/state.ts'
import type { Entry } from './entry.ts'
import type { Objection } from './objection.ts'

/** The request as it is written, for facts that only the provider's own wire can break. */
export type Wire = {
  /** The shape of the messages: that of an API, or another that a gateway would translate. */
  format: string
  messages: JsonObject[]
  /** The whole request, if there is more than its messages. */
  body?: JsonObject
  /** The model that is asked, if it is known: families differ. */
  model?: string
  /** What stands behind the question mark of the URL: some versions of an API are asked for there. */
  query?: Record<string, string> | undefined
  /** By their names in small letters: some features are asked for there. */
  headers?: Record<string, string>
  /** The provider and the model that are asked, as signatures are made for them. */
  issuer?: string
  /** What the server remembers, if there is one. */
  state?: State
}

/** What one provider refuses in a conversation, in the order in which it looks. */
export type Validator = (chat: Entry[], wire: Wire) => Objection[]
