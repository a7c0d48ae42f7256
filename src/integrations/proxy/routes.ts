import { AntiphonError } from '../../core/errors.ts'
import { withoutEndSlashes } from '../fetch/endpoint.ts'

/** Where requests are sent on to. */
export interface Upstream {
  /** Undefined if it is the only one and takes every path. */
  readonly name: string | undefined
  readonly origin: string
  /** What stands in front of every path there: empty, or it begins with a slash and does not end with one. */
  readonly base: string
}

/** A way that a request may take. */
export interface Way {
  readonly upstream: Upstream
  /** Its path there, with its query. */
  readonly path: string
}

/** Reads what the caller says of upstreams. Throws on what is none. */
export function readUpstreams(to: string | Readonly<Record<string, string>>): readonly Upstream[] {
  if (typeof to === 'string') return [readUpstream(undefined, to)]
  const upstreams = Object.entries(to).map(([name, url]) => readUpstream(name, url))
  if (upstreams.length > 0) return upstreams
  throw new AntiphonError('no-upstream', 'there is no upstream', { hint: 'say where requests go, with --to URL' })
}

/** The way of a request by its target, or why there is none. Nothing in a target can lead to another host. */
export type Wayfinder = (target: string) => Way | 'bad-target' | 'no-route'

/** Finds ways, and remembers them: a program asks the same few places over and over. */
export function createWayfinder(upstreams: readonly Upstream[]): Wayfinder {
  const known = new Map<string, Way>()
  return target => {
    const way = known.get(target) ?? findWay(target, upstreams)
    if (typeof way === 'string' || known.has(target) || !isKept(target)) return way
    if (known.size >= knownMax) known.clear()
    known.set(target, way)
    return way
  }
}

/** A query may hold a key. */
const isKept = (target: string): boolean => target.length <= targetMax && !target.includes('?')

const [knownMax, targetMax] = [100, 200]

function findWay(target: string, upstreams: readonly Upstream[]): Way | 'bad-target' | 'no-route' {
  if (!target.startsWith('/') || climbs(target)) return 'bad-target'
  const [first] = upstreams
  if (upstreams.length === 1 && first.name === undefined) return { upstream: first, path: join(first.base, target) }
  const name = /^\/([^/?]*)/.exec(target)?.[1]
  const upstream = upstreams.find(upstream => upstream.name === name)
  if (!upstream || name === undefined) return 'no-route'
  const rest = target.slice(name.length + 1)
  return { upstream, path: join(upstream.base, rest.startsWith('/') ? rest : `/${rest}`) }
}

/** A version that ends the base is not repeated where the client says it too: `/v1` and `/v1/messages`. */
function join(base: string, target: string): string {
  const version = /\/v\d+\w*$/.exec(base)?.[0]
  return base + (version !== undefined && target.startsWith(`${version}/`) ? target.slice(version.length) : target)
}

/**
 * Whether a path has a part that leads out of where it stands, in any spelling that a server may understand: escaped once or several
 * times, letter by letter, with parameters behind it, or in front of what some take for the end of a path.
 */
function climbs(target: string): boolean {
  let [path] = target.split('?', 1)
  // Each round takes one layer of escapes away. What is still escaped after the last was not written in good faith.
  for (let round = 0; path.includes('%'); round++) {
    const plain = path.replaceAll(/%(25)+/g, '%').replaceAll(escaped, letterOf)
    if (plain === path) break
    if (round === roundsMax) return true
    path = plain
  }
  return path.includes('.') && path.split(/[/\\;#?]/).some(part => part === '.' || part === '..')
}

/** Of what means something in a path, and of what an escape is made of. */
const escaped = /%(2[35ef]|3[0-9bf]|4[1-6]|5c|6[1-6])/gi

const letterOf = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))

const roundsMax = 8

function readUpstream(name: string | undefined, text: string): Upstream {
  const wrong = (reason: string, hint: string): AntiphonError =>
    new AntiphonError('unknown-upstream', `${reason}: "${shown(text)}"`, { hint })
  if (name !== undefined && !/^[a-z0-9][a-z0-9._-]*$/.test(name))
    throw new AntiphonError('unknown-upstream', `"${name}" cannot be the name of an upstream`, {
      hint: 'small letters, digits, dots, hyphens and underscores',
    })
  if (name !== undefined && ownNames.has(name))
    throw new AntiphonError('unknown-upstream', `"${name}" is a path of the proxy itself`, {
      hint: 'take another name',
    })
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw wrong('an upstream is no URL', `it begins with http:// or https://, as in https://api.openai.com`)
  if (url.username !== '' || url.password !== '')
    throw wrong('an upstream has a user or a password in it', 'keys come with the requests, the proxy has none')
  if (url.search !== '' || url.hash !== '')
    throw wrong('an upstream has a query in it', 'a base URL ends with its path')
  return { name, origin: url.origin, base: withoutEndSlashes(url.pathname) }
}

/** What is not shown of a URL that was refused: it may be a key. */
const shown = (text: string): string => text.replace(/\/\/[^/]*@/, '//***@').replace(/[?#].*$/s, '?***')

const ownNames = new Set(['healthz', 'metrics'])
