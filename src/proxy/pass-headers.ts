import { isKept } from '../fetch/request-headers.ts'

/** What is said between two neighbours only, and not passed on. */
const hop = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'http2-settings'],
])

/** What the way to an upstream says anew. */
const ofWay = new Set(['host', 'content-length', 'expect'])

/**
 * The headers of a request for its upstream, in their order and spelling. Its length is said anew by whoever sends the body; a
 * body that was changed takes along what was said of the old one.
 */
export function requestHeaders(raw: readonly string[], isChanged: boolean): string[] {
  const named = namedIn(raw)
  return pass(raw, name => !hop.has(name) && !ofWay.has(name) && !named?.has(name) && (!isChanged || isKept(name)))
}

/** The headers of a response for the client. */
export function responseHeaders(raw: RawHeaders): string[] {
  const flat = flatten(raw)
  const named = namedIn(flat)
  return pass(flat, name => !hop.has(name) && !named?.has(name))
}

/** As `undici` gives them: one by one for HTTP/1.1, and as an object for HTTP/2. */
export type RawHeaders = readonly (Buffer | string)[] | Readonly<Record<string, string | string[] | undefined>>

/** The value of the first header with a name. */
export function headerIn(flat: readonly string[], name: string): string | undefined {
  for (let index = 0; index < flat.length; index += 2) if (flat[index].toLowerCase() === name) return flat[index + 1]
  return undefined
}

function flatten(raw: RawHeaders): string[] {
  if (Array.isArray(raw)) return raw.map(piece => (typeof piece === 'string' ? piece : piece.toString('latin1')))
  return Object.entries(raw as Record<string, string | string[] | undefined>).flatMap(([name, value]) =>
    name.startsWith(':') || value === undefined ? [] : [value].flat().flatMap(one => [name, one]),
  )
}

function pass(flat: readonly string[], isPassed: (name: string) => boolean): string[] {
  const passed: string[] = []
  for (let index = 0; index < flat.length; index += 2)
    if (isPassed(flat[index].toLowerCase())) passed.push(flat[index], flat[index + 1])
  return passed
}

/** Headers that a `connection` header names are between neighbours, too. */
function namedIn(flat: readonly string[]): ReadonlySet<string> | undefined {
  let named: Set<string> | undefined
  for (let index = 0; index < flat.length; index += 2) {
    if (flat[index].toLowerCase() !== 'connection' || /^(keep-alive|close)$/i.test(flat[index + 1])) continue
    named ??= new Set()
    for (const name of flat[index + 1].toLowerCase().split(',')) named.add(name.trim())
  }
  return named
}
