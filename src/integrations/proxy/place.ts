import { type Endpoint, findEndpoint } from '../fetch/endpoint.ts'
import type { Way } from './routes.ts'

/** What takes a history, and where it really is: with names, the name counts when it is asked who reads there. */
export interface Place {
  readonly endpoint: Endpoint
  readonly url: string
}

/** The place that a way leads to, or undefined if no history goes there. */
export function placeAt(way: Way): Place | undefined {
  const place = known.get(way) ?? findPlace(way)
  if (place) known.set(way, place)
  return place
}

/** To find a place costs more than to look at a short request does. */
const known = new WeakMap<Way, Place>()

function findPlace({ upstream: { origin, name }, path }: Way): Place | undefined {
  const url = URL.parse(origin + path)
  const endpoint = url && findEndpoint(url)
  if (!endpoint) return undefined
  const read = name === undefined ? url : (URL.parse(`${origin}/${name}${path}`) ?? url)
  return { endpoint: { ...endpoint, url: read }, url: url.href }
}
