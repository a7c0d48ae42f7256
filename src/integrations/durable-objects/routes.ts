import { type CodecId, codecs } from '../../codecs/index.ts'
import { describeError } from '../../core/describe-error.ts'
import { type DialectId, dialects } from '../../core/dialects/index.ts'
import { AntiphonError } from '../../core/errors.ts'
import { lookUp } from '../../heal/plan.ts'
import type { Journal } from '../../journal/journal.ts'
import { readOffset } from '../../journal/live/live-reader.ts'
import type { Thread } from '../../journal/thread.ts'
import { crossSiteHint, crossSiteText, isCrossSite, isCrossSiteForm } from '../is-cross-site-form.ts'
import { act, actionNames, badRequest } from './actions.ts'

export interface Routes {
  readonly journal: Journal
  readonly thread: Thread
  /** Answers with the client's end of a WebSocket. */
  readonly watch: (after: string) => Response
  /** Other origins whose pages may open a WebSocket. */
  readonly allowOrigins: () => readonly string[]
  readonly onError: (error: unknown) => void
}

/** Answers a request by the last part of its path: `messages`, `entries`, `status` and `live` are read, and actions are posted. */
export async function answer(request: Request, routes: Routes): Promise<Response> {
  const { journal, thread, watch, allowOrigins, onError } = routes
  try {
    const { pathname, searchParams } = new URL(request.url)
    const what = pathname.split('/').findLast(part => part !== '') ?? ''
    const { method, headers } = request
    if (method === 'POST') {
      if (isCrossSiteForm(request)) throw badRequest(crossSiteText, crossSiteHint)
      return Response.json(await act(thread, what, await request.json().catch(() => undefined)))
    }
    if (method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET, POST' } })
    const after = searchParams.get('after') ?? '0'
    if (what === 'live') {
      if (headers.get('upgrade')?.toLowerCase() !== 'websocket')
        return new Response(null, { status: 426, headers: { upgrade: 'websocket' } })
      // A browser asks no permission before it opens a WebSocket, and sends cookies with it.
      if (isCrossSite(request) && !allowOrigins().includes(headers.get('origin') ?? ''))
        throw badRequest(crossSiteText, 'add the origin of the page to `allowOrigins` of `settings()`')
      readOffset(after)
      return watch(after)
    }
    if (what === 'messages') return Response.json(await thread.messages(targetOf(searchParams)))
    if (what === 'status')
      return Response.json({ ...(await thread.status()), open: await thread.openCalls({ deep: true }) })
    if (what === 'entries') {
      const { uid, thread: key } = await journal.store.open(thread.name)
      return Response.json({ uid, entries: await journal.store.read(key, positionOf(after)) })
    }
    throw new AntiphonError('unknown-request', `unknown path .../${what}`, {
      hint: `GET messages, entries, status or live; POST ${actionNames.join(', ')}`,
    })
  } catch (error) {
    if (statusOf(error) === 500) onError(error)
    return Response.json({ error: problemOf(error) }, { status: statusOf(error) })
  }
}

/** What a client is told about an error. The message of an unexpected error is not sent: it may be confidential. */
export function problemOf(error: unknown): object {
  if (!AntiphonError.is(error)) return { code: 'internal', message: 'internal error' }
  const { code, hint } = error
  return { code, message: describeError(error), ...(hint === undefined ? {} : { hint }) }
}

function targetOf(search: URLSearchParams) {
  const [dialect, format] = [search.get('for'), search.get('format')]
  if (dialect !== null) lookUp(dialects, dialect, 'unknown-dialect', 'dialect')
  if (format !== null) lookUp(codecs, format, 'unknown-format', 'format')
  return { ...(dialect && { for: dialect as DialectId }), ...(format && { format: format as CodecId }) }
}

function positionOf(after: string): number {
  if (/^\d{1,15}$/.test(after)) return Number(after)
  throw badRequest(`after must be the seq of an entry, got ${JSON.stringify(after)}`, 'use 0 for all entries')
}

/** 500 if it is not the client's own error. */
export const statusOf = (error: unknown): number => (AntiphonError.is(error) ? (statuses[error.code] ?? 500) : 500)

const statuses: Readonly<Record<string, number | undefined>> = {
  'bad-request': 400,
  'invalid-input': 400,
  'invalid-name': 400,
  'wrong-option': 400,
  'unknown-choice': 400,
  'unknown-dialect': 400,
  'unknown-format': 400,
  'unknown-call': 404,
  'unknown-request': 404,
  'key-taken': 409,
  'thread-busy': 409,
  'not-approved': 409,
  'nothing-waiting': 409,
  'edited-arguments': 409,
  'thread-erased': 410,
}
