import { isRecord } from '../../core/conversation.ts'
import { elementSpans, memberSpans, skipSpace, type TextSpan } from '../../core/json/json-spans.ts'
import { detectFormat } from '../../heal/detect.ts'
import { readBody } from '../../heal/request/request-body.ts'
import { firstLeftOut, type LeftOut } from './left-out.ts'

/** A history that was found in a larger value. */
export interface FoundHistory {
  /** A list of messages, or a request body with one. */
  readonly value: unknown
  /** Where it is in the value, such as `log.entries[2].request`; empty for the value itself. */
  readonly at: string
  /** The same place as steps: keys, indexes, and `textStep` where a text is parsed. */
  readonly path: readonly Step[]
  /** The URL of the request, as its record names it. */
  readonly url?: string
}

export type Step = string | number | typeof textStep

/** The value of a JSON text. */
export const textStep = Symbol('text')

/**
 * All histories in a value at any depth, also in JSON text. If there are request bodies, lists of messages outside of them are ignored:
 * they are answers. What is inside a history is not searched. Linear, and bounded in depth.
 */
export function findHistories(value: unknown, parse: (json: string) => unknown): FoundHistory[] {
  const bodies: FoundHistory[] = []
  const lists: FoundHistory[] = []
  const visit = (value: unknown, path: readonly Step[], url: string | undefined): void => {
    if (path.length > depthMax) return
    const found = (): FoundHistory => ({ value, at: placeOf(path), path, ...(url === undefined ? {} : { url }) })
    if (typeof value === 'string') {
      const inner = path.filter(step => step === textStep).length < textsMax ? parsedText(value, parse) : undefined
      if (inner !== undefined) visit(inner, [...path, textStep], url)
    } else if (Array.isArray(value)) {
      if (isHistory(value)) lists.push(found())
      else for (const [index, one] of value.entries()) visit(one, [...path, index], urlIn(value) ?? url)
    } else if (isRecord(value)) {
      if (isBody(value)) bodies.push(found())
      else for (const [key, one] of Object.entries(value)) visit(one, [...path, key], urlIn(value) ?? url)
    }
  }
  visit(value, [], undefined)
  return bodies.length > 0 ? bodies : lists
}

/** The texts of a value that may hold a history with other words around it, and their places. */
export function findTexts(value: unknown): readonly { readonly text: string; readonly at: string }[] {
  const texts: { text: string; at: string }[] = []
  const visit = (value: unknown, path: readonly Step[]): void => {
    if (path.length > depthMax) return
    if (typeof value === 'string' && mayHoldHistory(value)) texts.push({ text: value, at: placeOf(path) })
    else if (Array.isArray(value)) for (const [index, one] of value.entries()) visit(one, [...path, index])
    else if (isRecord(value)) for (const [key, one] of Object.entries(value)) visit(one, [...path, key])
  }
  visit(value, [])
  return texts
}

/** Whether a text has the name of a field that every history has. */
export const mayHoldHistory = (text: string): boolean =>
  /["'\\](?:role|parts|messages|input)\b|\brole\s?[:=]/.test(text)

/** A history of which the text contains everything, and the other fields of its request that were left out. */
export function withoutLeftOut(one: FoundHistory): {
  readonly history?: FoundHistory
  readonly fields: readonly string[]
  readonly first?: LeftOut
} {
  const first = firstLeftOut(one.value)
  if (first === undefined) return { history: one, fields: [] }
  if (!isRecord(one.value) || !isBody(one.value)) return { fields: [], first }
  const entries = Object.entries(one.value)
  const fields = new Set(entries.filter(([, value]) => firstLeftOut(value) !== undefined).map(([key]) => key))
  const value = Object.fromEntries(entries.filter(([key]) => !fields.has(key)))
  return isBody(value) ? { history: { ...one, value }, fields: [...fields], first } : { fields: [], first }
}

/**
 * A JSON text with other texts at some places. Everything else stays byte for byte. All places are found in one pass; of several members
 * with one name the last one counts, as in every parser.
 */
export function mapTexts(
  text: string,
  paths: readonly (readonly Step[])[],
  map: (text: string, index: number) => string,
): string {
  const visit = (text: string, indexes: readonly number[], depth: number): string => {
    const [first = 0] = indexes
    const step = paths[first]?.[depth]
    if (step === undefined) return map(text, first)
    if (step === textStep) {
      const inner = JSON.parse(text) as string
      const after = visit(inner, indexes, depth + 1)
      return after === inner ? text : JSON.stringify(after)
    }
    const inside = new Map<Step | undefined, number[]>()
    for (const index of indexes) {
      const there = inside.get(paths[index]?.[depth])
      if (there) there.push(index)
      else inside.set(paths[index]?.[depth], [index])
    }
    const spans = stepSpans(text)
    const last = new Map(spans.map(span => [span.step, span]))
    let [written, end] = ['', 0]
    for (const span of spans) {
      const there = last.get(span.step) === span ? inside.get(span.step) : undefined
      if (there === undefined) continue
      written += text.slice(end, span.start) + visit(text.slice(span.start, span.end), there, depth + 1)
      end = span.end
    }
    return written + text.slice(end)
  }
  const indexes = [...paths.keys()]
  return indexes.length === 0 ? text : visit(text, indexes, 0)
}

function stepSpans(text: string): readonly (TextSpan & { readonly step: Step })[] {
  const start = skipSpace(text, 0)
  return text[start] === '['
    ? elementSpans(text, start).map((span, step) => ({ ...span, step }))
    : memberSpans(text, start).map(span => ({ ...span, step: JSON.parse(span.key) as string }))
}

const [depthMax, textsMax] = [100, 4]

/** The URL of a record: `url`, or the first of the arguments of `fetch`. */
function urlIn(value: object): string | undefined {
  const url = Array.isArray(value) ? value[0] : (value as { url?: unknown }).url
  return typeof url === 'string' && urlText.test(url) ? url : undefined
}

const urlText = /^(?:https?:\/\/[^\s/]|\/\w)/

export function isBody(value: unknown): boolean {
  const body = readBody(value)
  if (!body || !Array.isArray(body.history) || body.history.length === 0) return false
  return detectFormat(body.history, body.format) !== undefined
}

export const isHistory = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.some(hasRole) && detectFormat(value) !== undefined

/** Whether this may be a message: a role, or a type or kind, as some formats have instead. */
const hasRole = (message: unknown): boolean =>
  isRecord(message) && [message.role, message.type, message.kind].some(one => typeof one === 'string')

function parsedText(text: string, parse: (json: string) => unknown): unknown {
  if (!/^\s*[[{"]/.test(text)) return undefined
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

const placeOf = (path: readonly Step[]): string =>
  path
    .map((step, index) => {
      if (step === textStep) return ''
      if (typeof step === 'number') return `[${step}]`
      return /^[A-Za-z_$][\w$-]*$/.test(step) ? `${index === 0 ? '' : '.'}${step}` : `[${JSON.stringify(step)}]`
    })
    .join('')
