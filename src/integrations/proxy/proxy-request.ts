import type { IncomingMessage } from 'node:http'
import type { Pool } from 'undici'
import { signatureError } from '../fetch/signed.ts'
import type { Client } from './client.ts'
import type { ProxyContext } from './context.ts'
import type { Delivery } from './deliver.ts'
import { type HistoryTarget, targetAt } from './history-target.ts'
import { type ProxyError, sendError, upstreamError } from './proxy-error.ts'
import type { Route } from './routes.ts'

/** One request, from its head to the end of its answer. */
export interface ProxyRequest {
  readonly request: IncomingMessage
  readonly client: Client
  readonly route: Route
  readonly pool: Pool
  readonly context: ProxyContext
  /** The client sends its body only after `100 Continue`. */
  readonly expectsContinue: boolean
}

/** The target of a request that may carry a history and may be changed, or undefined for any other request. */
export function targetOf({ request, route, context }: ProxyRequest): HistoryTarget | undefined {
  const { headers, method } = request
  const target = method === 'POST' ? targetAt(route) : undefined
  if (!target || /^\s*multipart\//i.test(headers['content-type'] ?? '')) return undefined
  const given = {
    get: (header: string) => headers[header]?.toString() ?? null,
    has: (header: string) => header in headers,
  }
  const signature = signatureError(target.endpoint.url, given)
  if (signature) context.unhealed('signed', signature)
  return signature ? undefined : target
}

/** Sends the client an error; a client that has received part of an answer is cut off. */
export function fail(
  { client, route, context }: ProxyRequest,
  proxyError: ProxyError,
  headers?: Record<string, string>,
): void {
  if (client.isGone) return
  const { name } = route.upstream
  context.proxyError({ ...proxyError, ...(name === undefined ? {} : { route: name }) })
  if (client.response.headersSent) client.response.destroy()
  else sendError(client.response, proxyError, headers)
}

/** Reports a delivery that failed or broke off. */
export function finish(proxyRequest: ProxyRequest, delivery: Delivery): void {
  if (delivery.kind !== 'failed' && delivery.kind !== 'cut') return
  const proxyError = upstreamError(delivery.error, proxyRequest.route.upstream.origin)
  if (delivery.kind === 'failed') fail(proxyRequest, proxyError)
  else
    fail(proxyRequest, {
      ...proxyError,
      kind: 'upstream-cut',
      message: `${proxyError.message}, in the middle of an answer`,
    })
}
