import type { Tape } from '../../observe/tape/create-tape.ts'
import { recordFailure, responseListener } from '../fetch/record-response.ts'
import { type NameRestorer, nameRestorer, type ToolNames } from '../fetch/restore-names.ts'
import { isPlain } from '../fetch/text-of.ts'
import { decodedListener } from './decoded-listener.ts'
import { deliver, type Errand, type Head } from './deliver.ts'
import type { Healed } from './heal-in-worker.ts'
import { headerIn, requestHeaders } from './pass-headers.ts'
import type { Place } from './place.ts'
import type { Visit } from './visit.ts'

/** A body as it is to be sent, what was found out about it, and what is to be done with the answer. */
export interface Shipment extends Pick<Errand, 'extra' | 'holds' | 'onPass' | 'onEnd'> {
  readonly chunks: readonly Buffer[]
  readonly isChanged: boolean
  readonly treated: Healed | undefined
  /** What it was before it was treated. */
  readonly text: string | undefined
}

/** Sends a request that was read. */
export function send(visit: Visit, place: Place, shipment: Shipment): void {
  const { request, way, pool, client, house } = visit
  const { chunks, isChanged, extra, holds, onPass, onEnd } = shipment
  const headers = requestHeaders(
    request.rawHeaders,
    isChanged,
    isChanged && shipment.treated?.renamedTools !== undefined,
  )
  let length = 0
  for (const chunk of chunks) length += chunk.length
  headers.push('content-length', String(length))
  const outgoing = { method: 'POST', path: way.path, headers, body: outgoingBody(chunks, length) }
  const names = isChanged ? shipment.treated?.renamedTools : undefined
  const restore = names && (({ status, headers }: Head) => restorerFor(names, status, headers))
  const errand: Errand = { pool, outgoing, client, extra, holds, restore, onPass, onEnd }
  deliver(house.tape && shipment.treated ? recorded(errand, house.tape, place, shipment.treated, shipment) : errand)
}

/** Only an answer with a good status holds calls. It is plain, since nothing else was asked for. */
function restorerFor(names: ToolNames, status: number, headers: readonly string[]): NameRestorer | undefined {
  const isReadable = status >= 200 && status < 300 && isPlain(headerIn(headers, 'content-encoding') ?? '')
  return isReadable ? nameRestorer(names, headerIn(headers, 'content-type')) : undefined
}

/** The same errand, told to a tape. */
function recorded(
  errand: Errand,
  tape: Tape,
  { endpoint: { format }, url }: Place,
  { dialect, repairs }: Healed,
  { text, isChanged }: Shipment,
): Errand {
  const id = tape.request({ url, format: format, dialect, body: text })
  if (isChanged) tape.repair({ request: id, repairs })
  let isHeard = false
  return {
    ...errand,
    listen({ status, headers }: Head) {
      isHeard = true
      const type = headerIn(headers, 'content-type') ?? ''
      const listener = responseListener(tape, id, { status, type }, format)
      return decodedListener(listener, headerIn(headers, 'content-encoding') ?? '')
    },
    onEnd(delivery) {
      if (!isHeard && delivery.kind === 'failed') recordFailure(tape, id, delivery.error)
      errand.onEnd(delivery)
    },
  }
}

/** Pieces of a short body are cheaper to join than to send one by one. Those of a long one are let go as they are sent. */
function outgoingBody(chunks: readonly Buffer[], length: number): Buffer | Iterable<Buffer> {
  if (length < joinMax) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  return taken([...chunks].reverse())
}

function* taken(chunks: Buffer[]): Generator<Buffer> {
  for (let chunk = chunks.pop(); chunk; chunk = chunks.pop()) yield chunk
}

const joinMax = 64 * 1024
