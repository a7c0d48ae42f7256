import type { JsonObject } from '../json.ts'
import type { ServerState } from '../server/state.ts'
import type { HistoryEntry } from './entry.ts'
import type { RejectionReason } from './rejection-reason.ts'

/** The request as it was sent, for facts that apply only to the provider's own format. */
export type RawRequest = {
  /** The format of the messages: that of an API, or another one that a gateway would translate. */
  format: string
  messages: JsonObject[]
  /** The whole request, if there is more than its messages. */
  body?: JsonObject
  /** The requested model, if it is known: families differ. */
  model?: string
  /** The query of the URL: some versions of an API are selected there. */
  query?: Record<string, string> | undefined
  /** Headers by lower-case name: some features are enabled there. */
  headers?: Record<string, string>
  /** The provider and the model of the request, as signatures are made for them. */
  issuer?: string
  /** The state of the server, if there is one. */
  state?: ServerState
}

/** The reasons why one provider rejects a history, in the order of its checks. */
export type Validator = (chat: HistoryEntry[], raw: RawRequest) => RejectionReason[]
