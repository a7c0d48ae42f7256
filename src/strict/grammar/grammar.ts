import type { ComposedAnswer } from '../answers/answer.ts'
import type { Ids } from '../answers/ids.ts'
import type { JsonObject } from '../json.ts'
import type { ProviderFailure, StrictRequest } from '../provider.ts'
import type { Framing, StreamEvent } from '../server/framing.ts'

/** How one API formats the replies of the model. */
export interface Grammar {
  /** The response header with the id of the request. */
  requestIdHeader: string
  requestId(ids: Ids): string
  answerId(ids: Ids): string
  /** Empty if calls have no ids. */
  callId(ids: Ids, name: string): string
  /** The reply as one body. */
  whole(answer: ComposedAnswer): JsonObject
  /** The reply as a stream. */
  stream(answer: ComposedAnswer): StreamEvent[]
  /** The events that end a stream that fails after `sent` events. */
  fail(failure: ProviderFailure, answer: ComposedAnswer, sent: number): StreamEvent[]
  /** How its streams are framed; with some APIs the request chooses. */
  framing(request: StrictRequest): Framing
}
