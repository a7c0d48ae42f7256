import type { Tape } from '../../observe/tape/create-tape.ts'
import { isPlain } from '../fetch/body-text.ts'
import { recordFailure, responseListener } from '../fetch/record-response.ts'
import { type NameRestorer, nameRestorer, type ToolNames } from '../fetch/restore-names.ts'
import { decodedListener } from './decoded-listener.ts'
import { deliver, type ResponseHead, type UpstreamRequest } from './deliver.ts'
import type { Healed } from './heal-in-worker.ts'
import type { HistoryTarget } from './history-target.ts'
import { headerIn, requestHeaders } from './pass-headers.ts'
import type { ProxyRequest } from './proxy-request.ts'

/** A body in the form that is sent, what is known about it, and what to do with the answer. */
export interface OutgoingBody extends Pick<UpstreamRequest, 'extra' | 'holds' | 'onPass' | 'onEnd'> {
  readonly chunks: readonly Buffer[]
  readonly isChanged: boolean
  readonly healed: Healed | undefined
  /** The text before it was repaired. */
  readonly text: string | undefined
}

/** Sends a request whose body was read. */
export function sendBody(proxyRequest: ProxyRequest, target: HistoryTarget, outgoingBody: OutgoingBody): void {
  const { request, route, pool, client, context } = proxyRequest
  const { chunks, isChanged, extra, holds, onPass, onEnd } = outgoingBody
  const headers = requestHeaders(
    request.rawHeaders,
    isChanged,
    isChanged && outgoingBody.healed?.renamedTools !== undefined,
  )
  let length = 0
  for (const chunk of chunks) length += chunk.length
  headers.push('content-length', String(length))
  const outgoing = { method: 'POST', path: route.path, headers, body: joinedBody(chunks, length) }
  const names = isChanged ? outgoingBody.healed?.renamedTools : undefined
  const restore = names && (({ status, headers }: ResponseHead) => restorerFor(names, status, headers))
  const upstreamRequest: UpstreamRequest = { pool, outgoing, client, extra, holds, restore, onPass, onEnd }
  deliver(
    context.tape && outgoingBody.healed
      ? recorded(upstreamRequest, context.tape, target, outgoingBody.healed, outgoingBody)
      : upstreamRequest,
  )
}

/** Only an answer with a 2xx status contains calls. If it is compressed although the proxy asked for `identity`, names are not restored. */
function restorerFor(names: ToolNames, status: number, headers: readonly string[]): NameRestorer | undefined {
  const isReadable = status >= 200 && status < 300 && isPlain(headerIn(headers, 'content-encoding') ?? '')
  return isReadable ? nameRestorer(names, headerIn(headers, 'content-type')) : undefined
}

/** The same request, recorded on a tape. */
function recorded(
  upstreamRequest: UpstreamRequest,
  tape: Tape,
  { endpoint: { format }, url }: HistoryTarget,
  { dialect, repairs }: Healed,
  { text, isChanged }: OutgoingBody,
): UpstreamRequest {
  const id = tape.request({ url, format: format, dialect, body: text })
  if (isChanged) tape.repair({ request: id, repairs })
  let hasResponse = false
  return {
    ...upstreamRequest,
    listen({ status, headers }: ResponseHead) {
      hasResponse = true
      const type = headerIn(headers, 'content-type') ?? ''
      const listener = responseListener(tape, id, { status, type }, format)
      return decodedListener(listener, headerIn(headers, 'content-encoding') ?? '')
    },
    onEnd(delivery) {
      if (!hasResponse && delivery.kind === 'failed') recordFailure(tape, id, delivery.error)
      upstreamRequest.onEnd(delivery)
    },
  }
}

/**
 * The chunks of a short body are cheaper to join than to send one by one. Those of a long body are released as they are sent.
 */
function joinedBody(chunks: readonly Buffer[], length: number): Buffer | Iterable<Buffer> {
  const [first] = chunks
  if (length < joinMax) return first && chunks.length === 1 ? first : Buffer.concat(chunks)
  return drain([...chunks].reverse())
}

function* drain(chunks: Buffer[]): Generator<Buffer> {
  for (let chunk = chunks.pop(); chunk; chunk = chunks.pop()) yield chunk
}

const joinMax = 64 * 1024
