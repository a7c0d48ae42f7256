import type { Answer } from '../answers/answer.ts'
import type { Ids } from '../answers/ids.ts'
import type { JsonObject } from '../json.ts'
import type { Failure, StrictRequest } from '../provider.ts'
import type { Framing, StreamEvent } from '../server/framing.ts'

/** How one API writes what the model says. */
export interface Grammar {
  /** Where an answer names its request. */
  requestIdHeader: string
  requestId(ids: Ids): string
  answerId(ids: Ids): string
  /** Empty where calls have none. */
  callId(ids: Ids, name: string): string
  /** The reply as one body. */
  whole(answer: Answer): JsonObject
  /** The reply as a stream. */
  stream(answer: Answer): StreamEvent[]
  /** How the stream goes on after `sent` events when it fails. It ends there. */
  fail(failure: Failure, answer: Answer, sent: number): StreamEvent[]
  /** How its streams travel; some APIs let the request choose. */
  framing(request: StrictRequest): Framing
}
