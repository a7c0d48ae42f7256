import { isRecord } from '../../../core/conversation.ts'
import { isRawNumber } from '../../../core/json/exact-json.ts'
import { elementSpans, memberSpans, skipSpace } from '../../../core/json/json-spans.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { detectFormat } from '../../../heal/detect.ts'
import { holdsContent } from '../../../observe/tape/redact-settings.ts'
import { isBody, isHistory } from '../../unwrap/find-histories.ts'

/** Whether the value of an HTTP header of this name is a credential. */
export const isSecretHeader = (name: string): boolean => name.length <= 100 && secretName.test(name)

const secretName =
  /(?:authorization|[-_]auth|api-?key|(?:access|auth|bearer|session|security|oidc|csrf|id|iam)-token|subscription-key|secret|secret-key|cookie2?|password|credentials?|signature)$/i

export const redacted = '[redacted]'

/**
 * JSON text with the values of secret headers replaced: in objects, lists and texts under a key such as `headers`. Messages, and the tools
 * of a request, are not searched. Everything else stays byte for byte.
 */
export function withoutSecretHeaders(text: string): { readonly text: string; readonly count: number } {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  const value = /header/i.test(text) ? tryParseJson(text.slice(start)) : undefined
  const secrets = new Secrets()
  if (value !== undefined) secrets.visit(value, [])
  return { text: replaceIn(text, skipSpace(text, start), secrets.changes, 0), count: secrets.count }
}

/** The same for text that is not JSON, such as a line that was cut: by its words alone. */
export function withoutSecretWords(text: string): { readonly text: string; readonly count: number } {
  let count = 0
  const hide = (whole: string, name: string, between: string): string => {
    if (!isSecretHeader(name)) return whole
    count++
    return `${name}${between}${redacted}`
  }
  return { text: text.replace(headerWords, hide), count }
}

/** A quoted name of a header and its quoted value. */
const headerWords = /(?<![\w-])([\w-]{1,100})(\\*["']\s{0,8}:\s{0,8}\\*["'])[^"'\\]*/g

type Path = readonly (string | number)[]

interface Change {
  readonly path: Path
  readonly value: string
}

/** Finds the secret headers of a value. */
class Secrets {
  readonly changes: Change[] = []
  count = 0

  visit(value: unknown, path: Path): void {
    if (path.length > depthMax) return
    if (typeof value === 'string') this.#text(value, path)
    else if (Array.isArray(value)) {
      if (!isHistory(value)) for (const [index, one] of value.entries()) this.visit(one, [...path, index])
    } else if (isRecord(value) && !isMessage(value)) this.#record(value, path)
  }

  #record(value: Readonly<Record<string, unknown>>, path: Path): void {
    const isRequest = isBody(value)
    const { name = value.key } = value
    for (const [key, one] of Object.entries(value)) {
      if (isRequest && (holdsContent(key) || requestFields.has(key))) continue
      const isNamed = key === 'value' && typeof name === 'string' && flatHeader.test(name) && isSecretHeader(name)
      if (isNamed || (flatHeader.test(key) && isSecretHeader(key))) this.#hide(one, [...path, key])
      else if (headerMap.test(key)) this.#headers(one, [...path, key])
      else this.visit(one, [...path, key])
    }
  }

  /** An object, a list of names and values in any form, or a text. */
  #headers(value: unknown, path: Path): void {
    if (path.length > depthMax) return
    if (typeof value === 'string') {
      const inner = parsedText(value)
      if (inner !== undefined) this.#inner(value, path, secrets => secrets.#headers(inner, []))
      else if (value.split(/[^\w-]+/).some(isSecretHeader)) this.#hide(value, path)
    } else if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) {
        const before = value[index - 1]
        if (index % 2 === 1 && typeof before === 'string' && isSecretHeader(before)) this.#hide(one, [...path, index])
        else if (typeof one !== 'string' || /[:=]/.test(one)) this.#headers(one, [...path, index])
      }
    } else if (isRecord(value)) {
      const { name = value.key } = value
      const isSecretPair = typeof name === 'string' && isSecretHeader(name)
      for (const [key, one] of Object.entries(value)) {
        if (isSecretHeader(key) || (isSecretPair && !/^(?:name|key)$/.test(key))) this.#hide(one, [...path, key])
        else if (typeof one === 'object') this.#headers(one, [...path, key])
      }
    }
  }

  #text(value: string, path: Path): void {
    const inner = /header/i.test(value) ? parsedText(value) : undefined
    if (inner !== undefined) this.#inner(value, path, secrets => secrets.visit(inner, []))
  }

  /** JSON text inside JSON. */
  #inner(text: string, path: Path, search: (secrets: Secrets) => void): void {
    const secrets = new Secrets()
    search(secrets)
    if (secrets.count === 0) return
    this.changes.push({ path, value: replaceIn(text, skipSpace(text, 0), secrets.changes, 0) })
    this.count += secrets.count
  }

  #hide(value: unknown, path: Path): void {
    if (value === null || value === '' || value === redacted || typeof value === 'boolean') return
    this.changes.push({ path, value: redacted })
    this.count++
  }
}

const depthMax = 100

const headerMap = /headers?$/i
/** A header as a field of its own, such as `http.request.header.authorization`. */
const flatHeader = /headers?[._]/i

/** Fields of a request whose headers are sent to the provider, such as the headers of an MCP server. Without them the request would be a different one. */
const requestFields = new Set(['tools', 'mcp_servers'])

const isMessage = (value: Readonly<Record<string, unknown>>): boolean =>
  isRawNumber(value) ||
  (!isBody(value) &&
    (typeof value.role === 'string' || (typeof value.type === 'string' && detectFormat([value]) !== undefined)))

const parsedText = (text: string): unknown => (/^\s*[[{"]/.test(text) ? tryParseJson(text) : undefined)

/** The text with other values at these places. All have the first `depth` steps in common. */
function replaceIn(text: string, start: number, changes: readonly Change[], depth: number): string {
  const [first] = changes
  if (first === undefined) return text
  if (first.path[depth] === undefined) return JSON.stringify(first.value)
  const inside = new Map<string | number | undefined, Change[]>()
  for (const change of changes) {
    const there = inside.get(change.path[depth])
    if (there) there.push(change)
    else inside.set(change.path[depth], [change])
  }
  const spans =
    text[start] === '['
      ? elementSpans(text, start).map((span, index) => ({ ...span, step: index }))
      : memberSpans(text, start).map(span => ({ ...span, step: JSON.parse(span.key) as string }))
  let [written, end] = ['', 0]
  for (const span of spans) {
    const there = inside.get(span.step)
    if (there === undefined) continue
    written += text.slice(end, span.start) + replaceIn(text.slice(span.start, span.end), 0, there, depth + 1)
    end = span.end
  }
  return written + text.slice(end)
}
