import { mayReject, readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { type AnswerOpening, openingFor, openingMs } from './answer-opening.ts'
import { readStream } from './read-stream.ts'
import { copyOfBody } from './web-stream.ts'

/**
 * The rejection in a response, if its message is known, otherwise undefined. The response can still be read. One that does not end is not
 * waited for: the caller gets it as it is.
 */
export async function rejectionIn(
  response: Response,
  request: string,
  signal?: AbortSignal | undefined,
): Promise<Rejection | undefined> {
  if (response.ok) {
    const error = await errorInOpening(response, signal)
    return error === undefined ? undefined : readRejection(response.status, error, { request })
  }
  if (!mayReject(response.status)) return undefined
  const late = new AbortController()
  const abort = (): void => late.abort()
  const timer = setTimeout(abort, openingMs)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  try {
    const body = copyOfBody(response)
    const read = body && (await readStream(body, rejectionMax, late.signal))
    if (read instanceof Uint8Array) return readRejection(response.status, new TextDecoder().decode(read), { request })
    read?.cancel().catch(() => {})
  } catch {
    // The caller will get the same error when it reads the response.
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return undefined
}

/** A longer answer is not a rejection. */
export const rejectionMax = 256 * 1024

/** The text of an error that an answer with a 2xx status begins with. The response can still be read from its beginning. */
export async function errorInOpening(
  response: Response,
  signal?: AbortSignal | undefined,
): Promise<string | undefined> {
  try {
    const opening = openingFor(response.headers.get('content-type'))
    const body = opening && !response.bodyUsed ? copyOfBody(response) : undefined
    return opening && body ? await readOpening(body.getReader(), opening, signal) : undefined
  } catch {
    return undefined
  }
}

async function readOpening(
  reader: ReadableStreamDefaultReader,
  opening: AnswerOpening,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  let abort = (): void => {}
  const aborted = new Promise<undefined>(resolve => {
    abort = () => resolve(undefined)
  })
  const timer = setTimeout(abort, openingMs)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), aborted])
      if (!next) return undefined
      const found = next.done ? opening.end() : opening.push(next.value)
      if (found !== 'undecided') return found === 'error' ? opening.error : undefined
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    reader.cancel().catch(() => {})
  }
}
