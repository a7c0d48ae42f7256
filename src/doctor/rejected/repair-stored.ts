import { isDeepStrictEqual } from 'node:util'
import type { CodecId } from '../../codecs/index.ts'
import { isRecord } from '../../core/conversation.ts'
import { asFields, asList, type Fields, isTooDeep } from '../../core/request/body-draft.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { elementAt } from '../../heal/rejections/paths.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { rejectionRepairs } from '../../heal/rejections/repairs/index.ts'
import { isReasoning } from '../../heal/rejections/repairs/reasoning.ts'
import { RequestDraft } from '../../heal/rejections/request-draft.ts'
import { isOfContent } from './is-stored.ts'

/** What a repair after a rejection makes of a stored history. */
export interface RepairedHistory {
  /** The messages that are left, in order. `origin` is the index that one had; an unchanged one is the same object as before. */
  readonly messages: readonly { readonly message: unknown; readonly origin: number }[]
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
}

/** Names a place of the history as people find it in the store. `part` is the index of a part of the message. */
export type PlaceOf = (message: number, part: number | undefined) => string | undefined

/** Repairs a stored history whose messages are those of the request. Nothing is repaired that would need a new message. */
export function repairHistory(
  history: readonly unknown[],
  format: CodecId,
  rejection: Rejection,
  placeOf: PlaceOf = () => undefined,
): RepairedHistory {
  const draft = draftOf(history, format, rejection)
  if (!draft) return unchanged(history)
  const origins = new Map(draft.history.map((message, index) => [message, index]))
  if (!applyRepair(draft)) return { ...unchanged(history), remaining: placed(draft.remaining, placeOf) }
  if (draft.history.some(message => !origins.has(message)))
    return { ...unchanged(history), remaining: placed([...draft.repairs.map(unfit), ...draft.remaining], placeOf) }
  const messages = draft.history.map(message => {
    const origin = origins.get(message) as number
    return { origin, message: isDeepStrictEqual(message, history[origin]) ? history[origin] : message }
  })
  // A setting of the request may have been changed alone.
  if (messages.length === history.length && messages.every(({ message }, index) => message === history[index]))
    return unchanged(history)
  return { messages, repairs: placed(draft.repairs, placeOf), remaining: placed(draft.remaining, placeOf) }
}

/** A message of a request that is stored as several records, and where each of its parts is from. */
export interface SourcedMessage<Source> {
  readonly role: string
  readonly parts: readonly { readonly part: Fields; readonly source: Source }[]
}

export interface RepairedParts<Source> {
  /** What takes the place of the parts that change: nothing, or others. */
  readonly changed: ReadonlyMap<Source, readonly unknown[]>
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
}

/** The same for a history whose messages are put together from records. The format has its content in parts. */
export function repairParts<Source>(
  messages: readonly SourcedMessage<Source>[],
  rejection: Rejection,
  placeOf: (source: Source) => string,
): RepairedParts<Source> {
  const history = messages.map(({ role, parts }) => ({ role, content: parts.map(({ part }) => part) }))
  const draft = isOfContent(rejection) ? draftOf(history, 'anthropic', rejection) : undefined
  if (!draft) return { changed: new Map(), repairs: [], remaining: [] }
  const copies = draft.history.map(message => ({ message, parts: [...asList(asFields(message)?.content)] }))
  const known = new Set(draft.history)
  const place: PlaceOf = (message, part) => {
    const found = messages[message]?.parts[part ?? 0]
    return found && placeOf(found.source)
  }
  const isDone = applyRepair(draft)
  const isFit = draft.history.every(message => known.has(message))
  const remaining = placed([...(isFit ? [] : draft.repairs.map(unfit)), ...draft.remaining], place)
  if (!isDone || !isFit) return { changed: new Map(), repairs: [], remaining }
  const changed = new Map<Source, readonly unknown[]>()
  const stays = new Set(draft.history)
  copies.forEach(({ message, parts }, index) => {
    const now = stays.has(message) ? partsOf(asFields(message)?.content) : []
    for (const [at, after] of replacements(parts, now).entries()) {
      const { part, source } = messages[index].parts[at]
      if (after.length !== 1 || !isDeepStrictEqual(after[0], part)) changed.set(source, after)
    }
  })
  return { changed, repairs: placed(draft.repairs, place), remaining }
}

const unchanged = (history: readonly unknown[]): RepairedHistory => ({
  messages: history.map((message, origin) => ({ message, origin })),
  repairs: [],
  remaining: [],
})

const partsOf = (content: unknown): readonly unknown[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)

function draftOf(history: readonly unknown[], format: CodecId, rejection: Rejection): RequestDraft | undefined {
  if (!requestFormats.has(format) || isTooDeep(history)) return undefined
  const { root } = new RequestDraft({}, format, rejection)
  const body = { [root]: history }
  return new RequestDraft(body, format, { ...rejection, paths: pathsThatFit(body, rejection) })
}

/** The formats that requests are sent in. */
export const requestFormats: ReadonlySet<CodecId> = new Set([
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'bedrock',
])

/**
 * The places that a rejection names are those of the request. A program may have put more into it than it stores, so a place counts
 * only if it leads to what the rejection is about.
 */
function pathsThatFit(body: Fields, { kind, paths }: Rejection): Rejection['paths'] {
  const isOfReasoning = kind === 'reasoning-signature' || kind === 'thought-signature'
  return paths.filter(path => {
    const element = elementAt(body, path)
    return element !== undefined && (!isOfReasoning || isReasoning(element))
  })
}

function applyRepair(draft: RequestDraft): boolean {
  const { repair } = draft.rejection
  if (repair !== undefined) rejectionRepairs[repair]?.(draft)
  return draft.changed
}

const unfit = ({ class: _, edits: __, ...diagnostic }: Repair): Diagnostic => ({
  ...diagnostic,
  help: 'not repaired here: it needs a message that the session does not have; antiphon proxy repairs the requests',
})

/** Places of a request as places of the store. */
function placed<Found extends Diagnostic>(found: readonly Found[], placeOf: PlaceOf): Found[] {
  return found.map(one => {
    const [, message, part] = /^\w+\[(\d+)\](?:\.\w+\[(\d+)\])?/.exec(one.at) ?? []
    const at =
      message === undefined ? undefined : placeOf(Number(message), part === undefined ? undefined : Number(part))
    return at === undefined ? one : { ...one, at }
  })
}

/** What takes the place of each part: itself, nothing, or what is new between those that stay. */
function replacements(before: readonly unknown[], after: readonly unknown[]): unknown[][] {
  const result = before.map((): unknown[] => [])
  const places = new Map(before.map((part, index) => [part, index]))
  let last = -1
  let made: unknown[] = []
  const settle = (next: number): void => {
    for (const [index, part] of made.entries()) {
      const at = Math.min(last + 1 + index, next - 1)
      result[Math.max(at, 0)]?.push(part)
    }
    made = []
  }
  for (const part of after) {
    const place = isRecord(part) ? places.get(part) : undefined
    if (place === undefined || place <= last) made.push(part)
    else {
      settle(place)
      result[place].push(part)
      last = place
    }
  }
  settle(before.length)
  return result
}
