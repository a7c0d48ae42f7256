import { createHash } from 'node:crypto'

/**
 * What the page may do, as a content security policy: run its own script, which is known by its hash, and the worker in
 * it; show pictures that it holds itself; and ask the server that it came from, if there is one. Nothing else.
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

/** How a page says its policy itself, wherever it is put. */
export const policyElement = (policy: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="${policy}">`

/** What only the server that sends a page can say of it. */
export const notEmbedded = "frame-ancestors 'none'"

const inlineScripts = (page: string): string[] =>
  [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script)

/** For all that is no page. */
export const closedPolicy = `default-src 'none'; ${notEmbedded}`

/** What every answer says: nobody keeps it, embeds it, or takes it for something else. */
export const safeHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const
