import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AntiphonError } from '../../core/errors.ts'
import { failureReason } from '../../doctor/files/file-error.ts'
import { type AccessDenial, createToken, denialFor, pathAfterToken } from './access-guard.ts'
import { drained, streamEvents } from './event-stream.ts'
import { Feed } from './feed.ts'
import { closedPolicy, notEmbedded, policyOf, safeHeaders } from './page-policy.ts'
import { parseStoreAction, parseThreadAction } from './parse-action.ts'
import type { ActionResult, ThreadEvent } from './protocol.ts'
import type { SourceIndex } from './source-index.ts'
import type { OpenSource } from './sources/open-source.ts'

export interface ViewerServer {
  readonly url: string
  /** Ends all streams and closes the server. */
  close(): Promise<void>
}

/** Serves the page and its API, on the loopback interface and only to the page itself. */
export async function startServer(page: string, index: SourceIndex, port: number): Promise<ViewerServer> {
  const token = createToken()
  const policy = `${policyOf(page, "'self'")}; ${notEmbedded}`
  const ending = new AbortController()
  /** A server that is closing has no address, and still gets requests on open connections. */
  let listensOn = port
  const server = createServer((request, response) => {
    const exchange = { request, response, index, gone: AbortSignal.any([ending.signal, goneOf(response)]) }
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value)
    response.setHeader('content-security-policy', closedPolicy)
    const path = pathAfterToken(request.url ?? '', token)
    const denial = path === undefined ? notFound : (denialFor(request, listensOn) ?? wrongMethod(path, request))
    if (denial || path === undefined) return deny(exchange, denial ?? notFound)
    if (path === '') return redirect(response, `/${token}/`)
    if (path === '/') return sendPage(response, page, policy)
    answer(path, exchange).catch(error => sendError(exchange, error))
  })
  await listening(server, port)
  listensOn = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${listensOn}/${token}/`,
    async close() {
      ending.abort()
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      const late = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(late)
    },
  }
}

/** How long open connections may finish when the server closes. */
const graceMs = 500

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly index: SourceIndex
  /** Aborted when the client disconnects or the server closes. */
  readonly gone: AbortSignal
}

async function answer(path: string, exchange: Exchange): Promise<void> {
  const { index, response, gone, request } = exchange
  if (path === '/api/events') return streamEvents(response, index.notices.listen(gone), gone)
  const [, what, source, item, more] = place.exec(path) ?? []
  const opened = source === undefined ? undefined : index.find(source)
  if (!opened || item === undefined) return deny(exchange, notFound)
  if (what === 'documents' && (more === undefined || more === '?head'))
    return sendPieces(exchange, await opened.document(item, more === undefined ? 'whole' : 'head'))
  if (what === 'threads' && more === '/events' && opened.follow) return follow(opened, item, exchange)
  if (what !== 'documents' && more === undefined && request.method === 'POST')
    return act(exchange, actionOf(what, opened, item))
  deny(exchange, notFound)
}

/** Sources and items are identified by our own numbers. */
const place = /^\/api\/(documents|threads|stores)\/([0-9]+)\/([0-9]+)(\/events|\?head)?$/

async function follow(opened: OpenSource, item: string, { response, gone }: Exchange): Promise<void> {
  const feed = new Feed<ThreadEvent>()
  const over = new AbortController()
  await new Promise<void>((resolve, reject) => {
    const publish = (event: ThreadEvent): void => {
      feed.publish('words' in event ? 'words' : 'facts', event)
      if (!('words' in event)) resolve()
    }
    // If the thread cannot be read at all, the response has an error status. Later errors end the stream, and the page reconnects.
    opened
      .follow?.(item, publish, gone)
      .catch(reject)
      .finally(() => over.abort())
  })
  await streamEvents(response, feed.listen(AbortSignal.any([gone, over.signal])), gone)
}

type Act = (body: string) => Promise<ActionResult>

function actionOf(what: string | undefined, { act, repair }: OpenSource, item: string): Act | undefined {
  if (what === 'threads' && act) return async body => act(item, parseThreadAction(body))
  return what === 'stores' && repair ? async body => repair(item, parseStoreAction(body)) : undefined
}

async function act(exchange: Exchange, perform: Act | undefined): Promise<void> {
  if (!perform) return deny(exchange, notFound)
  const body = await readBody(exchange.request)
  if (body === undefined) return deny(exchange, { status: 413, error: 'request body exceeds 64 KB' })
  sendJson(exchange.response, 200, await perform(body))
}

async function sendPieces({ response, gone }: Exchange, pieces: readonly string[]): Promise<void> {
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

const notFound: AccessDenial = { status: 404, error: 'not found' }

function wrongMethod(path: string, { method }: IncomingMessage): AccessDenial | undefined {
  const allow = /^\/api\/(threads|stores)\/[^/]+\/[^/]+$/.test(path) ? 'POST' : 'GET'
  return method === allow ? undefined : { status: 405, error: `method not allowed, use ${allow}`, allow }
}

function deny({ request, response }: Exchange, { status, error, allow }: AccessDenial): void {
  if (allow !== undefined) response.setHeader('allow', allow)
  // Does not wait for the rest of the request.
  if (!request.complete) response.setHeader('connection', 'close')
  sendJson(response, status, { error })
}

function sendError(exchange: Exchange, error: unknown): void {
  const { response, gone } = exchange
  if (response.headersSent || gone.aborted) {
    response.destroy()
    return
  }
  const { message, hint } = AntiphonError.is(error) ? error : { message: failureReason(error), hint: undefined }
  sendJson(response, statusOf(error), { error: message, ...(hint === undefined ? {} : { hint }) })
}

/** Not found, invalid, unreadable, or not allowed in the current state. */
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

/** The body of a request, or undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = Number(request.headers['content-length'] ?? 0)
  if (length > actionBytesMax) return undefined
  length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > actionBytesMax) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const actionBytesMax = 64 * 1024

function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

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
