import { shortHash } from '../../core/ids.ts'

/**
 * What a rejection may depend on besides the body of a request: its address, its account, and the features and routes that its
 * headers ask for. What one of them teaches is not applied to another. Of the query and the headers only a hash is kept.
 */
export function lessonKey(url: string, headers: Iterable<readonly [string, unknown]>): string {
  const [address, query = ''] = url.split('?')
  const telling = [...headers]
    .filter(([name]) => tellingName.test(name) && !perRequest.test(name))
    .map(([name, value]) => `${name.toLowerCase()}: ${String(value)}`)
    .sort()
  return `${address} ${shortHash([query, ...telling].join('\n'))}`
}

const tellingName =
  /auth|key|token|cookie|secret|beta|version|feature|org|project|account|tenant|team|workspace|user(?!-agent)|provider|rout|model|config|portkey|helicone|litellm|cf-aig/i

/** Different in every request, so that nothing would be learnt. */
const perRequest = /idempotency|request-id|trace|span|nonce|timestamp/i
