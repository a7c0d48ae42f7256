import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Why a request is turned away, in one line. */
export interface Refusal {
  readonly status: 403 | 404 | 405 | 413 | 415 | 421
  readonly error: string
  readonly allow?: string
}

/** A secret that whoever asks must know: it stands in the address that is printed, and nowhere else. */
export const makeToken = (): string => randomBytes(24).toString('base64url')

/** The path behind the token, or undefined if the token is not ours. */
export function pathBehind(url: string, token: string): string | undefined {
  const [, first, rest] = /^\/([^/?]*)(.*)$/s.exec(url) ?? []
  return first !== undefined && isEqual(first, token) ? rest : undefined
}

/** Takes the same time whatever is wrong with it. */
const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Only our own page may ask: a page of somebody else that finds the port is refused, also one whose name was made to lead
 * here, and so is whoever would have a browser send a form.
 */
export function refusalOf({ method, headers }: IncomingMessage, port: number): Refusal | undefined {
  const { host, origin } = headers
  if (host === undefined || !hostsAt(port).has(host.toLowerCase()))
    return { status: 403, error: 'this host name does not lead here' }
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
    return { status: 403, error: 'only the page itself may ask' }
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return { status: 403, error: 'only the page itself may ask' }
  if (method !== 'POST') return undefined
  if (origin === undefined) return { status: 403, error: 'only the page itself may ask' }
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    return { status: 415, error: 'what is sent must be application/json' }
  return undefined
}

const hostsAt = (port: number): ReadonlySet<string> =>
  new Set(['127.0.0.1', 'localhost', '[::1]'].flatMap(name => [`${name}:${port}`, ...(port === 80 ? [name] : [])]))
