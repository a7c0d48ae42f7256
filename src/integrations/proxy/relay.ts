import { AntiphonError } from '../../core/errors.ts'
import { isPlain } from '../fetch/body-text.ts'
import { isSurelyHealthy } from '../fetch/check/surely-healthy.ts'
import type { ProxyContext } from './context.ts'
import { deliver } from './deliver.ts'
import { type BufferedBody, forward, healAndForward, lessonScope } from './forward.ts'
import type { HistoryTarget } from './history-target.ts'
import { outlineMax } from './outline/outline.ts'
import { QuickCheck } from './outline/quick-check.ts'
import { requestHeaders } from './pass-headers.ts'
import { fail, finish, type ProxyRequest, targetOf } from './proxy-request.ts'
import { bodyStream, hasBody, receiveBody } from './receive-body.ts'

/** Forwards a request: repaired if its history is broken, otherwise unchanged. */
export function relay(proxyRequest: ProxyRequest): void {
  const { request, context } = proxyRequest
  const target = targetOf(proxyRequest)
  const isTooLong = Number(request.headers['content-length']) > context.maxBytes
  if (!target || !hasBody(request)) pass(proxyRequest)
  else if (isTooLong && context.dryRun) passUnchecked(proxyRequest)
  else if (isTooLong) refuseLength(proxyRequest)
  else read(proxyRequest, target)
}

/** Checks the body while it arrives, so that little is left to do at its end. */
function read(proxyRequest: ProxyRequest, target: HistoryTarget): void {
  const { request, context, client } = proxyRequest
  if (proxyRequest.expectsContinue) client.response.writeContinue()
  const encoding = request.headers['content-encoding'] ?? ''
  // A tape records the result of healing for every request.
  const isQuick = isPlain(encoding) && !context.tape
  const isSmall = Number(request.headers['content-length']) <= smallMax
  // An outline does not show whether two messages have the same content.
  let check =
    isQuick && !isSmall && context.choices.repeats !== 'drop'
      ? new QuickCheck(target.endpoint, context.choices, context.prefixes, Number(request.headers['content-length']))
      : undefined
  const settle = (chunks: Buffer[], isTooLong: boolean): void => {
    if (isTooLong) {
      if (context.dryRun) passUnchecked(proxyRequest, chunks)
      else refuseLength(proxyRequest)
      return
    }
    const buffered: BufferedBody = { chunks, encoding, since: performance.now() }
    // Lessons from rejections are applied to the whole body.
    const isTaught = context.memory.isUsed && context.memory.knows(lessonScope(proxyRequest, target))
    // What was read of the body is released now: the answer may take long.
    const quick = check
    check = undefined
    const isHealthy = () => quick?.isHealthy(chunks) ?? (isQuick && isShortHealthy(chunks, target, context))
    if (!isTaught && isHealthy()) {
      const received = [...chunks]
      forward(proxyRequest, target, buffered, true)
      quick?.remember(received)
    } else healAndForward(proxyRequest, target, buffered).catch(error => client.handleError(error))
  }
  receiveBody(
    request,
    context.maxBytes,
    chunk => check?.push(chunk),
    (chunks, isTooLong) => {
      try {
        settle(chunks, isTooLong)
      } catch (error) {
        client.handleError(error)
      }
    },
  )
}

/** A dry run must not answer in place of the provider: a body that is too long to be checked is streamed. */
function passUnchecked(proxyRequest: ProxyRequest, beginning?: readonly Buffer[]): void {
  const { context } = proxyRequest
  const hint =
    'it was forwarded unchanged, because this is a dry run; otherwise it is answered with 413. Raise --body-limit'
  context.unhealed('limit', new AntiphonError('repair-limit', lengthMessage(context.maxBytes), { hint }))
  pass(proxyRequest, beginning)
}

/** A request without a history is not buffered, but streamed. */
function pass(proxyRequest: ProxyRequest, beginning?: readonly Buffer[]): void {
  const { request, route, pool, client, expectsContinue } = proxyRequest
  if (expectsContinue && !beginning) client.response.writeContinue()
  const headers = requestHeaders(request.rawHeaders, false)
  const length = request.headers['content-length']
  if (length !== undefined) headers.push('content-length', length)
  const body = hasBody(request) ? bodyStream(request, beginning) : null
  const outgoing = { method: request.method ?? 'GET', path: route.path, headers, body }
  deliver({ pool, outgoing, client, extra: [], holds: 'nothing', onEnd: delivery => finish(proxyRequest, delivery) })
}

/** Up to this many bytes, parsing is faster than making an outline. */
const smallMax = 4096

/** Whether a body that is short enough to be parsed at once is certainly healthy. */
function isShortHealthy(chunks: readonly Buffer[], { endpoint }: HistoryTarget, { choices }: ProxyContext): boolean {
  const [first] = chunks
  const bytes = first && chunks.length === 1 ? first : Buffer.concat(chunks)
  if (bytes.length > outlineMax) return false
  try {
    return isSurelyHealthy(JSON.parse(bytes.toString()), endpoint, choices)
  } catch {
    return false
  }
}

const lengthMessage = (limit: number): string => `request body exceeds ${limit} bytes`

function refuseLength(proxyRequest: ProxyRequest): void {
  const limit = proxyRequest.context.maxBytes
  // A client that waits for `100 Continue` will not send the body, so that the connection cannot be reused.
  const headers: Record<string, string> = proxyRequest.expectsContinue ? { connection: 'close' } : {}
  proxyRequest.request.resume()
  fail(
    proxyRequest,
    {
      kind: 'too-long',
      status: 413,
      message: lengthMessage(limit),
      hint: 'start the proxy with a larger --body-limit, or send the request to the provider itself',
    },
    headers,
  )
}
