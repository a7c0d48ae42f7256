import { isRecord } from '../../core/conversation.ts'
import { findSyntaxError, lineAndColumn } from '../../doctor/files/json-syntax-error.ts'
import { readBody } from '../../heal/request/request-body.ts'
import { type FoundHistory, findHistories, findTexts, isBody, isHistory, withoutLeftOut } from './find-histories.ts'
import { findCurl, readCurl } from './read-curl.ts'
import { escapedValue, textOfBase64, withoutColors, withoutMargin } from './read-escaped.ts'
import { LeftOut, type Literal, LiteralError, readLiteral, tooDeep } from './read-literal.ts'
import { readPowerShell } from './read-powershell.ts'

/** The histories that a text holds, and what was around them. */
export interface Unwrapped {
  readonly found: readonly FoundHistory[]
  /** What the text is, such as `a curl command`. */
  readonly kind: string
  /** Whether the histories form a series, such as the requests of a HAR: then all are used. Otherwise the user must choose one. */
  readonly isSeries: boolean
  /** What looks like a value and could not be read. */
  readonly problem?: string
}

/** Why nothing was found, if the text shows a reason. */
export interface NotUnwrapped {
  readonly problem: string
  readonly hint?: string
}

type Parse = (json: string) => unknown

/**
 * Finds the histories in a text that is not one itself: a curl command or another copied request, a HAR, JSON text in JSON, log records,
 * Python and JavaScript values, Markdown. Undefined if it is none of these. Nothing is evaluated and nothing guessed.
 */
export function unwrap(text: string, parse: Parse = JSON.parse, depth = 0): Unwrapped | NotUnwrapped | undefined {
  const trimmed = withoutColors(text).trim()
  if (trimmed === '' || depth > depthMax) return undefined
  const value = attempt(() => parse(trimmed))
  if (value !== undefined) return unwrapValue(value, parse, depth)
  const inner = withoutMargin(trimmed)
  if (inner !== undefined) return unwrapInner(inner, parse, depth + 1)
  const escaped = escapedValue(trimmed, 0, parse)
  if (escaped && escaped.end === trimmed.length) return unwrapped('escaped JSON', historiesIn(escaped.value, parse))
  if (/^(?:[$>%#]\s+)?curl(?:\.exe)?\s/.test(trimmed)) return unwrapCurl(trimmed, parse)
  const command = readPowerShell(trimmed)
  if (command) return oneRequest('a PowerShell command', command, parse)
  return (
    unwrapLines(trimmed, parse) ??
    unwrapLiteral(trimmed, parse, depth) ??
    unwrapFences(trimmed, parse, depth) ??
    (findCurl(trimmed) ? unwrapCurl(trimmed, parse) : unwrapProse(trimmed, parse))
  )
}

const depthMax = 3

/** The same for a text that was inside another one, where it may be a history itself. */
function unwrapInner(text: string, parse: Parse, depth: number): Unwrapped | NotUnwrapped | undefined {
  const value = attempt(() => parse(text))
  return isBody(value) || isHistory(value)
    ? { found: [{ value, at: '', path: [] }], kind: 'text', isSeries: false }
    : unwrap(text, parse, depth)
}

/** A value that is a history itself has nothing around it. */
function unwrapValue(value: unknown, parse: Parse, depth: number): Unwrapped | undefined {
  if (isBody(value) || isHistory(value)) return undefined
  if (isRecord(value) && isRecord(value.log) && Array.isArray(value.log.entries))
    return unwrapHar(value.log.entries, parse)
  const kind = typeof value === 'string' ? 'a JSON string' : Array.isArray(value) ? 'a list' : 'a record'
  const found = findHistories(value, parse)
  return unwrapped(kind, found.length > 0 ? found : inTexts(value, parse, depth))
}

/** The histories in the texts of a record, as in the `message` of a log record. */
function inTexts(value: unknown, parse: Parse, depth: number): FoundHistory[] {
  return findTexts(value).flatMap(({ text, at }) => {
    const inner = unwrapInner(text, parse, depth + 1)
    return inner && 'found' in inner ? inner.found.map(one => ({ ...one, at: joined(at, one.at), path: [] })) : []
  })
}

/** The requests of a HAR, as browsers and proxies save them. Only the bodies are read. */
function unwrapHar(entries: readonly unknown[], parse: Parse): Unwrapped | undefined {
  const found = entries.flatMap((entry, index) => {
    const request = isRecord(entry) && isRecord(entry.request) ? entry.request : {}
    const { text, encoding } = isRecord(request.postData) ? request.postData : {}
    const body = encoding === 'base64' && typeof text === 'string' ? attempt(() => textOfBase64(text)) : text
    const messages = isRecord(entry) && Array.isArray(entry._webSocketMessages) ? entry._webSocketMessages : []
    const sent = messages
      .filter(one => isRecord(one) && one.type === 'send')
      .map(one => (one as { data?: unknown }).data)
    const url = typeof request.url === 'string' ? { url: request.url } : {}
    return [body, ...sent]
      .flatMap(one => findHistories(one, parse))
      .map(one => ({ ...one, at: `request ${index + 1}`, ...url }))
  })
  return found.length === 0 ? undefined : { found, kind: 'a HAR', isSeries: true }
}

/** JSON lines that are not messages of one history: each may hold a request. */
function unwrapLines(text: string, parse: Parse): Unwrapped | undefined {
  const lines = text.split('\n')
  const found: FoundHistory[] = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const value = /^\s*[[{]/.test(line) ? attempt(() => parse(line)) : undefined
    if (value === undefined) return undefined
    const whole = findHistories(value, parse)
    for (const one of whole.length > 0 ? whole : inTexts(value, parse, 1))
      found.push({ ...one, at: joined(`line ${index + 1}`, one.at) })
  }
  return found.length === 0 ? undefined : { found, kind: 'JSON lines', isSeries: true }
}

function unwrapCurl(text: string, parse: Parse): Unwrapped | NotUnwrapped | undefined {
  const commands = readCurl(text)
  if (commands.length === 1 && commands[0]) return oneRequest(commands[0].kind, commands[0], parse)
  const found = commands.flatMap(({ body, url }, index) =>
    histories(body ?? '', parse).map(one => ({
      ...one,
      at: `command ${index + 1}`,
      ...(url === undefined ? {} : { url }),
    })),
  )
  return found.length === 0 ? undefined : { found, kind: 'curl commands', isSeries: true }
}

interface CopiedRequest {
  readonly url: string | undefined
  readonly body: string | undefined
  readonly file?: string
  readonly variable?: string
}

function oneRequest(
  kind: string,
  { url, body, file, variable }: CopiedRequest,
  parse: Parse,
): Unwrapped | NotUnwrapped {
  if (file !== undefined)
    return {
      problem: `the body of ${kind} is in a file of its own`,
      hint: `pass that file: ${file === '-' ? 'standard input' : file}`,
    }
  if (variable !== undefined)
    return {
      problem: `the body of ${kind} is the variable ${variable}`,
      hint: 'add the line that sets it, or its value',
    }
  if (body === undefined) return { problem: `${kind} without a body`, hint: 'copy the command with its --data' }
  const found = histories(body, parse)
  if (found.length > 0)
    return unwrapped(
      kind,
      found.map(one => ({ ...one, ...(url === undefined ? {} : { url }) })),
    ) as Unwrapped
  const value = attempt(() => parse(body))
  return value === undefined
    ? { problem: `the body of ${kind} is not JSON`, hint: 'a quote in it may have ended the string early' }
    : { problem: `the body of ${kind} holds no history` }
}

/** The histories in the body of a request. One that is plain text in a field of its own is a history too. */
function histories(body: string, parse: Parse): readonly FoundHistory[] {
  const value = attempt(() => parse(body))
  if (value !== undefined && readBody(value)) return [{ value, at: '', path: [] }]
  if (value !== undefined) return findHistories(value, parse)
  const printed = /^\s*[[{]\s*'/.test(body) ? unwrapLiteral(body.trim(), parse) : undefined
  return printed && 'found' in printed ? printed.found : []
}

/** The whole text is one value of Python or JavaScript. */
function unwrapLiteral(text: string, parse: Parse, depth = 0): Unwrapped | NotUnwrapped | undefined {
  if (!/^[[{("'bruBRU]|^\w[\w.]*\(/.test(text)) return undefined
  let literal: Literal
  try {
    literal = readLiteral(text, 0, parse)
  } catch (error) {
    return error instanceof LiteralError && beginsValue(text, 0) ? unreadable(text, error) : undefined
  }
  if (!/^[\s;,]*$/.test(text.slice(literal.end))) return undefined
  const { value } = literal
  if (typeof value === 'string') {
    // The string may contain the same text again. So the depth is increased, which ends the recursion.
    const inner = unwrapInner(value, parse, Math.max(depth + 1, depthMax))
    return inner && 'found' in inner ? { ...inner, kind: 'a Python string' } : inner
  }
  const kind = 'a Python or JavaScript value'
  const isMessage = isRecord(value) && !isBody(value) && isHistory([value])
  const whole = isMessage ? { ...literal, value: [value] } : literal
  const { found, missing, fields } = literalHistories(whole, parse)
  const result = unwrapped(kind, found)
  if (missing === undefined)
    return result ?? (/^\w/.test(text) ? { problem: `${kind} that holds no history` } : undefined)
  const error = new LiteralError(LeftOut.place(missing), LeftOut.reason(missing))
  return result ? { ...result, problem: `${withoutFields(fields)}${placed(text, error)}` } : unreadable(text, error)
}

function withoutFields(fields: readonly string[]): string {
  const more = fields.length > namedMax ? ` and ${fields.length - namedMax} more` : ''
  return fields.length === 0 ? '' : `without ${fields.slice(0, namedMax).join(', ')}${more}: `
}

const namedMax = 10

/** The histories in a value, without fields that the text leaves out. `missing` is a left-out part without which a history is not complete. */
function literalHistories(
  { value, leftOut }: Pick<Literal, 'value' | 'leftOut'>,
  parse: Parse,
): { readonly found: readonly FoundHistory[]; readonly missing?: LeftOut; readonly fields: readonly string[] } {
  const found = historiesIn(value, parse)
  if (leftOut === undefined) return { found, fields: [] }
  const whole = found.map(withoutLeftOut)
  const kept = whole.flatMap(({ history }) => history ?? [])
  const fields = [...new Set(whole.flatMap(one => one.fields))]
  const missing = (whole.find(({ history }) => history === undefined) ?? whole.find(({ first }) => first))?.first
  if (missing !== undefined) return { found: kept, missing, fields }
  return kept.length > 0 ? { found: kept, fields } : { found: kept, missing: leftOut, fields }
}

/** A value that breaks off is not searched for complete values inside. If it is not valid JSON up to the same place, the JSON reader reports that. */
function unreadable(text: string, { at, message }: LiteralError): NotUnwrapped {
  const json = findSyntaxError(text)
  if (json === undefined || json.at >= at) return { problem: '' }
  return { problem: placed(text, { at, message }) }
}

function placed(text: string, { at, message }: Pick<LiteralError, 'at' | 'message'>): string {
  const { line, column } = lineAndColumn(text, at)
  return `line ${line}, column ${column}: ${message}`
}

/** Whether a value with content begins here, rather than a bracket of prose. */
function beginsValue(text: string, at: number): boolean {
  valueStart.lastIndex = at
  return valueStart.test(text)
}

const valueStart = /[[{]\s*["'[{]/y

/** The code blocks of a Markdown text. */
function unwrapFences(text: string, parse: Parse, depth: number): Unwrapped | NotUnwrapped | undefined {
  const blocks = fences(text).slice(0, blocksMax)
  let problem: NotUnwrapped | undefined
  const found = blocks.flatMap((block, index) => {
    const whole = attempt(() => parse(block)) ?? attempt(() => parse(`[${block.trim().split('\n').join(',')}]`))
    if (isBody(whole) || isHistory(whole)) return [{ value: whole, at: `block ${index + 1}`, path: [] }]
    const inner = unwrap(block, parse, depth + 1)
    if (inner && !('found' in inner)) problem = inner
    return inner && 'found' in inner
      ? inner.found.map(one => ({ ...one, at: joined(`block ${index + 1}`, one.at) }))
      : []
  })
  return found.length > 0 ? unwrapped('Markdown', found) : problem
}

const blocksMax = 1_000

function fences(text: string): string[] {
  const blocks: string[] = []
  let open: { readonly mark: string; readonly lines: string[] } | undefined
  for (const line of text.split('\n')) {
    const [, mark] = /^\s{0,8}(`{3,}|~{3,})/.exec(line) ?? []
    if (open && mark?.startsWith(open.mark) && line.trim() === mark) {
      blocks.push(open.lines.join('\n'))
      open = undefined
    } else if (open) open.lines.push(line)
    else if (mark !== undefined) open = { mark, lines: [] }
  }
  return open ? [...blocks, open.lines.join('\n')] : blocks
}

/**
 * Values with text around them, such as log lines and code: every bracket may begin one. A value that breaks off is passed over as a whole.
 * The characters read in failed attempts are limited to a few times the length of the text.
 */
function unwrapProse(text: string, parse: Parse): Unwrapped | NotUnwrapped | undefined {
  const found: FoundHistory[] = []
  let problem: string | undefined
  let escapesLeft = escapesMax
  let budget = 4 * text.length + 200_000
  const lineOf = lineCounter(text)
  for (let at = nextBracket(text, 0); at < text.length && budget > 0; ) {
    if (!mayBegin(text, at)) {
      at = nextBracket(text, at + 1)
      continue
    }
    const escaped = escapesLeft > 0 ? escapedValue(text, at, parse) : undefined
    if (escaped && escaped.value === undefined) escapesLeft--
    else if (escaped) {
      for (const one of historiesIn(escaped.value, parse))
        found.push({ ...one, at: joined(`line ${lineOf(at)}`, one.at) })
      at = nextBracket(text, escaped.end)
      continue
    }
    const start = text[at] === '(' ? nameBefore(text, at) : at
    const literal = literalAt(text, start, parse)
    if (!(literal instanceof LiteralError)) {
      const inside = literalHistories(literal, parse)
      for (const one of inside.found) found.push({ ...one, at: joined(`line ${lineOf(start)}`, one.at) })
      const { missing } = inside
      if (missing && (inside.found.length > 0 || beginsValue(text, at)))
        problem ??= `${withoutFields(inside.fields)}line ${lineOf(start)}: ${LeftOut.reason(missing)}`
      at = nextBracket(text, Math.max(literal.end, at + 1))
      continue
    }
    const isTooDeep = literal.message === tooDeep
    const isValue = beginsValue(text, at)
    budget -= literal.end - start + (isTooDeep ? deepCost : attemptCost)
    if (isValue) problem ??= `a value begins on line ${lineOf(start)} and cannot be read: ${literal.message}`
    at = nextBracket(text, isValue || isTooDeep ? Math.max(literal.at, at + 1) : at + 1)
    if (budget <= 0 && at < text.length) problem ??= `it was not searched after line ${lineOf(at)}`
  }
  if (found.length === 0) return problem === undefined ? undefined : { problem: /^[[{]/.test(text) ? '' : problem }
  const result = unwrapped('text', found)
  return result && problem !== undefined ? { ...result, problem } : result
}

/** The value that begins at a place, or why there is none. */
function literalAt(text: string, start: number, parse: Parse): ReturnType<typeof readLiteral> | LiteralError {
  try {
    return readLiteral(text, start, parse)
  } catch (error) {
    if (error instanceof LiteralError) return error
    throw error
  }
}

/** How many attempts to read a value with escaped quotes may fail. */
const escapesMax = 10

const historiesIn = (value: unknown, parse: Parse): FoundHistory[] =>
  isBody(value) || isHistory(value) ? [{ value, at: '', path: [] }] : findHistories(value, parse)

/**
 * What a failed attempt costs besides the characters that it has read: the exception costs as much as many of them. At the limit of depth, the
 * exception unwinds hundreds of calls.
 */
const [attemptCost, deepCost] = [200, 20_000]

/** Whether a value may begin with this bracket. Most brackets of prose and logs, as in `[INFO]`, are followed by a word only. */
function mayBegin(text: string, at: number): boolean {
  bracketStart.lastIndex = at
  return bracketStart.test(text)
}

const bracketStart =
  /[[({]\s{0,1000}(?:[^\w\s$]|\d|(?:true|false|null|none|nil|undefined)\b|[A-Za-z_$][\w$.]{0,300}\s{0,100}[({"'`=:])/iy

/** Counts lines at places that only go up. */
function lineCounter(text: string): (at: number) => number {
  let line = 1
  let next = text.indexOf('\n')
  return at => {
    for (; next >= 0 && next < at; next = text.indexOf('\n', next + 1)) line++
    return line
  }
}

function nextBracket(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '{' && text[at] !== '[' && text[at] !== '(') at++
  return at
}

/** Where the name before a parenthesis begins. */
function nameBefore(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < nameMax && /[\w.$]/.test(text.charAt(start - 1))) start--
  return start
}

const nameMax = 100

/** The histories are a series if their places differ only in numbers. */
function unwrapped(kind: string, found: readonly FoundHistory[]): Unwrapped | undefined {
  if (found.length === 0) return undefined
  const places = new Set(found.map(({ at }) => at.replace(/\[\d+\]|^\w+ \d+/g, '')))
  return { found, kind, isSeries: places.size === 1 }
}

const joined = (outer: string, inner: string): string => (inner === '' ? outer : `${outer}, ${inner}`)

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
