import type { IncomingMessage } from 'node:http'
import type { Pool } from 'undici'
import { signatureOf } from '../fetch/signed.ts'
import type { Client } from './client.ts'
import type { House } from './context.ts'
import type { Delivery } from './deliver.ts'
import { type Place, placeAt } from './place.ts'
import type { Way } from './routes.ts'
import { answer, type Trouble, upstreamTrouble } from './trouble.ts'

/** One request, from its head to the end of its answer. */
export interface Visit {
  readonly request: IncomingMessage
  readonly client: Client
  readonly way: Way
  readonly pool: Pool
  readonly house: House
  /** The client sends its body only when it is asked to. */
  readonly expectsContinue: boolean
}

/** The place of a request that may carry a history and may be changed, or undefined for any other. */
export function placeOf({ request, way, house }: Visit): Place | undefined {
  const { headers, method } = request
  const place = method === 'POST' ? placeAt(way) : undefined
  if (!place || /^\s*multipart\//i.test(headers['content-type'] ?? '')) return undefined
  const given = {
    get: (header: string) => headers[header]?.toString() ?? null,
    has: (header: string) => header in headers,
  }
  const signature = signatureOf(place.endpoint.url, given)
  if (signature) house.unhealed('signed', signature)
  return signature ? undefined : place
}

/** Tells the client that there is no answer; one that has got half of an answer already is cut off. */
export function fail({ client, way, house }: Visit, trouble: Trouble, headers?: Record<string, string>): void {
  if (client.isGone) return
  const { name } = way.upstream
  house.trouble({ ...trouble, ...(name === undefined ? {} : { route: name }) })
  if (client.response.headersSent) client.response.destroy()
  else answer(client.response, trouble, headers)
}

/** The end of a visit, if the answer did not come whole. */
export function finish(visit: Visit, delivery: Delivery): void {
  if (delivery.kind !== 'failed' && delivery.kind !== 'cut') return
  const trouble = upstreamTrouble(delivery.error, visit.way.upstream.origin)
  if (delivery.kind === 'failed') fail(visit, trouble)
  else fail(visit, { ...trouble, kind: 'upstream-cut', message: `${trouble.message}, in the middle of an answer` })
}
