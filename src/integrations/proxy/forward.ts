import { AntiphonError } from '../../core/errors.ts'
import { costsMore } from '../../core/json/parse-cost.ts'
import type { Resize } from '../../core/media/resize.ts'
import { isResolved } from '../../heal/rejections/is-resolved.ts'
import { readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { traceRepairs } from '../../observe/telemetry/trace-repairs.ts'
import { isPlain } from '../fetch/body-text.ts'
import { canDecode, decodeBytes } from '../fetch/decoding.ts'
import { lessonKey } from '../fetch/lesson-key.ts'
import { reportOf } from '../fetch/report-of.ts'
import { tooManyLongRequests } from './client-errors.ts'
import type { ProxyContext } from './context.ts'
import { countRules } from './count-rules.ts'
import { type Delivery, type HeldAnswer, passHeldAnswer } from './deliver.ts'
import { healBodyText, type RejectingAnswer } from './heal-body-text.ts'
import { type Healed, type LongBody, queueFull } from './heal-in-worker.ts'
import type { HistoryTarget } from './history-target.ts'
import { headerIn } from './pass-headers.ts'
import { fail, finish, type ProxyRequest } from './proxy-request.ts'
import { sendBody } from './send-body.ts'

/**
 * A body that was read completely, and what a retry needs. It is released when the first bytes of an answer are passed on: streaming the
 * rest may take long.
 */
export interface BufferedBody {
  readonly chunks: Buffer[]
  readonly encoding: string
  /** When its last byte arrived. */
  readonly since: number
  text?: string | undefined
  /** The result of healing it. */
  first?: Healed | undefined
  /** The queue for long bodies is full. */
  isQueueFull?: boolean
  /** How many bytes are kept in addition to those received: see `countExtraBytes`. */
  extraBytes?: number
}

/** Heals a request and forwards it. */
export async function healAndForward(
  proxyRequest: ProxyRequest,
  target: HistoryTarget,
  buffered: BufferedBody,
): Promise<void> {
  buffered.first = await heal(proxyRequest, target, buffered)
  if (buffered.isQueueFull) return fail(proxyRequest, tooManyLongRequests, { 'retry-after': '10' })
  if (buffered.first?.changed) announce(proxyRequest, target, buffered.first)
  forward(proxyRequest, target, buffered, buffered.first !== undefined)
}

/**
 * Forwards a request, repaired if it needed repair. If the provider rejects its history anyway, it is repaired again using
 * the provider's error message and retried once, as `healFetch` does.
 */
export function forward(
  proxyRequest: ProxyRequest,
  target: HistoryTarget,
  buffered: BufferedBody,
  hasHistory: boolean,
): void {
  const { context, client } = proxyRequest
  const { first, chunks, text, since } = buffered
  context.metrics.recordAddedTime((performance.now() - since) / 1000)
  if (client.isGone) return
  const healedBody = context.dryRun ? undefined : first?.body
  sendBody(proxyRequest, target, {
    chunks: healedBody ? [healedBody] : chunks,
    isChanged: healedBody !== undefined,
    healed: first,
    text,
    extra: headersFor(first, context.dryRun),
    holds: hasHistory ? 'rejections' : 'nothing',
    onPass() {
      chunks.length = 0
      buffered.text = buffered.first = undefined
      countExtraBytes(context, buffered, 0)
    },
    onEnd(delivery) {
      if (delivery.kind !== 'held') finish(proxyRequest, delivery)
      else retry(proxyRequest, target, buffered, delivery.answer).catch(error => client.handleError(error))
    },
  })
}

async function retry(
  proxyRequest: ProxyRequest,
  target: HistoryTarget,
  buffered: BufferedBody,
  answer: HeldAnswer,
): Promise<void> {
  const { context, client } = proxyRequest
  const { first } = buffered
  const rejecting = await rejectingAnswer(answer)
  const second = rejecting && (await heal(proxyRequest, target, buffered, rejecting))
  const rejection = second?.rejection
  const body = isSame(second?.body, first?.body) ? undefined : second?.body
  if (rejection && rejection.kind !== 'not-healable')
    context.metrics.rejection(rejection.id, body !== undefined && !context.dryRun)
  if (client.isGone) return
  if (!rejection || !second || !body) return passHeldAnswer(client, answer, headersFor(first, context.dryRun))
  if (context.dryRun) {
    announce(proxyRequest, target, second, { status: answer.status, fact: rejection.id })
    return passHeldAnswer(client, answer, headersFor(second, true, rejection))
  }

  announce(proxyRequest, target, second, { status: answer.status, fact: rejection.id })
  const extra = headersFor(second, false, rejection)
  const again = await new Promise<Delivery>(onEnd =>
    sendBody(proxyRequest, target, {
      chunks: [body],
      isChanged: true,
      healed: second,
      text: buffered.text,
      extra,
      holds: 'rejections',
      onPass: ({ status }, beginsWithError) => {
        if (status >= 200 && status < 300 && !beginsWithError) learn(proxyRequest, target, buffered, rejection, second)
      },
      onEnd,
    }),
  )
  if (again.kind === 'held') {
    const next = await rejectingAnswer(again.answer)
    if (isResolved(rejection, next && readRejection(next.status, next.text, { request: () => body.toString() })))
      learn(proxyRequest, target, buffered, rejection, second)
    if (!client.isGone) passHeldAnswer(client, again.answer, extra)
  }
  // If the retry has no answer, the client gets the first one, as it would without the proxy.
  else if (again.kind === 'failed' && !client.isGone) passHeldAnswer(client, answer, headersFor(first, false))
  else finish(proxyRequest, again)
}

/** Remembers what was rejected, so that the next request is repaired before it is sent. */
function learn(
  proxyRequest: ProxyRequest,
  target: HistoryTarget,
  { chunks, first }: BufferedBody,
  rejection: Rejection,
  second: Healed,
): void {
  const received = Buffer.concat(chunks)
  if (received.length > learntMax) return
  try {
    const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString())
    const whole = parse(received)
    const before = first?.body ? parse(first.body) : whole
    const after = second.body ? parse(second.body) : before
    proxyRequest.context.memory.learn(lessonScope(proxyRequest, target), second.model, rejection, before, after, whole)
  } catch {
    // For example a compressed body: its next request is rejected and repaired again.
  }
}

/** Parsing longer bodies would block other requests. */
const learntMax = 8 * 1024 * 1024

/** The scope in which lessons from rejections apply. */
export const lessonScope = ({ request }: ProxyRequest, { url }: HistoryTarget): string =>
  lessonKey(url, Object.entries(request.headers))

const isSame = (a: Buffer | undefined, b: Buffer | undefined): boolean => a !== undefined && b?.equals(a) === true

async function heal(
  proxyRequest: ProxyRequest,
  target: HistoryTarget,
  buffered: BufferedBody,
  answer?: RejectingAnswer,
): Promise<Healed | undefined> {
  const { context, client } = proxyRequest
  const { endpoint } = target
  if (!isPlain(buffered.encoding) && !canDecode(buffered.encoding)) {
    context.unhealed('packed', packed)
    return undefined
  }
  const after = { answer, lessons: context.memory.recall(lessonScope(proxyRequest, target)) }
  try {
    const bytes = await unpack(buffered, Math.min(inlineMax, context.maxBytes))
    const text = bytes && decodeText(bytes)
    if (!bytes || (text !== undefined && costsMore(text, text.length + structureMax))) {
      const body = longBody(proxyRequest, buffered)
      const healed = await context.queue.heal(body, endpoint, context.choices, after, context.resizer.resize)
      if (!client.isGone)
        countExtraBytes(
          context,
          buffered,
          (healed?.body?.length ?? 0) + (buffered.text?.length ?? 0) - lengthOf(buffered),
        )
      client.response.once('close', () => countExtraBytes(context, buffered, 0))
      return healed
    }
    buffered.text ??= text
    const healWith = (text: string, resize: Resize | undefined) =>
      healBodyText(text, endpoint, resize ? { ...context.choices, resize } : context.choices, after)
    const { text: sent } = buffered
    const healed = sent === undefined ? undefined : await context.resizer.run(resize => healWith(sent, resize))
    const body = healed?.changed ? Buffer.from(healed.text) : undefined
    return healed && { ...healed, rules: countRules(healed.repairs), body }
  } catch (error) {
    if (error === queueFull && !context.dryRun) buffered.isQueueFull = true
    else context.unhealed(error instanceof AntiphonError && error.code === 'repair-limit' ? 'limit' : 'failed', error)
    return undefined
  }
}

/** A body that is decompressed only when it is processed: a few bytes may become very many, and many requests may wait. */
const longBody = ({ context, client }: ProxyRequest, buffered: BufferedBody): LongBody => ({
  bytes: lengthOf(buffered),
  isGone: () => client.isGone,
  async unpack() {
    const bytes = await unpack(buffered, context.maxBytes)
    if (!bytes) context.unhealed('packed', packed)
    else if (context.tape) buffered.text ??= decodeText(bytes)
    return bytes
  },
})

/** The bytes of a body, not shared with others. Undefined if they are more than `bytesMax`, or cannot be decompressed. */
async function unpack(
  { chunks, encoding }: BufferedBody,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (lengthOf({ chunks }) > bytesMax) return undefined
  const sent = Buffer.concat(chunks)
  if (!isPlain(encoding)) return decodeBytes(sent, encoding, bytesMax)
  // Node allocates short buffers from a shared pool.
  return sent.length === sent.buffer.byteLength ? sent : new Uint8Array(sent)
}

const lengthOf = ({ chunks }: Pick<BufferedBody, 'chunks'>): number =>
  chunks.reduce((sum, { length }) => sum + length, 0)

/**
 * Counts the bytes kept for a request in addition to those received, until its answer begins: a compressed body may become
 * very long when it is repaired, and providers may answer late.
 */
function countExtraBytes({ queue }: ProxyContext, buffered: BufferedBody, bytes: number): void {
  const extra = Math.max(0, bytes)
  queue.count(extra - (buffered.extraBytes ?? 0))
  buffered.extraBytes = extra
}

/** Longer bodies are repaired in a worker thread, so that other requests are served meanwhile. */
const inlineMax = 256 * 1024

/**
 * Shorter bodies also go to the worker if their objects and lists take more bytes than this: thousands of small messages take
 * as long as much text.
 */
const structureMax = 256 * 1024

/** Undefined if the bytes are not UTF-8. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const packed = new AntiphonError(
  'packed-request',
  'a compressed request cannot be decompressed, so it is not repaired',
  {
    hint: 'send it uncompressed, or use gzip, deflate, br or zstd; decompressed it must be within maxBytes (--body-limit)',
  },
)

/** Response headers that tell the client which rules repaired its request, and how often. */
function headersFor(healed: Healed | undefined, dryRun: boolean, rejection?: Rejection): readonly string[] {
  if (!healed?.changed) return none
  const done = Object.entries(healed.rules).map(([rule, count]) => `${rule}=${count}`)
  return [
    ...['x-antiphon-repairs', done.join(', ')],
    ...(dryRun ? ['x-antiphon-dry-run', 'true'] : []),
    ...(rejection ? ['x-antiphon-retry', rejection.id] : []),
  ]
}

const none: readonly string[] = []

export function announce(
  { context, route }: Pick<ProxyRequest, 'context' | 'route'>,
  { endpoint, url }: HistoryTarget,
  healed: Healed,
  refusal?: { status: number; fact: string },
): void {
  const { name } = route.upstream
  const real = URL.parse(url) ?? endpoint.url
  const unlisted = Object.values(healed.rules).reduce((sum, count) => sum + count, -healed.repairs.length)
  context.report({
    ...reportOf(healed, { ...endpoint, url: real }, refusal),
    rules: healed.rules,
    ...(unlisted > 0 ? { unlisted } : {}),
    ...(name === undefined ? {} : { route: name }),
    ...(context.dryRun ? { dryRun: true } : {}),
  })
  if (!context.dryRun) void traceRepairs(true, { ...healed, ...(refusal && { refusal }) })
}

/**
 * The answer, if its text reads like a known rejection. Whether the provider only quotes the request there is checked when the request is
 * repaired (`healBodyText`).
 */
async function rejectingAnswer({ status, chunks, headers, error }: HeldAnswer): Promise<RejectingAnswer | undefined> {
  const encoding = headerIn(headers, 'content-encoding') ?? ''
  const bytes = Buffer.concat(chunks)
  const plain = isPlain(encoding) ? bytes : await decodeBytes(bytes, encoding, 1024 * 1024)
  const text = error ?? (plain && new TextDecoder().decode(plain))
  return text !== undefined && readRejection(status, text) ? { status, text } : undefined
}
