import type { ServerResponse } from 'node:http'

export type ProxyErrorKind =
  | 'no-route'
  | 'bad-request'
  | 'no-upgrade'
  | 'too-long'
  | 'too-slow'
  | 'too-many'
  | 'upstream-down'
  | 'upstream-slow'
  | 'upstream-garbage'
  | 'upstream-cut'

/** Why a request has no answer from a provider, or only part of one. Contains nothing from the request. */
export interface ProxyError {
  readonly kind: ProxyErrorKind
  /** The status sent to the client. If part of an answer was already sent, the connection is cut instead. */
  readonly status: number
  readonly message: string
  readonly hint: string
  readonly route?: string
}

/** The body of the error response. */
export const errorBody = ({ kind, message, hint }: ProxyError): string =>
  `${JSON.stringify({ error: { type: 'antiphon_proxy', code: kind, message, hint } })}\n`

/** Sends an error response of the proxy itself. */
export function sendError(
  response: ServerResponse,
  proxyError: ProxyError,
  headers: Record<string, string> = {},
): void {
  const body = errorBody(proxyError)
  response.writeHead(proxyError.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  response.write(body)
  if (headers.connection === 'close') response.end()
  else endOnceRead(response)
}

/**
 * Ends an answer as soon as its request was received completely. Many clients read nothing before they have sent everything,
 * and would find the connection closed instead of the answer.
 */
export function endOnceRead(response: ServerResponse): void {
  const { req: request } = response
  if (request.complete || request.destroyed) response.end()
  else
    request
      .once('end', () => response.end())
      .once('close', () => response.end())
      .resume()
}

/** The error that the client gets when the upstream cannot be reached or fails. */
export function upstreamError(error: unknown, origin: string): ProxyError {
  const { code = '', name = '', message = String(error) } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  if (slow.has(code))
    return {
      kind: 'upstream-slow',
      status: 504,
      message:
        code === 'UND_ERR_CONNECT_TIMEOUT'
          ? `connecting to ${origin} took too long`
          : `${origin} sent nothing for too long`,
      hint: 'try again, or start the proxy with a longer --timeout or --connect-timeout',
    }
  if (name === 'HTTPParserError' || garbage.test(code))
    return {
      kind: 'upstream-garbage',
      status: 502,
      message: `the answer of ${origin} is not HTTP: ${message}`,
      hint: 'check that --to names an HTTP server, and http or https',
    }
  if (certificate.test(code))
    return {
      kind: 'upstream-down',
      status: 502,
      message: `${origin} has a certificate that is not trusted here (${code})`,
      hint: 'check the name in --to; if the certificate is your own, set NODE_EXTRA_CA_CERTS to a file with the CA certificate',
    }
  return {
    kind: 'upstream-down',
    status: 502,
    message: `no answer from ${origin}: ${reasons[code] ?? (code || message)}`,
    hint: 'check that --to names a server that is up and can be reached from here',
  }
}

const slow = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

const garbage = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|ERR_HTTP2|ERR_SSL_(WRONG|PACKET|HTTP))/

const certificate = /CERT|^UNABLE_TO_/

const reasons: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'host not found (ENOTFOUND)',
  EAI_AGAIN: 'DNS lookup failed (EAI_AGAIN)',
  ECONNRESET: 'it closed the connection (ECONNRESET)',
  UND_ERR_SOCKET: 'it closed the connection',
  EPIPE: 'it closed the connection (EPIPE)',
})
