import { type Endpoint, findEndpoint } from '../fetch/endpoint.ts'
import type { Route } from './routes.ts'

/**
 * The endpoint that a request with a history goes to. `endpoint.url` contains the upstream's name, which helps to identify
 * the provider; `url` is the real address.
 */
export interface HistoryTarget {
  readonly endpoint: Endpoint
  readonly url: string
}

/** The target of a route, or undefined if no histories are sent there. */
export function targetAt(route: Route): HistoryTarget | undefined {
  const target = known.get(route) ?? findTarget(route)
  if (target) known.set(route, target)
  return target
}

/** Finding a target costs more than checking a short request. */
const known = new WeakMap<Route, HistoryTarget>()

function findTarget({ upstream: { origin, name }, path }: Route): HistoryTarget | undefined {
  const url = URL.parse(origin + path)
  const endpoint = url && findEndpoint(url)
  if (!endpoint) return undefined
  const read = name === undefined ? url : (URL.parse(`${origin}/${name}${path}`) ?? url)
  return { endpoint: { ...endpoint, url: read }, url: url.href }
}
