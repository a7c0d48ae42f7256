import { isKept } from '../fetch/request-headers.ts'

/** Hop-by-hop headers, which are not forwarded. */
const hop = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'http2-settings'],
])

/** Headers that are set again for the connection to the upstream. */
const hopOrTransport = new Set([...hop, 'host', 'content-length', 'expect'])

const hopOrTransportOrEncoding = new Set([...hopOrTransport, 'accept-encoding'])

/**
 * The headers of a request for its upstream, in their original order and spelling. The sender of the body sets the length; if
 * the body was changed, headers that describe the old body are removed. With `wantsPlain` the answer is requested without
 * compression, since its tool names are restored on the way back.
 */
export function requestHeaders(raw: readonly string[], isChanged: boolean, wantsPlain = false): string[] {
  const passed = pass(raw, wantsPlain ? hopOrTransportOrEncoding : hopOrTransport)
  if (wantsPlain) passed.push('accept-encoding', 'identity')
  return isChanged ? passed.filter((_, index) => isKept(passed[index & ~1] ?? '')) : passed
}

/**
 * The headers of a response for the client: `raw` has their order and spelling, and `parsed` the values of headers that occur
 * once. Headers with the prefix of our own are removed: only the proxy may set them.
 */
export const responseHeaders = (raw: RawHeaders, parsed: ParsedHeaders): string[] =>
  pass(spell(raw, parsed), hop, 'x-antiphon-')

/** As `undici` returns them for HTTP/1.1: names and values alternating. */
export type RawHeaders = readonly Buffer[]

export type ParsedHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The value of the first header with this name. */
export function headerIn(flat: readonly string[], name: string): string | undefined {
  for (let index = 0; index < flat.length; index += 2) if (flat[index]?.toLowerCase() === name) return flat[index + 1]
  return undefined
}

function spell(raw: readonly Buffer[], parsed: ParsedHeaders): string[] {
  const flat: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    const bytes = raw[index]
    const own = raw[index + 1]
    if (!bytes || !own) break
    const { spelt, name } = readName(bytes)
    const value = parsed[name]
    flat.push(spelt, typeof value === 'string' ? value : own.toString('latin1'))
  }
  return flat
}

interface Name {
  readonly spelt: string
  readonly name: string
}

/** Providers answer with the same few names, and decoding them each time costs more than all other work on headers. */
function readName(bytes: Buffer): Name {
  const { length } = bytes
  const slot = (length * 31 + (bytes[0] ?? 0) * 7 + (bytes[length - 1] ?? 0)) & (slotsMax - 1)
  const last = known[slot]
  if (last !== undefined && isSpelt(last.spelt, bytes)) return last
  const spelt = bytes.toString('latin1')
  const read = { spelt, name: spelt.toLowerCase() }
  known[slot] = read
  return read
}

const slotsMax = 256
const known: (Name | undefined)[] = Array(slotsMax).fill(undefined)

function isSpelt(text: string, bytes: Buffer): boolean {
  if (text.length !== bytes.length) return false
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[at]) return false
  return true
}

function pass(flat: readonly string[], dropped: ReadonlySet<string>, droppedPrefix?: string): string[] {
  const passed: string[] = []
  let named: string | undefined
  for (let index = 0; index < flat.length; index += 2) {
    const spelt = flat[index]
    const value = flat[index + 1]
    if (spelt === undefined || value === undefined) break
    const name = spelt.toLowerCase()
    const isDropped = dropped.has(name) || (droppedPrefix !== undefined && name.startsWith(droppedPrefix))
    if (!isDropped) passed.push(spelt, value)
    else if (name === 'connection') named = named === undefined ? value : `${named},${value}`
  }
  return named === undefined || named === 'keep-alive' || named === 'close' ? passed : without(passed, named)
}

/** Headers named in a `connection` header are hop-by-hop, too. */
function without(flat: readonly string[], list: string): string[] {
  const named = new Set(list.split(',').map(name => name.trim().toLowerCase()))
  return flat.filter((_, index) => !named.has(flat[index & ~1]?.toLowerCase() ?? ''))
}
