import type { ServerResponse } from 'node:http'

export type TroubleKind =
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

/** Why a request has no answer of a provider, or only half of one. Holds nothing of what was asked. */
export interface Trouble {
  readonly kind: TroubleKind
  /** What the client is told; the connection is cut instead if half of an answer was out. */
  readonly status: number
  readonly message: string
  readonly hint: string
  readonly route?: string
}

/** What the client reads. */
export const bodyOf = ({ kind, message, hint }: Trouble): string =>
  `${JSON.stringify({ error: { type: 'antiphon_proxy', code: kind, message, hint } })}\n`

/** Answers in the place of a provider. */
export function answer(response: ServerResponse, trouble: Trouble, headers: Record<string, string> = {}): void {
  const body = bodyOf(trouble)
  response.writeHead(trouble.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  response.write(body)
  if (headers.connection === 'close') response.end()
  else endOnceRead(response)
}

/**
 * Ends an answer as soon as its request has come whole. Many clients read nothing before they have sent everything, and would find
 * the connection closed instead of the answer.
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

/** What an error of the way to an upstream means for whoever asked. */
export function upstreamTrouble(error: unknown, origin: string): Trouble {
  const { code = '', name = '', message = String(error) } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  if (slow.has(code))
    return {
      kind: 'upstream-slow',
      status: 504,
      message:
        code === 'UND_ERR_CONNECT_TIMEOUT'
          ? `${origin} could not be connected in time`
          : `${origin} was silent for too long`,
      hint: 'try again, or start the proxy with a longer --timeout or --connect-timeout',
    }
  if (name === 'HTTPParserError' || garbage.test(code))
    return {
      kind: 'upstream-garbage',
      status: 502,
      message: `${origin} answered with something that is not HTTP: ${message}`,
      hint: 'check that --to names an HTTP server, and http or https',
    }
  if (certificate.test(code))
    return {
      kind: 'upstream-down',
      status: 502,
      message: `${origin} has a certificate that is not trusted here (${code})`,
      hint: 'check the name in --to, or name the authority of the certificate in NODE_EXTRA_CA_CERTS',
    }
  return {
    kind: 'upstream-down',
    status: 502,
    message: `${origin} gave no answer: ${reasons[code] ?? (code || message)}`,
    hint: 'check that --to names a server that is up and can be reached from here',
  }
}

const slow = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'])

const garbage = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES|ERR_HTTP2|ERR_SSL_(WRONG|PACKET|HTTP))/

const certificate = /CERT|^UNABLE_TO_/

const reasons: Readonly<Record<string, string | undefined>> = Object.assign(Object.create(null), {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'there is no such host (ENOTFOUND)',
  EAI_AGAIN: 'its name could not be looked up (EAI_AGAIN)',
  ECONNRESET: 'it closed the connection (ECONNRESET)',
  UND_ERR_SOCKET: 'it closed the connection',
  EPIPE: 'it closed the connection (EPIPE)',
})
