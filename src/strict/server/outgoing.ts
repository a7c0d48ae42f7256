import type { Fault } from '../modes.ts'
import type { Framing } from './framing.ts'

/** What goes back. How it travels is left to whoever sends it. */
export interface Outgoing {
  status: number
  headers: Record<string, string>
  chunks: Uint8Array[]
  /** What is to go wrong on the way. */
  fault: Fault | undefined
}

/** A body that comes at once. A malformed one arrives well, but is half a JSON text. */
export function whole(body: unknown, fault?: Fault, status = 200): Outgoing {
  const bytes = Buffer.from(JSON.stringify(body))
  const sent = fault?.kind === 'malformed' ? bytes.subarray(0, bytes.length / 2) : bytes
  const headers = { 'content-type': 'application/json', 'content-length': String(sent.length) }
  return { status, headers, chunks: [sent], fault }
}

export const streamed = ({ contentType }: Framing, chunks: Uint8Array[], fault?: Fault): Outgoing => ({
  status: 200,
  headers: { 'content-type': contentType, 'cache-control': 'no-cache' },
  chunks,
  fault,
})
