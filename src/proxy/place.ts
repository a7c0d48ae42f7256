import { type Endpoint, findEndpoint } from '../fetch/endpoint.ts'
import type { Upstream, Way } from './routes.ts'

/** What takes a history, and where it really is: with names, the name counts when it is asked who reads there. */
export interface Place {
  readonly endpoint: Endpoint
  readonly url: string
}

/** The place that a way leads to, or undefined if no history goes there. */
export function placeAt(way: Way): Place | undefined {
  const { upstream, path } = way
  const places = known.get(upstream) ?? new Map<string, Place>()
  const place = places.get(path) ?? findPlace(way)
  if (!place || places.has(path) || !isKept(path)) return place
  if (places.size >= placesMax) places.clear()
  known.set(upstream, places.set(path, place))
  return place
}

/** A program asks the same few places over and over, and to find them costs more than to look at a short request does. */
const known = new WeakMap<Upstream, Map<string, Place>>()

/** A query may hold a key. */
const isKept = (path: string): boolean => path.length <= pathMax && !path.includes('?')

const [placesMax, pathMax] = [100, 200]

function findPlace({ upstream: { origin, name }, path }: Way): Place | undefined {
  const url = URL.parse(origin + path)
  const endpoint = url && findEndpoint(url)
  if (!endpoint) return undefined
  const read = name === undefined ? url : (URL.parse(`${origin}/${name}${path}`) ?? url)
  return { endpoint: { ...endpoint, url: read }, url: url.href }
}
