import { type CodecId, codecs } from '../../codecs/index.ts'
import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import type { Part } from '../../core/conversation.ts'
import { AntiphonError } from '../../core/errors.ts'
import type { Entry } from '../entry.ts'
import { compareStreams, type StreamedResponse, type StreamId } from './streamed-response.ts'

/** A piece of the response that is being recorded. */
export interface LiveDelta {
  readonly kind: 'delta'
  readonly delta: ReplyDelta
  /** Continue here: `thread.watch({ live: true, after: offset })`. */
  readonly offset: string
  /** The last entry when the response began. */
  readonly since: number
}

/** Discard the deltas of the response that was streaming: it was not recorded. */
export interface LiveRetract {
  readonly kind: 'response-retract'
  readonly offset: string
  readonly since: number
}

export type LiveItem = Entry | LiveDelta | LiveRetract

/** What a reader was shown of a response. */
interface Shown extends StreamId {
  offset: number
  /** Unknown if the reader continues at an offset, and this process does not have the response. */
  response?: StreamedResponse
}

/** Where a reader continues: after an entry, or in the middle of a response after it. */
export interface LivePosition {
  readonly position: number
  readonly shown?: Readonly<Shown>
  /** The reader may have been shown a part of a response before the entry: input and forks are written while a response streams. */
  readonly mayHaveText?: boolean
}

/**
 * What one reader is shown, in order: entries, and what streams between them. Text of a response is shown only after the entries before it, never
 * after its own entry, and never after that of a newer owner. When a response is recorded, the reader was shown its whole text or nothing: what is
 * missing is added, and what is wrong is retracted.
 */
export class LiveReader {
  #position: number
  #epoch: number
  #closedAt: number
  #shown: Shown | undefined
  /** The reader may have been shown text that is not known here, so that it is retracted before any other. */
  #mayHaveText: boolean

  /** `known` is the newest epoch, and the position of the last entry that ended a response, if it is not after the reader's. */
  constructor(
    { position, shown, mayHaveText = false }: LivePosition,
    known: { readonly epoch: number; readonly closedAt: number },
  ) {
    this.#position = position
    this.#mayHaveText = mayHaveText
    this.#epoch = known.epoch
    this.#closedAt = known.closedAt <= position ? known.closedAt : 0
    if (shown && shown.offset > 0) this.#shown = { ...shown }
  }

  /** The last entry that the reader has. */
  get position(): number {
    return this.#position
  }

  /** What the reader gets for an entry. `now` is what streams. */
  entry(entry: Entry, now: StreamedResponse | undefined): LiveItem[] {
    const before = closesResponse(entry) ? this.#close(entry, now) : []
    this.#position = entry.seq
    this.#epoch = Math.max(this.#epoch, entry.epoch)
    return [...before, entry]
  }

  /** What the reader has not been shown yet of the response that streams. */
  pull(now: StreamedResponse | undefined): LiveItem[] {
    if (!now || now.epoch < this.#epoch || now.after < this.#closedAt || now.after > this.#position) return []
    const order = this.#shown ? compareStreams(now, this.#shown) : 1
    if (order < 0) return []
    const items: LiveItem[] = order > 0 ? this.#retract() : []
    this.#shown ??= { epoch: now.epoch, stream: now.stream, offset: 0 }
    this.#shown.response = now
    this.#epoch = now.epoch
    return [...items, ...this.#show(this.#shown, now.slice(this.#shown.offset))]
  }

  #show(shown: Shown, deltas: readonly ReplyDelta[]): LiveItem[] {
    return deltas.map(delta => {
      shown.offset += delta.kind === 'call' ? 1 : delta.text.length
      return { kind: 'delta', delta, offset: offsetText(this.#position, shown), since: this.#since(shown) }
    })
  }

  #since(shown: Shown | undefined): number {
    return shown?.response?.after ?? this.#position
  }

  #retract(): LiveItem[] {
    const shown = this.#shown
    const hasText = this.#mayHaveText || (shown !== undefined && shown.offset > 0)
    this.#shown = undefined
    this.#mayHaveText = false
    if (!hasText) return []
    return [{ kind: 'response-retract', offset: String(this.#position), since: this.#since(shown) }]
  }

  #close(entry: Entry, now: StreamedResponse | undefined): LiveItem[] {
    const shown = this.#shown
    this.#closedAt = entry.seq
    if (shown && now && compareStreams(shown, now) === 0) shown.response ??= now
    const isKnown = shown?.response !== undefined && shown.response.size >= shown.offset
    const isRecorded = entry.kind === 'response-record' && shown?.epoch === entry.epoch && isKnown
    const recorded = isRecorded ? recordedText(entry) : undefined
    const text = recorded === undefined ? undefined : shown?.response?.textUpTo(shown.offset)
    const rest = recorded === undefined || text === undefined ? undefined : restAfter(text, recorded)
    if (!shown || shown.offset === 0 || rest === undefined) return this.#retract()
    const items = rest === '' ? [] : this.#show(shown, [{ kind: 'text', text: rest }])
    this.#shown = undefined
    return items
  }
}

/** Whether the entry ends a response: what streamed before the entry is not shown after it. */
export const closesResponse = ({ kind }: Entry): boolean => closing.has(kind)

/** Whether a response may have streamed before the last of these entries: then a reader that continues there may have been shown a part of it. */
export function mayStream(entries: readonly Entry[]): boolean {
  const last = entries.findLast(closesResponse)
  return last !== undefined && last !== entries.at(-1) && last.kind !== 'turn-end' && last.kind !== 'turn-park'
}

/** Whether an item of `thread.follow` is new to a reader that has read the entries up to `head` in the store. */
export const isNewTo = (read: { readonly head: number; readonly closedAt: number }, item: LiveItem): boolean =>
  'seq' in item ? item.seq > read.head : item.since >= read.closedAt

const closing: ReadonlySet<Entry['kind']> = new Set([
  ...(['response-record', 'turn-start', 'turn-resume', 'turn-park', 'turn-end'] as const),
])

/** Undefined if this release does not know its format. */
function recordedText({ format, messages }: Extract<Entry, { kind: 'response-record' }>): string | undefined {
  if (!Object.hasOwn(codecs, format)) return undefined
  const parts = codecs[format as CodecId].decode(messages).messages.flatMap(message => message.parts)
  return parts.map(streamedText).join('')
}

/** A refusal streams as text. */
function streamedText(part: Part): string {
  if (part.kind === 'other' && part.field === 'refusal') return typeof part.raw === 'string' ? part.raw : ''
  return part.kind === 'text' ? part.text : ''
}

/** What the recorded text has after the shown one; undefined if it is another text. Formats drop blocks of blanks, so blanks may be missing in it. */
function restAfter(shown: string, recorded: string): string | undefined {
  if (recorded.startsWith(shown)) return recorded.slice(shown.length)
  let at = 0
  for (const character of shown.replace(/\s+/g, '')) {
    while (isBlank(recorded.charAt(at))) at++
    if (!recorded.startsWith(character, at)) return undefined
    at += character.length
  }
  const rest = recorded.slice(at)
  const blanks = shown.slice(shown.trimEnd().length)
  return rest.startsWith(blanks) ? rest.slice(blanks.length) : rest
}

const isBlank = (character: string): boolean => character !== '' && character.trim() === ''

const offsetText = (position: number, { epoch, stream, offset }: Shown): string =>
  `${position}:${epoch}.${stream}.${offset}`

/** Reads the `offset` of a delta, or the sequence number of an entry. */
export function readOffset(after: number | string): LivePosition {
  if (typeof after === 'number' && Number.isSafeInteger(after)) return { position: after }
  const [, position, epoch, stream, offset] =
    /^(\d{1,15})(?::(\d{1,15})\.(\d{1,15})\.(\d{1,15}))?$/.exec(String(after)) ?? []
  if (position === undefined)
    throw new AntiphonError('wrong-option', `after must be a sequence number or the offset of a delta, got ${after}`, {
      hint: 'pass the seq of an entry or the offset of a delta that thread.watch has returned',
    })
  if (epoch === undefined) return { position: Number(position) }
  return {
    position: Number(position),
    shown: { epoch: Number(epoch), stream: Number(stream), offset: Number(offset) },
  }
}
