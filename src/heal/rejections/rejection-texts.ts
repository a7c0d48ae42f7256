import { isRecord } from '../../core/conversation.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'

/** A text of a rejection, and the fields next to it. */
export interface RejectionText {
  /** Without quotes, backslashes, line breaks and repeated spaces: relays and terminals write a message in different ways. */
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>>
  /** It is the whole text, or in a field for messages: what a provider quotes of a request is mostly elsewhere. */
  readonly isMessage: boolean
}

/**
 * All texts of the body of a rejection, the outer ones first: JSON in strings is parsed, also after other text and inside
 * other strings, and so are the events of a stream. The last one is the whole body.
 */
export function rejectionTexts(body: unknown): RejectionText[] {
  const texts: RejectionText[] = []
  collect(body, {}, texts, 0, true)
  const whole = typeof body === 'string' ? body : stringify(body)
  if (whole.length <= wholeMax) add(texts, whole, {}, false)
  return texts
}

const wholeMax = 256 * 1024
const [textsMax, depthMax, textMax] = [200, 12, 20_000]

function collect(
  value: unknown,
  fields: Readonly<Record<string, unknown>>,
  texts: RejectionText[],
  depth: number,
  isMessage: boolean,
): void {
  if (depth > depthMax || texts.length > textsMax) return
  if (typeof value === 'string') {
    const inner = jsonIn(value)
    if (value.length <= textMax) add(texts, value, fields, isMessage)
    for (const part of inner) collect(part, fields, texts, depth + 1, isMessage)
  } else if (Array.isArray(value)) {
    const located = value.filter(isLocated)
    if (located.length > 0) add(texts, located.map(locatedText).join(' ; '), fields, true)
    for (const element of value) collect(element, fields, texts, depth + 1, isMessage)
  } else if (isRecord(value)) {
    // Numbers next to the text, as llama.cpp sends them, are found in the fields.
    for (const [key, inner] of Object.entries(value))
      if (!echoes.has(key)) collect(inner, value, texts, depth + 1, messageKeys.test(key))
  }
}

/** What these fields hold is what was sent, not what is wrong with it. */
const echoes = new Set(['input', 'messages', 'contents', 'loc', 'prompt'])

/** Fields in which providers and gateways put the error message. */
const messageKeys =
  /^(message|msg|error|errors|detail|details|description|error_description|reason|raw|body|cause|title)$|error_?msg|errorMessage/i

function add(
  texts: RejectionText[],
  text: string,
  fields: Readonly<Record<string, unknown>>,
  isMessage: boolean,
): void {
  const plain = withoutQuotes(text)
  const located = plain.replaceAll(reprLocation, (_, loc: string) => `${loc.replaceAll(/[\s,]+/g, '.')}: `)
  if (located !== plain) texts.push({ text: located, fields, isMessage })
  texts.push({ text: plain, fields, isMessage })
}

/** A location as Python prints it, or as JSON has it: `loc: (body, messages, 1, name), msg: `. */
const reprLocation = /\bloc: ?[([]([\w, -]{1,300}?),?[)\]], ?msg: ?/g

/** Normalizes a text (quotes, escapes, entities, spaces, arrows) before it is compared with the known error messages. */
export const withoutQuotes = (text: string): string =>
  text
    .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/&(lt|gt|amp|quot|#39|#x27);/g, (entity, name: string) => entities[name] ?? entity)
    .replaceAll(/\\[nrt]|\s/g, ' ')
    .replaceAll(/[\\"'`\u2018\u2019\u201C\u201D]/g, '')
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ?(?:->|\u2192) ?(?=[\w[])/g, '.')

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '', '#39': '', '#x27': '' }

const isLocated = (value: unknown): value is { loc: readonly unknown[]; msg: string } =>
  isRecord(value) && Array.isArray(value.loc) && typeof value.msg === 'string'

const locatedText = ({ loc, msg }: { loc: readonly unknown[]; msg: string }): string => `${loc.join('.')}: ${msg}`

/** The JSON in a text: the whole of it, the events of a stream, or what follows other text. */
function jsonIn(text: string): unknown[] {
  const trimmed = text.trim()
  const whole = parse(trimmed)
  if (whole !== undefined) return [whole]
  if (/^(event|data|id|:)/.test(trimmed)) {
    const events = trimmed.split(/\r\n|\r|\n/).filter(line => line.startsWith('data:'))
    const parsed = events.slice(0, 20).map(line => parse(line.slice(5).trim()))
    if (parsed.some(event => event !== undefined)) return parsed.filter(event => event !== undefined)
  }
  const from = trimmed.search(/[{[]/)
  if (from < 0) return []
  // What follows the JSON is unknown, so that its end is looked for from the back.
  let to = trimmed.length
  for (let tries = 0; tries < 20; tries++) {
    to = Math.max(trimmed.lastIndexOf('}', to - 1), trimmed.lastIndexOf(']', to - 1))
    if (to <= from) return []
    const found = parse(trimmed.slice(from, to + 1))
    if (found !== undefined) return [found]
  }
  return []
}

/** Undefined for what is not an object or a list. */
function parse(text: string): unknown {
  return /^[{["]/.test(text) ? tryParseJson(text) : undefined
}

function stringify(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
