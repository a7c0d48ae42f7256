import { AntiphonError } from '../../core/errors.ts'
import { costsMore } from '../../core/json/parse-cost.ts'
import { readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { traceRepairs } from '../../observe/telemetry/trace-repairs.ts'
import { canDecode, decodeBytes } from '../fetch/decoding.ts'
import { healRequestText } from '../fetch/heal-request-text.ts'
import { lessonKey } from '../fetch/lesson-key.ts'
import { reportOf } from '../fetch/report-of.ts'
import { isPlain } from '../fetch/text-of.ts'
import { tooManyLong } from './client-trouble.ts'
import type { House } from './context.ts'
import { countRules } from './count-rules.ts'
import { type Delivery, type HeldAnswer, release } from './deliver.ts'
import { type Healed, type LongBody, queueFull } from './heal-in-worker.ts'
import { headerIn } from './pass-headers.ts'
import type { Place } from './place.ts'
import { send } from './send.ts'
import { fail, finish, type Visit } from './visit.ts'

/** A body that was read whole, and what a second try needs of it. Forgotten as soon as an answer is passed on, which may take long. */
export interface Letter {
  readonly chunks: Buffer[]
  readonly encoding: string
  /** When its last byte came. */
  readonly since: number
  text?: string | undefined
  /** What healing said of it. */
  first?: Healed | undefined
  /** It found no place in the queue for long bodies. */
  isTurnedAway?: boolean
  /** How much more is kept than was sent: see `keep`. */
  extraBytes?: number
}

/** Heals a request and sends it. */
export async function attend(visit: Visit, place: Place, letter: Letter): Promise<void> {
  letter.first = await heal(visit, place, letter)
  if (letter.isTurnedAway) return fail(visit, tooManyLong, { 'retry-after': '10' })
  if (letter.first?.changed) announce(visit, place, letter.first)
  ship(visit, place, letter, letter.first !== undefined)
}

/**
 * Sends a request as it came, or healed if it was. If the provider refuses its history all the same, it is healed once more as the
 * refusal says, and sent once more, as `healFetch` does it.
 */
export function ship(visit: Visit, place: Place, letter: Letter, hasHistory: boolean): void {
  const { house, client } = visit
  const { first, chunks, text, since } = letter
  house.metrics.added((performance.now() - since) / 1000)
  if (client.isGone) return
  const healed = house.dryRun ? undefined : first?.body
  send(visit, place, {
    chunks: healed ? [healed] : chunks,
    isChanged: healed !== undefined,
    treated: first,
    text,
    extra: headersFor(first, house.dryRun),
    holds: hasHistory ? 'rejections' : 'nothing',
    onPass() {
      chunks.length = 0
      letter.text = letter.first = undefined
      keep(house, letter, 0)
    },
    onEnd(delivery) {
      if (delivery.kind !== 'held') finish(visit, delivery)
      else tryAgain(visit, place, letter, delivery.answer).catch(error => client.rescue(error))
    },
  })
}

async function tryAgain(visit: Visit, place: Place, letter: Letter, answer: HeldAnswer): Promise<void> {
  const { house, client } = visit
  const { first } = letter
  const rejection = await rejectionIn(answer, () => sentText(letter, house.maxBytes))
  const before = first ?? (rejection && (await heal(visit, place, letter)))
  const second = rejection && before && (await heal(visit, place, letter, rejection))
  const body = isSame(second?.body, before?.body) ? undefined : second?.body
  if (rejection && rejection.kind !== 'not-healable')
    house.metrics.refusal(rejection.id, body !== undefined && !house.dryRun)
  if (client.isGone) return
  if (!rejection || !second || !body) return release(client, answer, headersFor(first, house.dryRun))
  if (house.dryRun) {
    announce(visit, place, second, { status: answer.status, fact: rejection.id })
    return release(client, answer, headersFor(second, true, rejection))
  }

  announce(visit, place, second, { status: answer.status, fact: rejection.id })
  const again = await new Promise<Delivery>(onEnd =>
    send(visit, place, {
      chunks: [body],
      isChanged: true,
      treated: second,
      text: letter.text,
      extra: headersFor(second, false, rejection),
      holds: 'openings',
      onPass: ({ status }, beginsWithError) => {
        if (status >= 200 && status < 300 && !beginsWithError) learn(visit, place, letter, rejection, second)
      },
      onEnd,
    }),
  )
  // Without a second answer the first one counts, which the client would have got anyway.
  if (again.kind === 'failed' && !client.isGone) release(client, answer, headersFor(first, false))
  else finish(visit, again)
}

/** Remembers what was rejected, so that the next request is repaired before it is sent. */
function learn(visit: Visit, place: Place, { chunks, first }: Letter, rejection: Rejection, second: Healed): void {
  const before = first?.body ?? Buffer.concat(chunks)
  if (before.length > learntMax) return
  try {
    const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString())
    visit.house.memory.learn(
      lessonPlace(visit, place),
      second.model,
      rejection,
      parse(before),
      parse(second.body ?? before),
    )
  } catch {
    // A compressed body, for one: then it is rejected and repaired again.
  }
}

/** Longer bodies would stop other requests while they are parsed. */
const learntMax = 8 * 1024 * 1024

/** Where what was learnt from rejections applies. */
export const lessonPlace = ({ request }: Visit, { url }: Place): string =>
  lessonKey(url, Object.entries(request.headers))

const isSame = (a: Buffer | undefined, b: Buffer | undefined): boolean => a !== undefined && b?.equals(a) === true

async function heal(visit: Visit, place: Place, letter: Letter, rejection?: Rejection): Promise<Healed | undefined> {
  const { house, client } = visit
  const { endpoint } = place
  if (!isPlain(letter.encoding) && !canDecode(letter.encoding)) {
    house.unhealed('packed', packed)
    return undefined
  }
  const after = { rejection, lessons: house.memory.recall(lessonPlace(visit, place)) }
  try {
    const bytes = await unpack(letter, Math.min(inlineMax, house.maxBytes))
    const text = bytes && decodeText(bytes)
    if (!bytes || (text !== undefined && costsMore(text, text.length + structureMax))) {
      const healed = await house.queue.heal(longBody(visit, letter), endpoint, house.choices, after)
      if (!client.isGone)
        keep(house, letter, (healed?.body?.length ?? 0) + (letter.text?.length ?? 0) - lengthOf(letter))
      client.response.once('close', () => keep(house, letter, 0))
      return healed
    }
    letter.text ??= text
    const treated = letter.text === undefined ? undefined : healRequestText(letter.text, endpoint, house.choices, after)
    return treated && { ...treated, body: treated.changed ? Buffer.from(treated.text) : undefined }
  } catch (error) {
    if (error === queueFull && !house.dryRun) letter.isTurnedAway = true
    else house.unhealed(error instanceof AntiphonError && error.code === 'repair-limit' ? 'limit' : 'failed', error)
    return undefined
  }
}

/** A body that is unpacked when its turn comes: a few bytes may become very many, and many requests may wait. */
const longBody = ({ house, client }: Visit, letter: Letter): LongBody => ({
  bytes: lengthOf(letter),
  isGone: () => client.isGone,
  async unpack() {
    const bytes = await unpack(letter, house.maxBytes)
    if (!bytes) house.unhealed('packed', packed)
    else if (house.tape) letter.text ??= decodeText(bytes)
    return bytes
  },
})

/** The bytes of a body, for the caller to keep. Undefined if they are more than `bytesMax`, or cannot be unpacked. */
async function unpack({ chunks, encoding }: Letter, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (lengthOf({ chunks }) > bytesMax) return undefined
  const sent = Buffer.concat(chunks)
  if (!isPlain(encoding)) return decodeBytes(sent, encoding, bytesMax)
  // Short ones share their memory with others.
  return sent.length === sent.buffer.byteLength ? sent : new Uint8Array(sent)
}

const lengthOf = ({ chunks }: Pick<Letter, 'chunks'>): number => chunks.reduce((sum, { length }) => sum + length, 0)

/**
 * Counts what is kept of a request beyond what was sent, until its answer begins: a compressed one may become very long when it is
 * repaired, and providers take their time.
 */
function keep({ queue }: House, letter: Letter, bytes: number): void {
  const extra = Math.max(0, bytes)
  queue.count(extra - (letter.extraBytes ?? 0))
  letter.extraBytes = extra
}

/** Longer bodies are repaired in a worker thread, so that other requests are served meanwhile. */
const inlineMax = 256 * 1024

/** So are shorter ones whose objects and lists take more than so many bytes: thousands of small messages take as long as many words. */
const structureMax = 256 * 1024

/** Undefined if the bytes are not UTF-8. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const packed = new AntiphonError('packed-request', 'a compressed request that cannot be unpacked is not healed', {
  hint: 'send it uncompressed, or with one of gzip, deflate, br and zstd and not above the limit once unpacked',
})

/** What the client is told of the repairs: each rule, and how often. */
function headersFor(treated: Healed | undefined, dryRun: boolean, rejection?: Rejection): readonly string[] {
  if (!treated?.changed) return none
  const done = Object.entries(countRules(treated.repairs)).map(([rule, count]) => `${rule}=${count}`)
  return [
    ...['x-antiphon-repairs', done.join(', ')],
    ...(dryRun ? ['x-antiphon-dry-run', 'true'] : []),
    ...(rejection ? ['x-antiphon-retry', rejection.id] : []),
  ]
}

const none: readonly string[] = []

function announce(
  { house, way }: Visit,
  { endpoint, url }: Place,
  treated: Healed,
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

/** What was sent, as far as it can be read. */
async function sentText(letter: Letter, bytesMax: number): Promise<string> {
  const bytes = letter.first?.body ?? (await unpack(letter, bytesMax).catch(() => undefined))
  return letter.text ?? (bytes && decodeText(bytes)) ?? ''
}

async function rejectionIn(
  { status, chunks, headers, error }: HeldAnswer,
  sent: () => Promise<string>,
): Promise<Rejection | undefined> {
  const encoding = headerIn(headers, 'content-encoding') ?? ''
  const bytes = Buffer.concat(chunks)
  const plain = isPlain(encoding) ? bytes : await decodeBytes(bytes, encoding, 1024 * 1024)
  const said = error ?? (plain && new TextDecoder().decode(plain))
  // What was sent is long, and matters only if the words are known.
  return readRejection(status, said) && readRejection(status, said, { request: await sent() })
}
