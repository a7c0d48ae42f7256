import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Why a request is denied. */
export interface AccessDenial {
  readonly status: 403 | 404 | 405 | 413 | 415 | 421
  readonly error: string
  readonly allow?: string
}

/** A secret that every request must contain. It is only in the URL that is printed. */
export const createToken = (): string => randomBytes(24).toString('base64url')

/** The path after the token, or undefined if the token is wrong. */
export function pathAfterToken(url: string, token: string): string | undefined {
  const [, first, rest] = /^\/([^/?]*)(.*)$/s.exec(url) ?? []
  return first !== undefined && isEqual(first, token) ? rest : undefined
}

/** Compares in constant time. */
const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Accepts only requests of our own page. Denies pages of other origins that find the port, DNS rebinding (a foreign Host), and forms
 * (anything but JSON).
 */
export function denialFor(request: IncomingMessage, port: number): AccessDenial | undefined {
  const { method, headers, headersDistinct } = request
  const { host, origin } = headers
  // Of several Host headers Node would use the first one, and a proxy before it perhaps another one.
  const isOne = headersDistinct.host?.length === 1
  if (host === undefined || !isOne || !hostsAt(port).has(host.toLowerCase()))
    return { status: 403, error: 'wrong Host header' }
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return { status: 403, error: 'requests are accepted only from the page itself' }
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return { status: 403, error: 'requests are accepted only from the page itself' }
  if (method !== 'POST') return undefined
  if (origin === undefined) return { status: 403, error: 'requests are accepted only from the page itself' }
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    return { status: 415, error: 'the body must be application/json' }
  return undefined
}

const hostsAt = (port: number): ReadonlySet<string> =>
  new Set(['127.0.0.1', 'localhost', '[::1]'].flatMap(name => [`${name}:${port}`, ...(port === 80 ? [name] : [])]))
