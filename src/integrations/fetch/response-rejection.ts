import { mayReject, readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { readStream } from './read-stream.ts'

/** The rejection that a response is, in words that are known, or undefined for any other. The response can still be read. */
export async function rejectionIn(
  response: Response,
  signal?: AbortSignal | undefined,
): Promise<Rejection | undefined> {
  if (!mayReject(response.status)) return undefined
  try {
    const { body } = response.clone()
    const read = body && (await readStream(body, rejectionMax, signal))
    if (read instanceof Uint8Array) return readRejection(response.status, new TextDecoder().decode(read))
    read?.cancel().catch(() => {})
  } catch {
    // Whoever sees the response next will see what is wrong with it.
  }
  return undefined
}

/** A longer answer is not a rejection. */
export const rejectionMax = 256 * 1024
