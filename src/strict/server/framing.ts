import type { JsonObject } from '../json.ts'

/** One event of a stream, before it is encoded. */
export interface StreamEvent {
  /** Its name, if the framing has names. */
  event?: string
  data: JsonObject | '[DONE]'
  /** Framings with a separate type for errors write it as an error. */
  exception?: true
}

/** How events are encoded. */
export interface Framing {
  contentType: string
  /** A chunk for each event. The one at `brokenAt` is malformed. */
  frame(events: StreamEvent[], brokenAt?: number): Uint8Array[]
  /** An error body that is sent instead of the stream. */
  failure?(body: unknown): unknown
}

/** The data as text; cut off in the middle if broken. */
export function dataText(data: StreamEvent['data'], isBroken: boolean): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return isBroken ? text.slice(0, Math.ceil(text.length / 2)) : text
}
