import type { Answer } from '../answer.ts'
import type { Framing, StreamEvent } from '../framing.ts'
import type { Ids } from '../ids.ts'
import type { JsonObject } from '../json.ts'
import type { Failure } from '../provider.ts'

/** How one API writes what the model says. */
export interface Grammar {
  /** Where an answer names its request. */
  requestIdHeader: string
  requestId(ids: Ids): string
  answerId(ids: Ids): string
  callId(ids: Ids): string
  /** The reply as one body. */
  whole(answer: Answer): JsonObject
  /** The reply as a stream. */
  stream(answer: Answer): StreamEvent[]
  /** How the stream goes on after `sent` events when it fails. It ends there. */
  fail(failure: Failure, answer: Answer, sent: number): StreamEvent[]
  framing: Framing
}
