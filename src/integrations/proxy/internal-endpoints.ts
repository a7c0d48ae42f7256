import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ProxyContext } from './context.ts'

/** Whether a request is for the proxy itself. Such requests are neither forwarded nor counted. */
export const isInternal = ({ method, url = '' }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && /^\/(healthz|metrics)(\?|$)/.test(url)

export function answerInternal(
  { metrics, upstreams }: ProxyContext,
  { url = '' }: IncomingMessage,
  response: ServerResponse,
): void {
  if (url.startsWith('/healthz')) {
    const to = upstreams.map(({ name, origin, base }) => ({ ...(name !== undefined && { name }), url: origin + base }))
    response.writeHead(200, { 'content-type': 'application/json' }).end(`${JSON.stringify({ status: 'ok', to })}\n`)
    return
  }
  metrics.text().then(
    text => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
    () => response.destroy(),
  )
}
