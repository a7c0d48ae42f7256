import { AntiphonError } from '../../core/errors.ts'
import { withoutEndSlashes } from '../fetch/endpoint.ts'

/** A server that requests are forwarded to. */
export interface Upstream {
  /** Undefined if it is the only one and gets every path. */
  readonly name: string | undefined
  readonly origin: string
  /** The prefix of every path there: empty, or it begins with a slash and does not end with one. */
  readonly base: string
}

/** Where a request is forwarded. */
export interface Route {
  readonly upstream: Upstream
  /** The path at the upstream, with the query. */
  readonly path: string
}

/** Parses the `to` option. Throws if an upstream is invalid. */
export function readUpstreams(to: string | Readonly<Record<string, string>>): readonly Upstream[] {
  if (typeof to === 'string') return [readUpstream(undefined, to)]
  const upstreams = Object.entries(to).map(([name, url]) => readUpstream(name, url))
  if (upstreams.length > 0) return upstreams
  throw new AntiphonError('no-upstream', 'no upstream given', { hint: 'pass the URL of the provider as `to` (--to)' })
}

/** The route of a request by its request target, or why there is none. A target can never lead to another host. */
export type Router = (target: string) => Route | 'bad-target' | 'no-route'

/** Creates a router that caches its routes: a program requests the same few paths again and again. */
export function createRouter(upstreams: readonly Upstream[]): Router {
  const known = new Map<string, Route>()
  return target => {
    const route = known.get(target) ?? findRoute(target, upstreams)
    if (typeof route === 'string' || known.has(target) || !isKept(target)) return route
    if (known.size >= knownMax) known.clear()
    known.set(target, route)
    return route
  }
}

/** A query may contain a key, so it is not cached. */
const isKept = (target: string): boolean => target.length <= targetMax && !target.includes('?')

const [knownMax, targetMax] = [100, 200]

function findRoute(target: string, upstreams: readonly Upstream[]): Route | 'bad-target' | 'no-route' {
  if (!target.startsWith('/') || leavesBase(target)) return 'bad-target'
  const [first] = upstreams
  if (first && upstreams.length === 1 && first.name === undefined)
    return { upstream: first, path: join(first.base, target) }
  const name = /^\/([^/?]*)/.exec(target)?.[1]
  const upstream = upstreams.find(upstream => upstream.name === name)
  if (!upstream || name === undefined) return 'no-route'
  const rest = target.slice(name.length + 1)
  return { upstream, path: join(upstream.base, rest.startsWith('/') ? rest : `/${rest}`) }
}

/** A version at the end of the base is not repeated if the client sends it too: `/v1` and `/v1/messages`. */
function join(base: string, target: string): string {
  const version = /\/v\d+\w*$/.exec(base)?.[0]
  return base + (version !== undefined && target.startsWith(`${version}/`) ? target.slice(version.length) : target)
}

/**
 * Path-traversal guard: whether a path contains a dot segment in any spelling that a server may understand, such as escaped
 * once or several times, escaped letter by letter, with parameters after it, or before what some servers read as the end of a
 * path.
 */
function leavesBase(target: string): boolean {
  let [path = ''] = target.split('?', 1)
  // Each round removes one layer of escapes. A path that is still escaped after the last round is rejected.
  for (let round = 0; path.includes('%'); round++) {
    const plain = path.replaceAll(/%(25)+/g, '%').replaceAll(escaped, letterOf)
    if (plain === path) break
    if (round === roundsMax) return true
    path = plain
  }
  return path.includes('.') && path.split(/[/\\;#?]/).some(part => part === '.' || part === '..')
}

/** Escapes of characters with a meaning in paths, and of the characters that escapes consist of. */
const escaped = /%(2[35ef]|3[0-9bf]|4[1-6]|5c|6[1-6])/gi

const letterOf = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))

const roundsMax = 8

function readUpstream(name: string | undefined, text: string): Upstream {
  const wrong = (reason: string, hint: string): AntiphonError =>
    new AntiphonError('unknown-upstream', `${reason}: "${shown(text)}"`, { hint })
  if (name !== undefined && !/^[a-z0-9][a-z0-9._-]*$/.test(name))
    throw new AntiphonError('unknown-upstream', `"${name}" cannot be the name of an upstream`, {
      hint: 'use lower-case letters, digits, dots, hyphens and underscores',
    })
  if (name !== undefined && ownNames.has(name))
    throw new AntiphonError('unknown-upstream', `"${name}" is a path of the proxy itself`, {
      hint: 'choose another name',
    })
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw wrong('an upstream must be a URL', 'a URL begins with http:// or https://, as in https://api.openai.com')
  if (url.username !== '' || url.password !== '')
    throw wrong('an upstream must not contain a user name or a password', 'send keys with the requests')
  if (url.search !== '' || url.hash !== '')
    throw wrong('an upstream must not contain a query', 'a base URL ends with its path')
  return { name, origin: url.origin, base: withoutEndSlashes(url.pathname) }
}

/** Hides the parts of a rejected URL that may contain a key. */
const shown = (text: string): string => text.replace(/\/\/[^/]*@/, '//***@').replace(/[?#].*$/s, '?***')

const ownNames = new Set(['healthz', 'metrics'])
