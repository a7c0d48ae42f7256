import type { JsonObject } from '../json.ts'

/** One event of a stream, before it is bytes. */
export interface StreamEvent {
  /** Its name, where the framing has names. */
  event?: string
  data: JsonObject | '[DONE]'
  /** Framings that know the difference write it as an error. */
  exception?: true
}

/** How events become bytes. */
export interface Framing {
  contentType: string
  /** A chunk for each event. The one at `brokenAt` is written so that nobody can read it. */
  frame(events: StreamEvent[], brokenAt?: number): Uint8Array[]
  /** An error body that comes instead of the stream. */
  failure?(body: unknown): unknown
}

/** The data as text; a broken one stops in the middle. */
export function dataText(data: StreamEvent['data'], isBroken: boolean): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return isBroken ? text.slice(0, Math.ceil(text.length / 2)) : text
}
