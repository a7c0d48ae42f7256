import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AntiphonError } from '../../core/errors.ts'
import { failureReason } from '../../doctor/files/file-error.ts'
import type { Catalogue } from './catalogue.ts'
import { drained, streamEvents } from './event-stream.ts'
import { Feed } from './feed.ts'
import { makeToken, pathBehind, type Refusal, refusalOf } from './gate.ts'
import { closedPolicy, notEmbedded, policyOf, safeHeaders } from './page-policy.ts'
import type { Deed, ThreadFacts } from './protocol.ts'
import { deedIn } from './read-deed.ts'
import type { OpenSource } from './sources/open-source.ts'

export interface ViewerServer {
  readonly url: string
  /** Ends what is under way, and closes. */
  close(): Promise<void>
}

/** Serves the page and what it asks for, on this machine alone and to nobody but the page. */
export async function serve(page: string, catalogue: Catalogue, port: number): Promise<ViewerServer> {
  const token = makeToken()
  const policy = `${policyOf(page, "'self'")}; ${notEmbedded}`
  const ending = new AbortController()
  const server = createServer((request, response) => {
    const asked = { request, response, catalogue, gone: AbortSignal.any([ending.signal, goneOf(response)]) }
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value)
    response.setHeader('content-security-policy', closedPolicy)
    const path = pathBehind(request.url ?? '', token)
    const refusal =
      path === undefined ? notFound : (refusalOf(request, addressOf(server).port) ?? wrongMethod(path, request))
    if (refusal || path === undefined) return refuse(asked, refusal ?? notFound)
    if (path === '') return redirect(response, `/${token}/`)
    if (path === '/') return sendPage(response, page, policy)
    answer(path, asked).catch(error => complain(asked, error))
  })
  await listening(server, port)
  return {
    url: `http://127.0.0.1:${addressOf(server).port}/${token}/`,
    async close() {
      ending.abort()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      const late = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(late)
    },
  }
}

/** Streams end by themselves; a document that is being sent need not be whole. */
const graceMs = 500

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly catalogue: Catalogue
  /** The client has gone, or the server ends. */
  readonly gone: AbortSignal
}

async function answer(path: string, asked: Asked): Promise<void> {
  const { catalogue, response, gone, request } = asked
  if (path === '/api/events') return streamEvents(response, catalogue.notices.listen(gone), gone)
  const [, what, source, item, more] = place.exec(path) ?? []
  const opened = source === undefined ? undefined : catalogue.find(source)
  if (!opened || item === undefined) return refuse(asked, notFound)
  if (what === 'documents' && (more === undefined || more === '?head'))
    return sendPieces(asked, await opened.document(item, more === undefined ? 'whole' : 'head'))
  if (what === 'threads' && more === '/events' && opened.follow) return follow(opened, item, asked)
  if (what === 'threads' && more === undefined && request.method === 'POST' && opened.act)
    return act(opened, item, asked)
  refuse(asked, notFound)
}

/** Names of sources and items are our own numbers, whatever they are called elsewhere. */
const place = /^\/api\/(documents|threads)\/([0-9]+)\/([0-9]+)(\/events|\?head)?$/

async function follow(opened: OpenSource, item: string, { response, gone }: Asked): Promise<void> {
  const feed = new Feed<ThreadFacts>()
  const over = new AbortController()
  await new Promise<void>((resolve, reject) => {
    const tell = (facts: ThreadFacts): void => {
      feed.tell('facts', facts)
      resolve()
    }
    // What keeps a thread from being read at all is told by a status. Later the stream just ends, and is asked for again.
    opened
      .follow?.(item, tell, gone)
      .catch(reject)
      .finally(() => over.abort())
  })
  await streamEvents(response, feed.listen(AbortSignal.any([gone, over.signal])), gone)
}

async function act(opened: OpenSource, item: string, asked: Asked): Promise<void> {
  const body = await bodyOf(asked.request)
  if (body === undefined) return refuse(asked, { status: 413, error: 'that is too much' })
  const deed: Deed = deedIn(body)
  const done = await opened.act?.(item, deed)
  sendJson(asked.response, 200, done)
}

async function sendPieces({ response, gone }: Asked, pieces: readonly string[]): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0),
  })
  for (const piece of pieces) {
    if (!response.write(piece)) await drained(response, gone)
    if (gone.aborted) break
  }
  response.end()
}

const notFound: Refusal = { status: 404, error: 'there is nothing here' }

function wrongMethod(path: string, { method }: IncomingMessage): Refusal | undefined {
  const allow = /^\/api\/threads\/[^/]+\/[^/]+$/.test(path) ? 'POST' : 'GET'
  return method === allow ? undefined : { status: 405, error: `only ${allow} is answered here`, allow }
}

function refuse({ request, response }: Asked, { status, error, allow }: Refusal): void {
  if (allow !== undefined) response.setHeader('allow', allow)
  // What the client still has to say is not waited for.
  if (!request.complete) response.setHeader('connection', 'close')
  sendJson(response, status, { error })
}

function complain(asked: Asked, error: unknown): void {
  const { response, gone } = asked
  if (response.headersSent || gone.aborted) {
    response.destroy()
    return
  }
  const { message, hint } = AntiphonError.is(error) ? error : { message: failureReason(error), hint: undefined }
  sendJson(response, statusOf(error), { error: message, ...(hint === undefined ? {} : { hint }) })
}

/** A thing that is not there, a state that does not allow it, or something that cannot be read. */
function statusOf(error: unknown): number {
  const code = AntiphonError.is(error) ? error.code : ''
  if (['unknown-item', 'unknown-call', 'unknown-thread'].includes(code)) return 404
  return code === 'invalid-action' ? 400 : code === 'unreadable' ? 422 : 409
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(value))
}

function sendPage(response: ServerResponse, page: string, policy: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }).end(page)
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(308, { location }).end()
}

/** What was sent, or undefined if it is too much. A deed is a line or two. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = Number(request.headers['content-length'] ?? 0)
  if (length > deedBytesMax) return undefined
  length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > deedBytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const deedBytesMax = 64 * 1024

function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

const addressOf = (server: Server): AddressInfo => server.address() as AddressInfo

async function listening(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => {
      const { code } = error as { code?: string }
      reject(
        code === 'EADDRINUSE'
          ? new AntiphonError('port-in-use', `port ${port} is in use`, { hint: 'omit --port to use any free port' })
          : new AntiphonError('no-port', `port ${port} cannot be used: ${failureReason(error)}`, {
              hint: 'omit --port to use any free port',
            }),
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}
