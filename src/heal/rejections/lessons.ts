import { defaultAllow } from '../../core/choices.ts'
import { isRecord } from '../../core/conversation.ts'
import { shortHash } from '../../core/ids.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import type { RequestOptions, RequestResult } from '../request/heal-request.ts'
import { readBody } from '../request/request-body.ts'
import { healRejected } from './heal-rejected.ts'
import { joinRenames } from './join-renames.ts'
import { beginningsOf, markOf } from './mark-of.ts'
import type { Rejection } from './rejection.ts'
import { charsOf } from './repairs/length.ts'
import { smallestSize } from './repairs/media.ts'

/** What rejections of one endpoint and model taught, as JSON: it contains no message content. */
export interface Lessons {
  /** Rejections that a request with the same defect would cause again. */
  readonly rejections: readonly Rejection[]
  /** Fingerprints of blocks, items and media that were removed, each with the beginning of its conversation after an `@`. */
  readonly marks: readonly string[]
}

/** Keyed by the model and by the settings that select it; see `lessonsKey`. */
export type LessonsByModel = Readonly<Record<string, Lessons>>

/**
 * Remembers what rejections taught, for the life of the process. Bounded: the oldest endpoints and lessons are forgotten. A lesson that
 * is not about a fingerprint is forgotten after some requests, so that the provider is asked again: the cause may have been temporary.
 */
export class RejectionMemory {
  readonly #endpoints = new Map<string, Map<string, KnownLessons>>()
  readonly #uses = new WeakMap<Rejection, number>()

  /** Whether anything was learnt at all. */
  get isUsed(): boolean {
    return this.#endpoints.size > 0
  }

  /** Whether anything was learnt about an endpoint, whatever the model. */
  knows(endpoint: string): boolean {
    return this.#endpoints.has(endpoint)
  }

  /** What was learnt about an endpoint, by model; a request without a model has none. */
  recall(endpoint: string): LessonsByModel | undefined {
    const models = this.#endpoints.get(endpoint)
    if (!models) return undefined
    for (const { rejections } of models.values())
      for (const [key, lesson] of rejections) {
        const uses = (this.#uses.get(lesson) ?? 0) + 1
        this.#uses.set(lesson, uses)
        if (uses > usesMax) rejections.delete(key)
      }
    return Object.fromEntries(
      [...models].map(([model, { rejections, marks }]) => [
        model,
        { rejections: [...rejections.values()], marks: [...marks] },
      ]),
    )
  }

  /**
   * Called after the provider accepted a repaired request: `before` was rejected, `after` was not. `whole` is the request as the caller
   * made it; the next request of the caller begins in the same way.
   */
  learn(
    endpoint: string,
    model: string | undefined,
    rejection: Rejection,
    before: unknown,
    after: unknown,
    whole: unknown = before,
  ): void {
    if ([before, after, whole].some(isTooDeep)) return
    const models = this.#endpoints.get(endpoint) ?? new Map()
    const key = lessonsKey(model, before)
    const known: KnownLessons = models.get(key) ?? { rejections: new Map(), marks: new Set() }
    addLessons(known, lessonsOf(rejection, before, after, whole))
    if (known.rejections.size === 0 && known.marks.size === 0) return
    this.#endpoints.delete(endpoint)
    this.#endpoints.set(endpoint, models.set(key, known))
    forget(models, modelsMax)
    forget(this.#endpoints, endpointsMax)
  }
}

/** Lessons that are added to. */
export interface KnownLessons {
  readonly rejections: Map<string, Rejection>
  readonly marks: Set<string>
}

/** Adds lessons to what is known. A newer lesson replaces one about the same thing; the oldest are forgotten. */
export function addLessons({ rejections, marks }: KnownLessons, lessons: Lessons): void {
  for (const lesson of lessons.rejections)
    rejections.set(`${lesson.id} ${lesson.parameter ?? lesson.values?.[0] ?? ''}`, lesson)
  for (const mark of lessons.marks) marks.add(mark)
  forget(rejections, lessonsMax)
  forget(marks, marksMax)
}

/**
 * What a rejection taught: `before` was rejected, `after` was accepted. `whole` is the request before anything was done to it, if
 * earlier lessons had shortened it.
 */
export function lessonsOf(rejection: Rejection, before: unknown, after: unknown, whole: unknown = before): Lessons {
  if (rejection.isEchoed) return { rejections: [], marks: [] }
  const lesson = lessonOf(rejection, before, after, whole)
  return {
    rejections: lesson ? [lesson] : [],
    marks: fingerprintedKinds.has(rejection.kind) ? removedMarks(before, after, conversationIn(whole)) : [],
  }
}

/** The fields that select the model: its name, and those by which a router chooses where to send a request. */
function lessonsKey(model: string | undefined, body: unknown): string {
  const fields = isRecord(body) ? body : {}
  const routes = routing.filter(name => fields[name] !== undefined)
  return `${model ?? ''}${routes.length === 0 ? '' : ` ${shortHash(JSON.stringify(routes.map(name => fields[name])))}`}`
}

/** What was learnt for a request. */
export function lessonsFor(
  lessons: LessonsByModel | undefined,
  model: string | undefined,
  body: unknown,
): Lessons | undefined {
  const key = lessonsKey(model, body)
  return lessons && Object.hasOwn(lessons, key) ? lessons[key] : undefined
}

const routing = ['provider', 'models', 'route', 'routing', 'providerOptions', 'service_tier', 'plugins']

const [endpointsMax, modelsMax, lessonsMax, marksMax, usesMax] = [100, 20, 30, 2000, 50]

/** Forgets the oldest, down to a number. */
function forget(
  entries: { readonly size: number; keys(): IterableIterator<unknown>; delete(key: never): unknown },
  max: number,
): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return
    entries.delete(key as never)
  }
}

/** Kinds whose repair removes content that looks like accepted content: it is recognised by its fingerprint. */
const fingerprintedKinds: ReadonlySet<string> = new Set([
  ...[
    'reasoning-signature',
    'reasoning-encrypted',
    'thought-signature',
    'server-state',
    'image-url',
    'image-unreadable',
    'document',
  ],
])

/** Repairs that change only what was rejected, and nothing in a request without that defect. */
const repeatableRepairs: ReadonlySet<string> = new Set([
  ...[
    'image-side',
    'image-side-many',
    'image-area',
    'image-small',
    'image-least',
    'image-bytes',
    'image-uri',
    'image-count',
    'media-count',
  ],
  ...[
    'media-kind',
    'media-all',
    'image-move',
    'document-count',
    'document-names',
    'document-text',
    'string-content',
    'tool-string',
  ],
  ...[
    'cache-marks',
    'tool-names',
    'tool-names-bedrock',
    'tool-names-gemini',
    'tool-count',
    'tool-ids',
    'tool-schema',
    'tool-type',
  ],
  ...[
    'tool-references',
    'part-type',
    'role',
    'role-developer',
    'role-system',
    'content-null',
    'prefill',
    'fields-unsupported',
  ],
  ...[
    'fields-listed',
    'fields-extra',
    'fields-unknown',
    'fields-gemini',
    'fields-interactions',
    'fields-extraneous',
    'fields-additional',
    'reasoning-back',
    'summary-back',
    'image-object',
    'image-unit',
    'message-names',
    'reasoning-input',
    'document-names-plain',
    'tool-schema-key',
    'tool-schema-patterns',
    'item-ids',
    'role-system-first',
    'cache-points-all',
    'cache-points-messages',
    'thinking-drop',
    'parameter',
    'parameter-rename',
  ],
  ...[
    'parameter-value',
    'thinking-type',
    'thinking-budget',
    'reasoning-summary',
    'output-cap',
    'thought-unsigned',
    'string-longest',
  ],
])

/** A hash of everything in a request except its history and its tools: a parameter may be rejected only together with another. */
const settingsOf = (body: unknown): string =>
  shortHash(
    JSON.stringify(
      Object.entries(isRecord(body) ? asRequest(body) : {})
        .filter(([name]) => !contentFields.has(name))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  )

/** A message over a WebSocket has the settings of a request whose answer is streamed. */
function asRequest(body: Record<string, unknown>): Record<string, unknown> {
  if (body.type !== 'response.create') return body
  const { type: _, background: __, ...settings } = body
  return { ...settings, stream: true }
}

const contentFields = new Set([
  ...['messages', 'input', 'contents', 'prompt', 'system', 'instructions', 'systemInstruction', 'system_instruction'],
  ...['tools', 'toolConfig', 'metadata', 'user', 'headers', 'abortSignal', 'includeRawChunks'],
])

/** Rejections that depend on another field of the request. */
const conditionalRejections = new Set(['an-parameter-both', 'an-parameter-thinking', 'km-parameter-value'])

function lessonOf(rejection: Rejection, before: unknown, after: unknown, whole: unknown): Rejection | undefined {
  const { kind, repair = '', limit, used, paths } = rejection
  const { index: _, history: __, ...rest } = rejection
  if (kind === 'context-overflow') {
    const [sent, accepted] = [charsOf(before), charsOf(after)]
    const window =
      limit !== undefined && used !== undefined && used > limit ? (sent * limit) / used : (sent + accepted) / 2
    return {
      // How many characters a token has differs between histories, so the limit is used for this one only.
      conversation: conversationIn(whole),
      kind,
      id: 'learnt-window',
      status: rejection.status,
      text: '',
      repair: 'overflow-learnt',
      paths: [],
      limit: Math.floor(window),
    }
  }
  if (!repeatableRepairs.has(repair) || conditionalRejections.has(rejection.id)) return undefined
  return {
    ...rest,
    conversation: conversationIn(whole),
    ...(kind === 'parameter' || kind === 'foreign-field' ? { settings: settingsOf(whole) } : {}),
    paths: repair.startsWith('fields-') ? paths : [],
    ...(repair === 'image-unit' ? { limit: smallestSize(rejection.text) } : {}),
    text: kind === 'foreign-field' || repair.startsWith('tool-names') ? rejection.text : '',
  }
}

/** The keys of strings that identify a block, an item or a medium. */
const identifyingKeys = new Set([
  ...[
    'signature',
    'data',
    'encrypted_content',
    'thoughtSignature',
    'thought_signature',
    'url',
    'image_url',
    'file_url',
    'bytes',
  ],
  ...[
    'fileUri',
    'file_uri',
    'file_id',
    'id',
    'previous_response_id',
    'conversation',
    'cachedContent',
    'cached_content',
  ],
  ...['itemId', 'redactedData', 'reasoningEncryptedContent', 'previousResponseId'],
])

function marksIn(value: unknown, marks = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) marksIn(one, marks)
  else if (isRecord(value) && !ArrayBuffer.isView(value)) {
    for (const key of Object.keys(value)) {
      const inner = value[key] instanceof URL ? value[key].href : value[key]
      if (typeof inner === 'string') {
        if (identifyingKeys.has(key) && inner.length >= 4) marks.add(markOf(inner))
      } else marksIn(inner, marks)
    }
  }
  return marks
}

function removedMarks(before: unknown, after: unknown, conversation: string): string[] {
  const left = marksIn(after)
  return [...marksIn(before)].filter(mark => !left.has(mark)).map(mark => `${mark}@${conversation}`)
}

/** Identifies a conversation by its beginning. */
const conversationIn = (body: unknown): string => beginningsOf(historyIn(body)).at(-1) ?? ''

function historyIn(body: unknown): readonly unknown[] {
  const history = isRecord(body) && Array.isArray(body.prompt) ? body.prompt : readBody(body)?.history
  return Array.isArray(history) ? history : []
}

/**
 * A request repaired for what was learnt, before it is sent. The same reference is returned if no lesson applies. Content is removed
 * only if the request continues the conversation in which that was learnt; in others, a lesson changes how something is written.
 */
export function healLearnt<Request>(
  body: Request,
  { rejections, marks }: Lessons,
  options: RequestOptions,
): RequestResult<Request> {
  if (isTooDeep(body)) return { body, changed: false, repairs: [], remaining: [] }
  const beginnings = new Set(beginningsOf(historyIn(body)))
  const { allow = defaultAllow } = options
  const withoutLossy = { ...options, allow: allow.filter(one => one !== 'lossy') }
  const all = rejections
    .filter(
      ({ kind, conversation = '', settings }) =>
        settings === undefined ||
        (kind === 'foreign-field' && beginnings.has(conversation)) ||
        settings === settingsOf(body),
    )
    .map(lesson => ({ lesson, options: beginnings.has(lesson.conversation ?? '') ? options : withoutLossy }))
  const known = new Set(marks.flatMap(mark => markFor(mark, beginnings)))
  if (known.size > 0 && [...marksIn(body)].some(mark => known.has(mark))) {
    const values = [...known]
    const about = { kind: 'reasoning-signature', id: 'learnt-marks', repair: 'marked', values } as const
    all.push({ lesson: { ...about, status: 0, text: '', paths: [] }, options })
  }
  let now = body
  let renamedTools: ReadonlyMap<string, string> | undefined
  const repairs = []
  const remaining = []
  for (const { lesson, options } of all) {
    const result = healRejected(now, lesson, options)
    if (!result.changed) continue
    now = result.body
    renamedTools = joinRenames(renamedTools, result.renamedTools)
    for (const repair of result.repairs) repairs.push(repair)
    for (const diagnostic of result.remaining) remaining.push(diagnostic)
  }
  return { body: now, changed: now !== body, repairs, remaining, ...(renamedTools && { renamedTools }) }
}

/** The fingerprint without its conversation, if the request continues that conversation. A fingerprint without one applies to every request of the caller. */
function markFor(mark: string, beginnings: ReadonlySet<string>): string[] {
  const at = mark.indexOf('@')
  if (at < 0) return [mark]
  return beginnings.has(mark.slice(at + 1)) ? [mark.slice(0, at)] : []
}
