import { isDeepStrictEqual } from 'node:util'
import type { CodecId } from '../../codecs/index.ts'
import { isRecord } from '../../core/conversation.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import { asFields, asList, type MutableFields } from '../../core/request/body-draft.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import type { Repair } from '../../core/rules/repair.ts'
import { elementAt } from '../../heal/rejections/paths.ts'
import { readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import { rejectionRepairs } from '../../heal/rejections/repairs/index.ts'
import { isReasoning } from '../../heal/rejections/repairs/reasoning.ts'
import { RequestDraft } from '../../heal/rejections/request-draft.ts'
import { isOfContent } from './is-stored.ts'

/** A stored history after a repair for a rejection. */
export interface RepairedHistory {
  /** The remaining messages in order. `origin` is the previous index; an unchanged message is the same object. */
  readonly messages: readonly { readonly message: unknown; readonly origin: number }[]
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
}

/** Names a place of the history as users find it in the store. `part` is the index of a part of the message. */
export type PlaceOf = (message: number, part: number | undefined) => string | undefined

/**
 * Repairs a stored history whose messages are those of the request. Repairs that would need a new message are left out.
 */
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
  // Only a setting of the request may have changed.
  if (messages.length === history.length && messages.every(({ message }, index) => message === history[index]))
    return unchanged(history)
  return { messages, repairs: placed(draft.repairs, placeOf), remaining: placed(draft.remaining, placeOf) }
}

/** A message of a request that is stored as several records, and the origin of each of its parts. */
export interface SourcedMessage<Source> {
  readonly role: string
  readonly parts: readonly { readonly part: MutableFields; readonly source: Source }[]
}

export interface RepairedParts<Source> {
  /** The replacement for the changed parts: nothing, or other parts. */
  readonly changed: ReadonlyMap<Source, readonly unknown[]>
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
}

/** The same for a history whose messages are assembled from records. Content in its format is a list of parts. */
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
      const stored = messages[index]?.parts[at]
      if (stored && (after.length !== 1 || !isDeepStrictEqual(after[0], stored.part))) changed.set(stored.source, after)
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
  const { error } = rejection
  if (error && !readRejection(error.status, error.body, { request: () => JSON.stringify(history) })) return undefined
  const { root } = new RequestDraft({}, format, rejection)
  const body = { [root]: history }
  return new RequestDraft(body, format, { ...rejection, paths: pathsThatFit(body, rejection) })
}

/** The formats of requests. */
export const requestFormats: ReadonlySet<CodecId> = new Set([
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
  'bedrock',
])

/**
 * The places in a rejection are those of the request. A program may send more than it stores, so a place counts only if
 * it leads to what the rejection is about.
 */
function pathsThatFit(body: MutableFields, { kind, paths }: Rejection): Rejection['paths'] {
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

/** Converts places of a request to places of the store. */
function placed<Found extends Diagnostic>(found: readonly Found[], placeOf: PlaceOf): Found[] {
  return found.map(one => {
    const [, message, part] = /^\w+\[(\d+)\](?:\.\w+\[(\d+)\])?/.exec(one.at) ?? []
    const at =
      message === undefined ? undefined : placeOf(Number(message), part === undefined ? undefined : Number(part))
    return at === undefined ? one : { ...one, at }
  })
}

/** The replacement for each part: itself, nothing, or the new parts between those that stay. */
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
      result[place]?.push(part)
      last = place
    }
  }
  settle(before.length)
  return result
}
