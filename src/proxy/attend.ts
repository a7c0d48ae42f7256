import { AntiphonError } from '../errors.ts'
import { decodeBytes } from '../fetch/decoding.ts'
import { findRefusal } from '../fetch/read-refusal.ts'
import { recordFailure, responseListener } from '../fetch/record-response.ts'
import type { Refusal } from '../fetch/refusals.ts'
import { reportOf } from '../fetch/report-of.ts'
import { stricter } from '../fetch/stricter.ts'
import { isPlain, textOf } from '../fetch/text-of.ts'
import { type Treated, treat } from '../fetch/treat.ts'
import type { HealOptions } from '../options.ts'
import { traceRepairs } from '../telemetry/trace-repairs.ts'
import { countRules } from './count-rules.ts'
import { decodedListener } from './decoded-listener.ts'
import { type Delivery, deliver, type Head, type HeldAnswer, release } from './deliver.ts'
import { headerIn, requestHeaders } from './pass-headers.ts'
import type { Place } from './place.ts'
import { finish, type Visit } from './visit.ts'

/** A body that was read whole. */
export interface Read {
  /** Empty as soon as they are not needed any more. */
  readonly chunks: Buffer[]
  readonly encoding: string
  /** It is known already that nothing is to be healed. */
  readonly isHealthy: boolean
  /** When its last byte came. */
  readonly since: number
}

/**
 * Heals a request and sends it. If the provider refuses the history all the same, it is healed once more as the refusal says, and
 * sent once more, as `healFetch` does it.
 */
export async function attend(visit: Visit, place: Place, { chunks, encoding, isHealthy, since }: Read): Promise<void> {
  const { house, client } = visit
  const { endpoint } = place
  const kept: Kept = { chunks, text: undefined, first: undefined }
  const heal = async (choices: HealOptions): Promise<Treated | undefined> => {
    kept.text ??= await textOf(Buffer.concat(kept.chunks), encoding, house.maxBytes)
    if (kept.text === undefined && !isPlain(encoding)) house.unhealed('packed', packed)
    return kept.text === undefined ? undefined : treatSafely(visit, place, kept.text, choices)
  }
  const forget = (): void => {
    chunks.length = 0
    kept.text = kept.first = undefined
  }

  kept.first = isHealthy ? undefined : await heal(house.choices)
  if (kept.first?.changed) announce(visit, place, kept.first)
  house.metrics.added((performance.now() - since) / 1000)
  if (client.isGone) return
  const delivery = await send(visit, place, firstShipment(kept, isHealthy, house.dryRun), forget)
  if (delivery.kind !== 'held') return finish(visit, delivery)

  const { answer } = delivery
  const { first } = kept
  const refusal = await refusalIn(answer)
  const before = first ?? (refusal && (await heal(house.choices)))
  const second = refusal && before && (await heal(stricter(house.choices, refusal, before.dialect, endpoint.format)))
  const isNew = second?.changed === true && second.text !== before?.text
  if (refusal) house.metrics.refusal(refusal.fact, isNew)
  if (client.isGone) return
  if (!isNew) return release(client, answer, first ? headersFor(first, false) : [])

  announce(visit, place, second, { status: answer.status, fact: refusal?.fact ?? '' })
  const again = await send(visit, place, {
    chunks: [Buffer.from(second.text)],
    isChanged: true,
    treated: second,
    text: kept.text,
    extra: headersFor(second, false, refusal),
    holds: false,
  })
  // Without a second answer the first one counts, which the client would have got anyway.
  if (again.kind === 'failed' && !client.isGone) release(client, answer, first ? headersFor(first, false) : [])
  else finish(visit, again)
}

/** What a second try needs. It is forgotten as soon as an answer is passed on, since that may take long. */
interface Kept {
  readonly chunks: readonly Buffer[]
  text: string | undefined
  first: Treated | undefined
}

function firstShipment({ chunks, text, first }: Kept, isHealthy: boolean, dryRun: boolean): Shipment {
  const isSent = first?.changed === true && !dryRun
  return {
    chunks: isSent ? [Buffer.from(first.text)] : chunks,
    isChanged: isSent,
    treated: first,
    text,
    extra: first ? headersFor(first, dryRun) : [],
    holds: (isHealthy || first !== undefined) && !dryRun,
  }
}

const packed = new AntiphonError('packed-request', 'a compressed request that cannot be unpacked is not healed', {
  hint: 'send it uncompressed, or with one of gzip, deflate, br and zstd and not above the limit once unpacked',
})

/** What the client is told of the repairs: each rule, and how often. */
function headersFor({ changed, repairs }: Treated, dryRun: boolean, refusal?: Refusal): string[] {
  if (!changed) return []
  const done = Object.entries(countRules(repairs)).map(([rule, count]) => `${rule}=${count}`)
  return [
    ...['x-antiphon-repairs', done.join(', ')],
    ...(dryRun ? ['x-antiphon-dry-run', 'true'] : []),
    ...(refusal ? ['x-antiphon-retry', refusal.fact] : []),
  ]
}

function treatSafely({ house }: Visit, { endpoint }: Place, text: string, choices: HealOptions): Treated | undefined {
  try {
    return treat(text, endpoint, choices)
  } catch (error) {
    house.unhealed('failed', error)
    return undefined
  }
}

function announce(
  { house, way }: Visit,
  { endpoint, url }: Place,
  treated: Treated,
  refusal?: { status: number; fact: string },
): void {
  const { name } = way.upstream
  const real = URL.parse(url) ?? endpoint.url
  house.report({
    ...reportOf(treated, { ...endpoint, url: real }, refusal),
    ...(name === undefined ? {} : { route: name }),
    ...(house.dryRun ? { dryRun: true } : {}),
  })
  if (!house.dryRun) void traceRepairs(true, { ...treated, ...(refusal && { refusal }) })
}

interface Shipment {
  readonly chunks: readonly Buffer[]
  readonly isChanged: boolean
  readonly treated: Treated | undefined
  readonly text: string | undefined
  readonly extra: readonly string[]
  readonly holds: boolean
}

async function send(
  visit: Visit,
  { endpoint, url }: Place,
  shipment: Shipment,
  onPass?: () => void,
): Promise<Delivery> {
  const { request, way, pool, client, house } = visit
  const { chunks, isChanged, treated, text, extra, holds } = shipment
  const headers = requestHeaders(request.rawHeaders, isChanged)
  const length = chunks.reduce((bytes, chunk) => bytes + chunk.length, 0)
  headers.push('content-length', String(length))
  const outgoing = { method: 'POST', path: way.path, headers, body: outgoingBody(chunks, length) }
  const { tape } = house
  if (!tape || !treated) return deliver({ pool, outgoing, client, extra, holds, onPass })

  const { format } = endpoint
  const id = tape.request({ url, wire: format, dialect: treated.dialect, body: text })
  if (isChanged) tape.repair({ request: id, repairs: treated.repairs })
  let isHeard = false
  const listen = ({ status, headers }: Head) => {
    isHeard = true
    const type = headerIn(headers, 'content-type') ?? ''
    return decodedListener(
      responseListener(tape, id, { status, type }, format),
      headerIn(headers, 'content-encoding') ?? '',
    )
  }
  const delivery = await deliver({ pool, outgoing, client, extra, holds, listen, onPass })
  if (!isHeard && delivery.kind === 'failed') recordFailure(tape, id, delivery.error)
  return delivery
}

/** Pieces of a short body are cheaper to join than to send one by one. Those of a long one are let go as they are sent. */
function outgoingBody(chunks: readonly Buffer[], length: number): Buffer | Iterable<Buffer> {
  if (length < joinMax) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
  return taken([...chunks].reverse())
}

function* taken(chunks: Buffer[]): Generator<Buffer> {
  for (let chunk = chunks.pop(); chunk; chunk = chunks.pop()) yield chunk
}

const joinMax = 1024 * 1024

async function refusalIn({ chunks, headers }: HeldAnswer): Promise<Refusal | undefined> {
  const encoding = headerIn(headers, 'content-encoding') ?? ''
  const bytes = Buffer.concat(chunks)
  const plain = isPlain(encoding) ? bytes : await decodeBytes(bytes, encoding, 1024 * 1024)
  return plain && findRefusal(new TextDecoder().decode(plain))
}
