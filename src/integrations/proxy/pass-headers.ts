import { isKept } from '../fetch/request-headers.ts'

/** What is said between two neighbours only, and not passed on. */
const hop = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'http2-settings'],
])

/** What the way to an upstream says anew, too. */
const hopOrWay = new Set([...hop, 'host', 'content-length', 'expect'])

const hopOrWayOrEncoding = new Set([...hopOrWay, 'accept-encoding'])

/**
 * The headers of a request for its upstream, in their order and spelling. Its length is said anew by whoever sends the body; a
 * body that was changed takes along what was said of the old one. With `wantsPlain` the answer is asked for without compression, since
 * it is changed on its way back.
 */
export function requestHeaders(raw: readonly string[], isChanged: boolean, wantsPlain = false): string[] {
  const passed = pass(raw, wantsPlain ? hopOrWayOrEncoding : hopOrWay)
  if (wantsPlain) passed.push('accept-encoding', 'identity')
  return isChanged ? passed.filter((_, index) => isKept(passed[index & ~1])) : passed
}

/**
 * The headers of a response for the client: `raw` has their order and spelling, and `parsed` the values of those that stand there once.
 * Those that begin like our own are left out: what they say is said by the proxy alone.
 */
export const responseHeaders = (raw: RawHeaders, parsed: ParsedHeaders): string[] =>
  pass(spell(raw, parsed), hop, 'x-antiphon-')

/** As `undici` gives them for HTTP/1.1: names and values by turns. */
export type RawHeaders = readonly Buffer[]

export type ParsedHeaders = Readonly<Record<string, string | string[] | undefined>>

/** The value of the first header with a name. */
export function headerIn(flat: readonly string[], name: string): string | undefined {
  for (let index = 0; index < flat.length; index += 2) if (flat[index].toLowerCase() === name) return flat[index + 1]
  return undefined
}

function spell(raw: readonly Buffer[], parsed: ParsedHeaders): string[] {
  const flat: string[] = []
  for (let index = 0; index < raw.length; index += 2) {
    const { spelt, name } = readName(raw[index])
    const value = parsed[name]
    flat.push(spelt, typeof value === 'string' ? value : raw[index + 1].toString('latin1'))
  }
  return flat
}

interface Name {
  readonly spelt: string
  readonly name: string
}

/** Providers answer with the same few names, and to make them from bytes anew costs more than all else that is done with them. */
function readName(bytes: Buffer): Name {
  const { length } = bytes
  const place = (length * 31 + bytes[0] * 7 + bytes[length - 1]) & (placesMax - 1)
  const last = known[place]
  if (last !== undefined && isSpelt(last.spelt, bytes)) return last
  const spelt = bytes.toString('latin1')
  const read = { spelt, name: spelt.toLowerCase() }
  known[place] = read
  return read
}

const placesMax = 256
const known: (Name | undefined)[] = Array(placesMax).fill(undefined)

function isSpelt(text: string, bytes: Buffer): boolean {
  if (text.length !== bytes.length) return false
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[at]) return false
  return true
}

function pass(flat: readonly string[], dropped: ReadonlySet<string>, droppedPrefix?: string): string[] {
  const passed: string[] = []
  let named: string | undefined
  for (let index = 0; index < flat.length; index += 2) {
    const name = flat[index].toLowerCase()
    const isDropped = dropped.has(name) || (droppedPrefix !== undefined && name.startsWith(droppedPrefix))
    if (!isDropped) passed.push(flat[index], flat[index + 1])
    else if (name === 'connection') named = named === undefined ? flat[index + 1] : `${named},${flat[index + 1]}`
  }
  return named === undefined || named === 'keep-alive' || named === 'close' ? passed : without(passed, named)
}

/** Headers that a `connection` header names are between neighbours, too. */
function without(flat: readonly string[], list: string): string[] {
  const named = new Set(list.split(',').map(name => name.trim().toLowerCase()))
  return flat.filter((_, index) => !named.has(flat[index & ~1].toLowerCase()))
}
