import { isPlain } from '../fetch/text-of.ts'
import { isSound } from '../fetch/treat.ts'
import { attend } from './attend.ts'
import { deliver } from './deliver.ts'
import { Outline } from './outline.ts'
import { requestHeaders } from './pass-headers.ts'
import type { Place } from './place.ts'
import { hasBody, receive, streamOf } from './receive.ts'
import { fail, finish, placeOf, type Visit } from './visit.ts'

/** Sends a request on: healed if it carries a broken history, and else as it came. */
export async function relay(visit: Visit): Promise<void> {
  const place = placeOf(visit)
  if (!place || !hasBody(visit.request)) return pass(visit)
  const { request, house } = visit
  const declared = Number(request.headers['content-length'] ?? 0)
  if (declared > house.maxBytes) return refuseLength(visit)
  if (visit.expectsContinue) visit.client.response.writeContinue()
  const encoding = request.headers['content-encoding'] ?? ''
  // A tape wants what healing says of every request.
  const isQuick = isPlain(encoding) && !house.tape
  const isSmall = declared > 0 && declared <= smallMax
  // Whether two messages say the same cannot be seen in an outline.
  const isOutlined = isQuick && !isSmall && house.choices.repeats !== 'drop'
  const outline = isOutlined ? new Outline() : undefined
  const chunks = await receive(request, house.maxBytes, chunk => outline?.push(chunk))
  if (chunks === 'cut') return
  if (chunks === 'too-long') return refuseLength(visit)
  const since = performance.now()
  const text = outline ? outline.text() : isQuick ? Buffer.concat(chunks).toString() : undefined
  const isHealthy = text !== undefined && looksSound(text, place, visit)
  await attend(visit, place, { chunks, encoding, isHealthy, since })
}

/** What carries no history is not even kept: it streams through. */
async function pass(visit: Visit): Promise<void> {
  const { request, way, pool, client, expectsContinue } = visit
  if (expectsContinue) client.response.writeContinue()
  const headers = requestHeaders(request.rawHeaders, false)
  const length = request.headers['content-length']
  if (length !== undefined) headers.push('content-length', length)
  const body = hasBody(request) ? streamOf(request) : null
  const outgoing = { method: request.method ?? 'GET', path: way.path, headers, body }
  finish(visit, await deliver({ pool, outgoing, client, extra: [], holds: false }))
}

/** So few bytes are parsed sooner than outlined. */
const smallMax = 8192

function looksSound(text: string, { endpoint }: Place, { house }: Visit): boolean {
  try {
    return isSound(JSON.parse(text), endpoint, house.choices)
  } catch {
    return false
  }
}

function refuseLength(visit: Visit): void {
  const limit = visit.house.maxBytes
  // Whoever waits to be asked for the body will not send it, and the connection cannot be used for anything else.
  const headers: Record<string, string> = visit.expectsContinue ? { connection: 'close' } : {}
  visit.request.resume()
  fail(
    visit,
    {
      kind: 'too-long',
      status: 413,
      message: `the request is longer than ${limit} bytes, which is what the proxy reads of a history`,
      hint: 'start the proxy with a larger --body-limit, or send the request to the provider itself',
    },
    headers,
  )
}
