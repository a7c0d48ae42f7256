import { shortHash } from '../../core/ids.ts'

/**
 * What a rejection may depend on besides the body of a request: its URL, its account, and the features and routes selected by
 * its headers. A lesson from one scope is not applied to another. Only a hash of the query and the headers is kept.
 */
export function lessonKey(url: string, headers: Iterable<readonly [string, unknown]>): string {
  const [address, query = ''] = url.split('?')
  const scoping = [...headers]
    .filter(([name]) => scopeHeader.test(name) && !perRequest.test(name))
    .flatMap(([name, value]) => scopeOf(name.toLowerCase(), String(value)))
    .sort()
  return `${address} ${shortHash([query, ...scoping].join('\n'))}`
}

const scopeHeader =
  /auth|key|token|cookie|secret|beta|version|feature|org|project|account|tenant|team|workspace|user(?!-agent)|provider|rout|model|config|portkey|helicone|litellm|cf-aig/i

/** Different in every request, so that nothing would be learnt, or of a WebSocket, whose messages are requests to the same endpoint. */
const perRequest = /idempotency|request-id|trace|span|nonce|timestamp|^sec-websocket-/i

/** A header without the feature that only selects the WebSocket. */
function scopeOf(name: string, value: string): string[] {
  if (name !== 'openai-beta') return [`${name}: ${value}`]
  const features = value.split(/, */).filter(feature => !feature.startsWith('responses_websockets='))
  return features.length === 0 ? [] : [`${name}: ${features.join(', ')}`]
}
