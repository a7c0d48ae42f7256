import type { IncomingHttpHeaders } from 'node:http'

/**
 * Cross-origin guard: whether a web page of another origin sent this request. A page can post to any address of this machine
 * without a preflight (a `no-cors` request), and so use the provider through the proxy; its browser sends the page's origin.
 * Programs send none of these headers. Pages served by this machine and origins in `allowed` are let through.
 */
export function isForeignOrigin(headers: IncomingHttpHeaders, allowed: ReadonlySet<string>): boolean {
  const { origin } = headers
  if (origin !== undefined && allowed.has(origin)) return false
  if (origin !== undefined && origin !== 'null') return !local.test(origin) && web.test(origin)
  if (origin === 'null') return true
  if (/^(cross|same)-site$/.test(String(headers['sec-fetch-site']))) return true
  return isSimple(headers['content-type']) && isBrowser(headers)
}

/** An origin on this machine: pages with these names cannot come from elsewhere. */
const local = /^https?:\/\/(localhost|[\w-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** Extensions and desktop programs have origins of other schemes. */
const web = /^https?:/i

/** A content type that a browser sends to other origins without a preflight. */
const isSimple = (type: string | undefined): boolean =>
  type !== undefined && /^\s*(text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(type)

const isBrowser = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-site'] !== undefined ||
  headers['sec-fetch-dest'] !== undefined ||
  headers.referer !== undefined ||
  /^Mozilla\//.test(headers['user-agent'] ?? '')
