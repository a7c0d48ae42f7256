import type { Codec, Recognition } from '../codecs/codec.ts'
import { type CodecId, codecs } from '../codecs/index.ts'
import { recognition } from '../codecs/shared/recognition.ts'
import { type Fields, isRecord } from '../core/conversation.ts'
import type { DoubtfulSegment } from './segments/scan-segments.ts'

/**
 * The format of a history, or undefined if nothing shows that it is a known one. If the messages fit several formats, it is `preferred`
 * if that is one of them, and otherwise the format that fits best.
 */
export function detectFormat(history: unknown, preferred?: string): CodecId | undefined {
  return detectIn(history, preferred, Number.POSITIVE_INFINITY)
}

/**
 * Whether a history is of a format that is known from elsewhere: by all that it shows it may be of that format as well as of any other, or it
 * is of one that is read as damaged messages of it.
 */
export function isReadAs(history: unknown, format: CodecId): boolean {
  if (!Array.isArray(history)) return false
  const detection = new FormatDetector()
  for (const message of history) detection.push(message)
  const detected = detection.verdict(format)
  const { alsoReads = [] }: Codec = codecs[format]
  return detected !== undefined && (alsoReads.includes(detected) || detection.isAsLikely(format, detected))
}

/** Detects the format by the first messages if those are enough: for histories that turn out to be healthy. */
export const detectByHead = (history: unknown, preferred?: string): CodecId | undefined =>
  detectIn(history, preferred, headLength)

/** Longer histories are read in full only if something is wrong with them. */
export const headLength = 50

/**
 * Whether the first messages of a history and the doubtful ones are certainly of one format. All others must be healthy in that
 * format.
 */
export function isOfFormat(history: readonly unknown[], format: string, segments: readonly DoubtfulSegment[]): boolean {
  const detection = new FormatDetector()
  let index = 0
  while (index < history.length && (index < headLength || !detection.isSettled)) detection.push(history[index++])
  for (const { doubt, to } of segments)
    for (index = Math.max(index, doubt - lookBackMax); index < to && detection.isSettled; index++)
      detection.push(history[index])
  return detection.isSettled && detection.verdict() === format
}

function detectIn(history: unknown, preferred: string | undefined, length: number): CodecId | undefined {
  if (!Array.isArray(history)) return undefined
  const detection = new FormatDetector()
  for (let index = 0; index < history.length && (index < length || !detection.isSettled); index++)
    detection.push(history[index])
  return detection.verdict(preferred)
}

interface Tally {
  readonly id: CodecId
  /** Messages with something that only this format has. */
  yes: number
  /** Messages that fit; likely ones count twice. */
  fits: number
  odd: number
  /** Messages with something that this format does not have. */
  no: number
}

/**
 * Detects the format message by message, for growing histories. Once a message is evidence for exactly one format, that
 * format is tested first, and the others only for messages that it does not know.
 */
export class FormatDetector {
  readonly #tallies = ids.map((id): Tally => ({ id, yes: 0, fits: 0, odd: 0, no: 0 }))
  #leader: Tally | undefined
  #hasEvidence = false
  /** A message keeps its content in a field that no format has. */
  #isElsewhere = false
  /** A result answers a call that is in a field that no format has. */
  #isCalledElsewhere = false
  /** The last messages without a call in a known place, since the last one with such a call. */
  #withoutCalls: UnknownFields[] = []
  /**
   * The number of messages that are evidence for the leader and were not tested with the other formats: evidence
   * against those.
   */
  #unasked = 0

  /** A message is evidence, and none contradicts it. */
  get isSettled(): boolean {
    return this.#leader?.no === 0 && !this.#isCalledElsewhere
  }

  /** A message has something that only one format has, so the format is not just one of several that fit. */
  get isProven(): boolean {
    return this.#hasEvidence
  }

  push(message: unknown): void {
    this.#follow(message)
    const leader = this.#leader
    if (leader) {
      const verdict = recognition[leader.id](message)
      if (verdict !== 'no') {
        if (verdict === 'yes') this.#unasked++
        count(leader, verdict)
        return
      }
    }
    if (isBroken(message)) {
      // With a name it may be a message of another library, which keeps its content elsewhere.
      this.#isElsewhere ||= isRecord(message) && typeof message.name === 'string'
      return
    }
    this.#isElsewhere ||= hasForeignRecords(message)
    let proven: Tally | undefined
    let formats = 0
    for (const tally of this.#tallies) {
      const verdict = isHarmonyCall(message) ? 'no' : recognition[tally.id](message)
      count(tally, verdict)
      if (verdict === 'yes') {
        proven = tally
        formats++
      }
    }
    if (formats === 1) this.#leader ??= proven
    this.#hasEvidence ||= formats > 0
  }

  /**
   * Evidence decides, unless too many messages contradict it; a preferred format tolerates more of them. Without
   * evidence a format must fit every message.
   */
  verdict(preferred?: string): CodecId | undefined {
    if (this.#isCalledElsewhere) return undefined
    if (this.isSettled) return this.#leader?.id
    return this.#hasEvidence ? this.#proven(preferred) : this.#fitting(preferred)
  }

  /** Whether there is as much evidence for a format as for another one, and no more against it. */
  isAsLikely(format: CodecId, other: CodecId): boolean {
    if (format === other) return true
    const [one, best] = [format, other].map(id => this.#tallies.find(tally => tally.id === id))
    return one !== undefined && best !== undefined && one.yes >= best.yes && this.#against(one) <= this.#against(best)
  }

  /** A result whose call is in an unknown field belongs to another library: no call may be made up for it. */
  #follow(message: unknown): void {
    if (!isRecord(message)) return
    const id = answeredId(message)
    if (id !== undefined) this.#isCalledElsewhere ||= this.#withoutCalls.some(before => before.hold(id))
    else if (hasCalls(message)) this.#withoutCalls = []
    else if (this.#withoutCalls.push(new UnknownFields(message)) > lookBackMax) this.#withoutCalls.shift()
  }

  #proven(preferred: string | undefined): CodecId | undefined {
    let best: Tally | undefined
    for (const tally of this.#tallies) if (!best || this.#outweighs(tally, best)) best = tally
    if (!best) return undefined
    const needed = best.id === preferred ? evidencePerContradiction / 2 : evidencePerContradiction
    return this.#against(best) * needed <= best.yes ? best.id : undefined
  }

  #outweighs(one: Tally, other: Tally): boolean {
    return (one.yes - other.yes || this.#against(other) - this.#against(one) || one.fits - other.fits) > 0
  }

  #against(tally: Tally): number {
    return tally.no + (tally === this.#leader ? 0 : this.#unasked)
  }

  #fitting(preferred: string | undefined): CodecId | undefined {
    if (this.#isElsewhere) return undefined
    let best: Tally | undefined
    for (const tally of this.#tallies) {
      const { id, fits, odd, no } = tally
      const isNamed = id === preferred
      if (no > 0 || fits === 0 || (odd > 0 && !isNamed)) continue
      if (isNamed) return id
      if (!best || fits > best.fits) best = tally
    }
    return best?.id
  }
}

/** How many messages of evidence outweigh one that contradicts it. */
const evidencePerContradiction = 3

function count(tally: Tally, verdict: Recognition): void {
  if (verdict === 'yes') tally.yes++
  else if (verdict === 'no') tally.no++
  else if (verdict === 'odd') tally.odd++
  else tally.fits += verdict === 'likely' ? 2 : 1
}

/** Whether a value has no field that shows its format: something broken in the place of a message. */
const isBroken = (message: unknown): boolean =>
  !isRecord(message) ||
  Object.keys(message).every(
    key => key === 'id' || key === 'name' || (isNamed(message) ? key === 'role' : plainKeys.has(key)),
  )

/** A message without content that has records in a field that no format has. */
const hasForeignRecords = (message: unknown): boolean =>
  isRecord(message) &&
  !message.content &&
  Object.keys(message).some(key => {
    const value = message[key]
    if (knownLists.has(key)) return false
    return isListOfRecords(value) || (isRecord(value) && (isCall(value) || Object.values(value).some(isListOfRecords)))
  })

/** A record with the name of a function and its arguments, such as the value of the known field `function_call`. */
const isCall = ({ name, arguments: input, args }: Fields): boolean =>
  typeof name === 'string' && (input ?? args) !== undefined

const isListOfRecords = (value: unknown): boolean => Array.isArray(value) && value.some(isRecord)

/** The id of the call that a message answers, where the message is one result. */
function answeredId(message: Fields): string | undefined {
  if (message.role !== 'tool' && message.type !== 'tool') return undefined
  const id = message.tool_call_id ?? message.toolCallId
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** Whether a message has a list of calls in a known field. */
const hasCalls = ({ tool_calls: calls, toolCalls }: Fields): boolean =>
  (Array.isArray(calls) && calls.length > 0) || (Array.isArray(toolCalls) && toolCalls.length > 0)

/** How many messages without calls may be between a call and its result. */
const lookBackMax = 4

/** The fields of a message that no format has. They are read only if a result follows, and only once, since many results may follow one message. */
class UnknownFields {
  readonly #message: Fields
  #texts: ReadonlySet<string> | undefined

  constructor(message: Fields) {
    this.#message = message
  }

  /** Whether they hold the id of a call: as a value, or in JSON text. */
  hold(id: string): boolean {
    this.#texts ??= textsElsewhere(this.#message)
    return this.#texts.has(id) || this.#texts.has(JSON.stringify(id).slice(1, -1))
  }
}

/** The texts in the unknown fields of a message, and what is between two quotes in JSON texts. */
function textsElsewhere(message: Fields): ReadonlySet<string> {
  const texts = new Set<string>()
  const read = typeof message.role === 'string' ? readFields : langChainFields
  const waiting = Object.keys(message).flatMap(key => (read.has(key) ? [] : [message[key]]))
  for (let count = 0; waiting.length > 0 && count < valuesMax; count++) {
    const value = waiting.pop()
    if (typeof value === 'string') {
      texts.add(value)
      if (/^\s*[[{]/.test(value)) addQuoted(value, texts)
    } else if (typeof value === 'object' && value) waiting.push(...Object.values(value).slice(0, valuesMax))
  }
  return texts
}

function addQuoted(text: string, texts: Set<string>): void {
  let from = text.indexOf('"')
  while (from !== -1) {
    const to = text.indexOf('"', from + 1)
    if (to !== -1) texts.add(text.slice(from + 1, to))
    from = to
  }
}

const readFields = new Set([
  ...['id', 'role', 'type', 'content', 'parts'],
  // Reasoning, which can contain the id of a call, and other fields of a response.
  ...['reasoning', 'reasoning_content', 'reasoning_details', 'thinking_blocks', 'annotations', 'refusal', 'audio'],
])

const langChainFields = new Set([
  ...readFields,
  ...['data', 'kwargs', 'content_blocks', 'contentBlocks', 'additional_kwargs', 'response_metadata'],
  ...['invalid_tool_calls', 'tool_call_chunks', 'lc_kwargs'],
])

/** Enough for the calls of a message, and a bound on the work for any message. */
const valuesMax = 1_000

/** Fields of known formats that contain lists or records. */
const knownLists = new Set([
  ...['parts', 'tool_calls', 'toolCalls', 'toolInvocations'],
  ...['annotations', 'reasoning_details', 'thinking_blocks', 'summary', 'function_call'],
])

/** A call written as text to a tool, as in the Harmony format of open models: only its recipient shows it. */
const isHarmonyCall = (message: unknown): boolean =>
  isRecord(message) && typeof message.recipient === 'string' && 'channel' in message

const isNamed = ({ role, type }: Readonly<Record<string, unknown>>): boolean =>
  typeof role === 'string' || typeof type === 'string'

const plainKeys = new Set(['role', 'content', 'type'])

const ids = /* @__PURE__ */ Object.keys(codecs) as CodecId[]
