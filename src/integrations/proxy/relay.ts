import { isSound } from '../fetch/heal-request-text.ts'
import { isPlain } from '../fetch/text-of.ts'
import { attend, type Letter, lessonPlace, ship } from './attend.ts'
import { deliver } from './deliver.ts'
import { Outline, outlineMax } from './outline/outline.ts'
import { requestHeaders } from './pass-headers.ts'
import type { Place } from './place.ts'
import { hasBody, receive, streamOf } from './receive.ts'
import { fail, finish, placeOf, type Visit } from './visit.ts'

/** Sends a request on: healed if it carries a broken history, and else as it came. */
export function relay(visit: Visit): void {
  const { request, house } = visit
  const place = placeOf(visit)
  if (!place || !hasBody(request)) pass(visit)
  else if (Number(request.headers['content-length']) > house.maxBytes) refuseLength(visit)
  else read(visit, place)
}

/** Looks at the body while it comes, so that little is to be done when it has come. */
function read(visit: Visit, place: Place): void {
  const { request, house, client } = visit
  if (visit.expectsContinue) client.response.writeContinue()
  const encoding = request.headers['content-encoding'] ?? ''
  // A tape wants what healing says of every request.
  const isQuick = isPlain(encoding) && !house.tape
  const isSmall = Number(request.headers['content-length']) <= smallMax
  // Whether two messages say the same cannot be seen in an outline.
  const outline = isQuick && !isSmall && house.choices.repeats !== 'drop' ? new Outline() : undefined
  const settle = (chunks: Buffer[] | 'too-long'): void => {
    if (chunks === 'too-long') {
      refuseLength(visit)
      return
    }
    const letter: Letter = { chunks, encoding, since: performance.now() }
    const text = outline ? outline.take() : isQuick ? shortText(chunks) : undefined
    // What was learnt from a rejection is looked for in the whole body.
    const isTaught = house.memory.isUsed && house.memory.knows(lessonPlace(visit, place))
    if (text !== undefined && !isTaught && looksSound(text, place, visit)) ship(visit, place, letter, true)
    else attend(visit, place, letter).catch(error => client.rescue(error))
  }
  receive(
    request,
    house.maxBytes,
    chunk => outline?.push(chunk),
    chunks => {
      try {
        settle(chunks)
      } catch (error) {
        client.rescue(error)
      }
    },
  )
}

/** What carries no history is not even kept: it streams through. */
function pass(visit: Visit): void {
  const { request, way, pool, client, expectsContinue } = visit
  if (expectsContinue) client.response.writeContinue()
  const headers = requestHeaders(request.rawHeaders, false)
  const length = request.headers['content-length']
  if (length !== undefined) headers.push('content-length', length)
  const body = hasBody(request) ? streamOf(request) : null
  const outgoing = { method: request.method ?? 'GET', path: way.path, headers, body }
  deliver({ pool, outgoing, client, extra: [], holds: 'nothing', onEnd: delivery => finish(visit, delivery) })
}

/** So few bytes are parsed sooner than outlined. */
const smallMax = 4096

/** The text of a body that is short enough to be parsed at once. */
function shortText(chunks: readonly Buffer[]): string | undefined {
  const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  return bytes.length <= outlineMax ? bytes.toString() : undefined
}

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
