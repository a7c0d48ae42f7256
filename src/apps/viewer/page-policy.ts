import { createHash } from 'node:crypto'

/**
 * The content security policy of the page. It may run its own script, by its hash, and its worker; show images that it contains; and
 * connect to its own server, if there is one. Nothing else.
 */
export function policyOf(page: string, asks: "'self'" | "'none'"): string {
  const hashes = inlineScripts(page).map(script => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  return [
    "default-src 'none'",
    `script-src ${hashes.length > 0 ? hashes.join(' ') : "'none'"}`,
    "style-src 'none'",
    'worker-src blob:',
    'img-src data: blob:',
    `connect-src ${asks}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** The policy as an element inside the page. */
export const policyElement = (policy: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="${policy}">`

/** This directive works only as an HTTP header. */
export const notEmbedded = "frame-ancestors 'none'"

const inlineScripts = (page: string): string[] =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)

/** For responses that are not pages. */
export const closedPolicy = `default-src 'none'; ${notEmbedded}`

/** Headers of every response: not cached, not embedded, no content sniffing. */
export const safeHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const
