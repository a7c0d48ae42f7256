import { isKept } from '../fetch/request-headers.ts'

/** What is said between two neighbours only, and not passed on. */
const hop = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'http2-settings'],
])

/** What the way to an upstream says anew, too. */
const hopOrWay = new Set([...hop, 'host', 'content-length', 'expect'])

/**
 * The headers of a request for its upstream, in their order and spelling. Its length is said anew by whoever sends the body; a
 * body that was changed takes along what was said of the old one.
 */
export function requestHeaders(raw: readonly string[], isChanged: boolean): string[] {
  const passed = pass(raw, hopOrWay)
  return isChanged ? passed.filter((_, index) => isKept(passed[index & ~1])) : passed
}

/** The headers of a response for the client. */
export const responseHeaders = (raw: RawHeaders): string[] => pass(Array.isArray(raw) ? raw : flatten(raw), hop)

/** As `undici` gives them: one by one for HTTP/1.1, and as an object for HTTP/2. */
export type RawHeaders = readonly (Buffer | string)[] | Readonly<Record<string, string | string[] | undefined>>

/** The value of the first header with a name. */
export function headerIn(flat: readonly string[], name: string): string | undefined {
  for (let index = 0; index < flat.length; index += 2) if (flat[index].toLowerCase() === name) return flat[index + 1]
  return undefined
}

function flatten(raw: RawHeaders): string[] {
  return Object.entries(raw as Record<string, string | string[] | undefined>).flatMap(([name, value]) =>
    name.startsWith(':') || value === undefined ? [] : [value].flat().flatMap(one => [name, one]),
  )
}

function pass(flat: readonly (Buffer | string)[], dropped: ReadonlySet<string>): string[] {
  const passed: string[] = []
  let named: string | undefined
  for (let index = 0; index < flat.length; index += 2) {
    const spelt = textOf(flat[index])
    const name = spelt.toLowerCase()
    if (!dropped.has(name)) passed.push(spelt, textOf(flat[index + 1]))
    else if (name === 'connection')
      named = named === undefined ? textOf(flat[index + 1]) : `${named},${textOf(flat[index + 1])}`
  }
  return named === undefined || named === 'keep-alive' || named === 'close' ? passed : without(passed, named)
}

const textOf = (piece: Buffer | string): string => (typeof piece === 'string' ? piece : piece.toString('latin1'))

/** Headers that a `connection` header names are between neighbours, too. */
function without(flat: readonly string[], list: string): string[] {
  const named = new Set(list.split(',').map(name => name.trim().toLowerCase()))
  return flat.filter((_, index) => !named.has(flat[index & ~1].toLowerCase()))
}
