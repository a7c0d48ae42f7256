import type { CodecId } from '../../../codecs/index.ts'
import { isRecord } from '../../../core/conversation.ts'
import { byteLength } from '../../../core/media/media-bytes.ts'
import { asFields, asList, type MutableFields, scalarText } from '../../../core/request/body-draft.ts'
import { findMedia, readMedium, replaceMedia } from '../../../core/request/media-parts.ts'
import { lastTurnOf, opensTurn, outputKey, resultIn, roleOf, textPart } from '../../../core/request/parts.ts'
import { cutPoints } from '../../trim.ts'
import type { RequestDraft } from '../request-draft.ts'

/** The characters of all texts of a value; inline media do not count. */
export function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + charsOf(one), 0)
  if (!isRecord(value) || value instanceof Uint8Array) return 0
  const medium = readMedium(value as MutableFields)
  if (medium?.data !== undefined) return 0
  let sum = 0
  for (const key of Object.keys(value)) sum += charsOf(value[key])
  return sum
}

/** The content of a result, and how to write another. */
interface ResultBody {
  readonly message: number
  readonly at: string
  readonly holder: MutableFields
  readonly key: string
}

function resultBodies(draft: RequestDraft): ResultBody[] {
  const found: ResultBody[] = []
  draft.history.forEach((message, index) => {
    const fields = asFields(message)
    if (!fields) return
    const at = `${draft.root}[${index}]`
    if (roleOf(fields) === 'tool' && draft.format !== 'ai-sdk')
      found.push({
        message: index,
        at,
        holder: fields,
        key: outputKey(fields) in fields ? outputKey(fields) : 'content',
      })
    asList(fields.content ?? fields.parts).forEach((part, place) => {
      const isSdk = draft.format === 'ai-sdk' && asFields(part)?.type === 'tool-result'
      const holder = isSdk ? undefined : isRecord(part) ? resultIn(part as MutableFields) : undefined
      if (isSdk)
        found.push({ message: index, at: `${at}.content[${place}]`, holder: part as MutableFields, key: 'output' })
      if (holder)
        found.push({
          message: index,
          at: `${at}[${place}]`,
          holder,
          key: 'response' in holder ? 'response' : 'content',
        })
    })
  })
  return found
}

/** Writes a text in the place of a content; media in it stay. */
function setContent(draft: RequestDraft, { holder, key }: ResultBody, text: string): void {
  const before = holder[key]
  if (draft.format === 'ai-sdk') {
    const media = asList(asFields(before)?.value).filter(part => isRecord(part) && readMedium(part as MutableFields))
    holder[key] =
      media.length === 0
        ? { type: 'text', value: text }
        : { type: 'content', value: [textPart(draft, text, 'tool', true), ...media] }
  } else if (Array.isArray(before)) {
    const media = before.filter(part => isRecord(part) && readMedium(part as MutableFields) !== undefined)
    holder[key] = [textPart(draft, text, 'tool', true), ...media]
  } else holder[key] = key === 'response' ? { output: text } : text
}

/** A string that can be cut, and where it is. */
interface Slot {
  readonly holder: MutableFields | unknown[]
  readonly key: string | number
  readonly length: number
}

function slotsIn(value: unknown, slots: Slot[] = []): Slot[] {
  const visit = (holder: MutableFields | unknown[], key: string | number, inner: unknown): void => {
    if (typeof inner === 'string') {
      if (!fixed.has(String(key))) slots.push({ holder, key, length: inner.length })
    } else slotsIn(inner, slots)
  }
  if (Array.isArray(value)) for (let index = 0; index < value.length; index++) visit(value, index, value[index])
  else if (isRecord(value) && readMedium(value as MutableFields)?.data === undefined)
    for (const key of Object.keys(value)) visit(value as MutableFields, key, value[key])
  return slots
}

/** Strings that mean something as a whole. */
const fixed = new Set([
  ...[
    'id',
    'call_id',
    'tool_call_id',
    'tool_use_id',
    'toolUseId',
    'type',
    'role',
    'name',
    'signature',
    'data',
    'encrypted_content',
  ],
  ...['toolCallId', 'toolName', 'mediaType', 'itemId', 'reasoningEncryptedContent'],
  ...['thoughtSignature', 'thought_signature', 'arguments', 'url', 'file_id', 'thinking'],
])

/** A string of at most `max` characters: its beginning and its end. */
export function clip(text: string, max: number): string {
  const note = `\n[${text.length - max} characters removed]\n`
  const room = Math.max(0, max - note.length)
  const head = Math.ceil(room * 0.6)
  const start = text.slice(0, head)
  const end = text.slice(text.length - (room - head))
  // Half a character at either cut would be one more thing to reject.
  return `${start.replace(/[\uD800-\uDBFF]$/, '')}${note}${room - head > 0 ? end.replace(/^[\uDC00-\uDFFF]/, '') : ''}`.slice(
    0,
    Math.max(max, 0),
  )
}

/** Shortens a history to so many characters. Nothing is changed if that cannot be reached. */
export function shorten(draft: RequestDraft, target: number): void {
  if (!draft.allows('lossy')) {
    draft.change('lossy', draft.root, 'the history is too long: old results would be cleared', () => {})
    return
  }
  let total = charsOf(draft.body)
  const note = (at: string, message: string): boolean => draft.change('lossy', at, message, () => {})
  const clear = (bodies: readonly ResultBody[]): void => {
    for (const body of bodies) {
      if (total <= target) return
      const before = charsOf(body.holder[body.key])
      if (before <= clearMin) continue
      setContent(draft, body, `[result removed to save space: ${before} characters]`)
      total += charsOf(body.holder[body.key]) - before
      note(body.at, `the result of ${before} characters is cleared: the history is too long`)
    }
  }
  const cut = (slots: readonly Slot[], at: string): void => {
    for (const { holder, key, length } of [...slots].sort((a, b) => b.length - a.length)) {
      if (total <= target) return
      const room = Math.max(clipMin, length - (total - target))
      if (length <= room) continue
      const text = clip(String((holder as MutableFields)[key]), room)
      ;(holder as MutableFields)[key] = text
      total += text.length - length
      note(at, `a text of ${length} characters is cut to ${text.length}: the history is too long`)
    }
  }
  const open = lastTurnOf(draft)
  const lastStep = Math.max(
    open,
    draft.history.findLastIndex(message => roleOf(message) === 'assistant'),
  )
  const bodies = resultBodies(draft)
  clear(bodies.filter(({ message }) => message < open))
  clear(bodies.filter(({ message }) => message >= open && message < lastStep))
  const middle = middleTurns(draft)
  const spare = middle.reduce((sum, { from, to }) => sum + charsOf(draft.history.slice(from, to)), 0)
  if (total > target && total - spare > target)
    for (const { holder, key, at } of bodies.filter(({ message }) => message >= lastStep))
      cut(
        slotsIn({ [key]: holder[key] }).length === 1 && typeof holder[key] === 'string'
          ? [{ holder, key, length: holder[key].length }]
          : slotsIn(holder[key]),
        at,
      )
  const gone = new Set<unknown>()
  for (const { from, to } of middle) {
    if (total <= target) break
    const turn = draft.history.slice(from, to)
    total -= charsOf(turn)
    for (const message of turn) gone.add(message)
    note(`${draft.root}[${from}]`, `a turn of ${to - from} messages is removed: the history is too long`)
  }
  if (total > target)
    for (const [index, message] of draft.history.slice(0, -1).entries())
      if (roleOf(message) !== 'system' && !gone.has(message)) cut(slotsIn(message), `${draft.root}[${index}]`)
  if (total > target) cut(slotsIn(draft.history.at(-1)), `${draft.root}[${draft.history.length - 1}]`)
  draft.history = draft.history.filter(message => !gone.has(message))
  if (total > target) draft.repairs.length = 0
}

const [clearMin, clipMin] = [200, 400]

/**
 * The turns that may be removed: all except the first and the last. A user message followed by another one is a separate
 * turn. One that begins with the results of the step before it, or comes between a call and its result, does not begin a turn.
 */
function middleTurns(draft: RequestDraft): { readonly from: number; readonly to: number }[] {
  const safe = new Set(cutPoints(draft.history, { format: draft.format as CodecId }))
  const starts: number[] = []
  draft.history.forEach((message, index) => {
    if (opensTurn(message) && (starts.length === 0 || safe.has(index))) starts.push(index)
  })
  return starts.slice(1, -1).map((from, at) => ({ from, to: starts[at + 2] ?? draft.history.length }))
}

/** About four characters a token, if the text does not contain the number of tokens. */
const charsPerToken = 4

/** Too many tokens for the window: cut to 90 % of the limit in the text, or to 80 % of what was sent. */
export function shortenToWindow(draft: RequestDraft): void {
  const chars = charsOf(draft.body)
  shorten(draft, Math.floor(chars * shareToKeep(draft, chars)))
}

/** A history that was rejected as too long, and has more messages now: shortened as it was then, before it is sent. */
export function shortenToLearnt(draft: RequestDraft): void {
  const { limit = Number.POSITIVE_INFINITY } = draft.rejection
  if (charsOf(draft.body) > limit) shorten(draft, Math.floor(limit * reserve))
}

function shareToKeep({ rejection, body }: RequestDraft, chars: number): number {
  const { limit, used, over } = rejection
  if (limit !== undefined && used !== undefined && used > limit) return (limit / used) * reserve
  const sent = chars / charsPerToken
  if (over !== undefined) return Math.max(0.1, (1 - over / Math.max(sent, over * 1.1)) * reserve)
  const window = limit ?? windowOf(scalarText(body.model ?? body.modelId ?? ''))
  return Math.min(0.8, window === undefined ? 1 : (window / sent) * reserve)
}

/** How much of the window is used: own counts of tokens differ. */
const reserve = 0.9

/** The windows of models that reject without a number. */
function windowOf(model: string): number | undefined {
  const named = /(?:^|[-_:])(\d{1,4})k\b/i.exec(model)?.[1]
  const written = /[-_](4096|8192|16384|32768|65536|131072)\b/.exec(model)?.[1]
  if (written !== undefined) return Number(written)
  if (named !== undefined) return Number(named) * 1000
  return windows.find(([words]) => words.test(model))?.[1]
}

const windows: readonly (readonly [RegExp, number])[] = [
  [/minimax-m2/i, 204_800],
  [/gpt-5/, 272_000],
  [/glm-4\.[67]/i, 200_000],
  [/glm-4/i, 128_000],
  [/claude/i, 200_000],
]

/** Bedrock uses this message also for a body with too many bytes: 27.7 MB were rejected, 19.1 MB accepted. */
export function shortenForBedrock(draft: RequestDraft): void {
  if (bytesOf(draft) > bedrockMax) shrinkBytes(draft, bedrockMax)
  if (!draft.changed) shortenToWindow(draft)
}

const bedrockMax = 19 * 1000 * 1000

export const bytesOf = (draft: RequestDraft): number => new TextEncoder().encode(JSON.stringify(draft.body)).length

/** Replaces the oldest media by texts, then removes old results, until the request has at most `max` bytes. */
export function shrinkBytes(draft: RequestDraft, max: number): void {
  let bytes = bytesOf(draft)
  const gone = []
  for (const medium of findMedia(draft)) {
    if (bytes <= max) break
    if (medium.data === undefined) continue
    gone.push(medium)
    bytes -= byteLength(medium.data) * (4 / 3)
  }
  replaceMedia(draft, gone, 'the request has too many bytes')
  if (bytes > max) shorten(draft, Math.floor(charsOf(draft.body) * (max / bytes) * 0.95))
}

/** 32 MB at Anthropic; a little less, since it is not documented what is counted. */
export function shrinkRequest(draft: RequestDraft): void {
  const { limit = 32 * 1000 * 1000 } = draft.rejection
  shrinkBytes(draft, Math.min(limit * 0.97, bytesOf(draft) - 1))
}

export function shrinkToMegabytes(draft: RequestDraft): void {
  const { limit = 5 } = draft.rejection
  shrinkBytes(draft, limit * 1000 * 1000 * 0.97)
}

/** Media are the only known cause: 5 MB is what Copilot accepts with attachments. */
export function shrinkForCopilot(draft: RequestDraft): void {
  if (draft.rejection.status !== 413 || findMedia(draft).length === 0) return
  shrinkBytes(draft, Math.min(5 * 1000 * 1000 * 0.97, bytesOf(draft) - 1))
}

/** Removes the oldest turns if the history has more items than a request may have. */
export function dropOldestItems(draft: RequestDraft): void {
  const { limit = Number.POSITIVE_INFINITY } = draft.rejection
  let count = draft.history.length
  const turns: { readonly from: number; readonly to: number }[] = []
  for (const turn of middleTurns(draft)) {
    if (count <= limit) break
    turns.push(turn)
    count -= turn.to - turn.from
  }
  if (count > limit || turns.length === 0) return
  const gone = new Set<unknown>()
  for (const { from, to } of turns) {
    const isAllowed = draft.change(
      'lossy',
      `${draft.root}[${from}]`,
      `a turn of ${to - from} items is removed: the provider takes ${limit}`,
      () => {},
    )
    if (isAllowed) for (const item of draft.history.slice(from, to)) gone.add(item)
  }
  draft.history = draft.history.filter(item => !gone.has(item))
}
