import type { ParsedMode } from '../modes.ts'
import type { Framing } from './framing.ts'

/** An answer to send. */
export interface ServerAnswer {
  status: number
  headers: Record<string, string>
  chunks: Uint8Array[]
  /** The failure to simulate while sending. */
  mode: ParsedMode | undefined
}

/** A body that is sent at once. A malformed one arrives complete, but is half of a JSON text. */
export function whole(body: unknown, mode?: ParsedMode, status = 200): ServerAnswer {
  const bytes = Buffer.from(JSON.stringify(body))
  const sent = mode?.kind === 'malformed' ? bytes.subarray(0, bytes.length / 2) : bytes
  const headers = { 'content-type': 'application/json', 'content-length': String(sent.length) }
  return { status, headers, chunks: [sent], mode }
}

export const streamed = ({ contentType }: Framing, chunks: Uint8Array[], mode?: ParsedMode): ServerAnswer => ({
  status: 200,
  headers: { 'content-type': contentType, 'cache-control': 'no-cache' },
  chunks,
  mode,
})
