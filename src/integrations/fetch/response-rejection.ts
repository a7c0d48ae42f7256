import { mayReject, readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { type AnswerOpening, openingFor, openingMs } from './answer-opening.ts'
import { readStream } from './read-stream.ts'
import { type CopiedResponse, copyBody } from './web-stream.ts'

/** A response that can still be read, and what was found in it. */
export interface ReadResponse<Found> {
  readonly response: Response
  readonly found?: Found | undefined
}

/** The rejection in a response, if it has an error whose message is known. A response that does not end is not waited for: the caller gets it as it is. */
export async function rejectionIn(
  given: Response,
  request: string,
  signal?: AbortSignal | undefined,
): Promise<ReadResponse<Rejection> & { readonly isError: boolean }> {
  if (given.ok) {
    const { response, found } = await errorInOpening(given, signal)
    if (found === undefined) return { response, isError: false }
    return { response, isError: true, found: readRejection(given.status, found, { request }) }
  }
  const isError = true
  if (!mayReject(given.status)) return { response: given, isError }
  const { response, copy } = copied(given)
  const late = new AbortController()
  const abort = (): void => late.abort()
  const timer = setTimeout(abort, openingMs)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  try {
    const read = copy && (await readStream(copy, rejectionMax, late.signal))
    if (read instanceof Uint8Array)
      return { response, isError, found: readRejection(given.status, new TextDecoder().decode(read), { request }) }
    read?.cancel().catch(() => {})
  } catch {
    // The caller will get the same error when it reads the response.
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
  return { response, isError }
}

/** A longer answer is not a rejection. */
export const rejectionMax = 256 * 1024

/** The text of an error that an answer with a 2xx status begins with. */
async function errorInOpening(given: Response, signal: AbortSignal | undefined): Promise<ReadResponse<string>> {
  const opening = openingFor(given.headers.get('content-type'))
  if (!opening || given.bodyUsed) return { response: given }
  const { response, copy } = copied(given)
  try {
    return { response, found: copy && (await readOpening(copy.getReader(), opening, signal)) }
  } catch {
    return { response }
  }
}

/** The response alone if its body cannot be copied. */
function copied(response: Response): CopiedResponse {
  try {
    return copyBody(response)
  } catch {
    return { response }
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
