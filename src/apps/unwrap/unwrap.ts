import { isRecord } from '../../core/conversation.ts'
import { findSyntaxError, lineAndColumn } from '../../doctor/files/json-syntax-error.ts'
import { readBody } from '../../heal/request/request-body.ts'
import { findHistories, findTexts, isBody, isHistory, mayHoldHistory } from './find-histories.ts'
import { beginsValue, markdownCodeBlocks } from './find-values.ts'
import {
  type JoinedParts,
  joinParts,
  type NotUnwrapped,
  type Part,
  type Unwrapped,
  unwrappedFrom,
  withoutFields,
  withProblem,
} from './found-parts.ts'
import { LeftOut } from './left-out.ts'
import { historiesIn, type Inside, literalHistories } from './literal-histories.ts'
import { commandsMax, findCurl, isAddress, readCurl } from './read-curl.ts'
import { escapedValue, textOfBase64, withoutColors, withoutMargin } from './read-escaped.ts'
import { type Literal, LiteralError, readLiteral } from './read-literal.ts'
import { readPowerShell } from './read-powershell.ts'
import { leaveOutExpansions } from './shell-expansions.ts'
import { unwrapProse } from './unwrap-prose.ts'

export type { NotUnwrapped, Unwrapped } from './found-parts.ts'

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
  if (escaped && escaped.end === trimmed.length) return unwrappedFrom('escaped JSON', historiesIn(escaped.value, parse))
  if (/^(?:[$>%#]\s+)?curl(?:\.exe)?\s/.test(trimmed)) return unwrapCurl(trimmed, parse)
  const command = readPowerShell(trimmed)
  if (command) return oneRequest('a PowerShell command', command, parse)
  return (
    unwrapLines(trimmed, parse) ??
    unwrapLiteral(trimmed, parse, depth) ??
    unwrapFences(trimmed, parse, depth) ??
    (findCurl(trimmed)
      ? unwrapCurl(trimmed, parse)
      : unwrapProse(trimmed, parse, inner => unwrapInner(inner, parse, depth + 1)))
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
  const whole = findHistories(value, parse)
  const { found, problem } = whole.length > 0 ? { found: whole } : inTexts(value, parse, depth)
  return withProblem(unwrappedFrom(kind, found), problem)
}

/** The histories in the texts of a record, as in the `message` of a log record. */
function inTexts(value: unknown, parse: Parse, depth: number): JoinedParts {
  const texts = findTexts(value)
  const parts = texts
    .slice(0, textsMax)
    .map(({ text, at }) => ({ at: at === '' ? 'text' : at, inner: unwrapInner(text, parse, depth + 1) }))
  return joinParts(parts, texts.length > textsMax ? `it was not searched after ${texts[textsMax]?.at}` : undefined)
}

const textsMax = 10_000

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
  const parts: Part[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const value = /^\s*[[{]/.test(line) ? attempt(() => parse(line)) : undefined
    if (value === undefined) return undefined
    const whole = findHistories(value, parse)
    const { found, problem } = whole.length > 0 ? { found: whole } : inTexts(value, parse, 1)
    const inner = withProblem({ found, kind: 'a record', isSeries: true }, problem)
    parts.push({ at: `line ${index + 1}`, inner })
  }
  const { found, problem } = joinParts(parts)
  return found.length === 0 ? undefined : withProblem({ found, kind: 'JSON lines', isSeries: true }, problem)
}

function unwrapCurl(text: string, parse: Parse): Unwrapped | NotUnwrapped | undefined {
  const commands = readCurl(text)
  const [first] = commands
  if (first && commands.length === 1) return oneRequest(first.kind, first, parse)
  const parts = commands
    .slice(0, commandsMax)
    .map((command, index) => ({ at: `command ${index + 1}`, inner: requestIn(command.kind, command, parse) }))
  const cut = commands.length > commandsMax ? `it was not read after command ${commandsMax}` : undefined
  const { found, problem } = joinParts(parts, cut)
  if (found.length > 0) return withProblem({ found, kind: 'curl commands', isSeries: true }, problem)
  return problem === undefined ? undefined : { problem }
}

interface CopiedRequest {
  readonly url: string | undefined
  readonly body: string | undefined
  readonly file?: string
  readonly variable?: string
}

function oneRequest(kind: string, command: CopiedRequest, parse: Parse): Unwrapped | NotUnwrapped {
  const request = requestIn(kind, command, parse)
  if (request) return request
  return command.body === undefined
    ? { problem: `${kind} without a body`, hint: 'copy the command with its --data' }
    : { problem: `the body of ${kind} contains no history` }
}

/** Undefined for a command that sends no history, as far as its text says. */
function requestIn(
  kind: string,
  { url, body, file, variable }: CopiedRequest,
  parse: Parse,
): Unwrapped | NotUnwrapped | undefined {
  if (file !== undefined)
    return {
      problem: `the body of ${kind} is in another file`,
      hint: `pass that file: ${file === '-' ? 'standard input' : file}`,
    }
  if (variable !== undefined)
    return {
      problem: `the body of ${kind} is the variable ${variable}`,
      hint: 'add the line that sets it, or its value',
    }
  if (body === undefined) return undefined
  const { found, missing, fields } = histories(body, parse)
  const result = unwrappedFrom(
    kind,
    found.map(one => ({ ...one, ...sentTo(url) })),
  )
  if (missing !== undefined) {
    const problem = `${withoutFields(fields)}${LeftOut.reason(missing)}`
    return result ? { ...result, problem } : { problem, hint: 'write the value there' }
  }
  if (result || attempt(() => parse(body)) !== undefined) return result
  return { problem: `the body of ${kind} is not JSON`, hint: 'a quote in it may have ended the string early' }
}

/** Another word of a command may be a password. */
const sentTo = (url: string | undefined): { url?: string } => (url !== undefined && isAddress(url) ? { url } : {})

/** The histories in the body of a request. One that is plain text in a field of its own is a history too. */
function histories(body: string, parse: Parse): Inside {
  const value = attempt(() => parse(body))
  const leftOut = leaveOutExpansions(value, body)
  if (leftOut) return literalHistories({ value, leftOut }, parse)
  if (value !== undefined && readBody(value)) return { found: [{ value, at: '', path: [] }], fields: [] }
  if (value !== undefined) return { found: findHistories(value, parse), fields: [] }
  const printed = /^\s*[[{]\s*'/.test(body) ? unwrapLiteral(body.trim(), parse) : undefined
  return { found: printed && 'found' in printed ? printed.found : [], fields: [] }
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
  const result = unwrappedFrom(kind, found)
  if (missing === undefined)
    return result ?? (/^\w/.test(text) ? { problem: `${kind} that holds no history` } : undefined)
  const error = new LiteralError(LeftOut.place(missing), LeftOut.reason(missing))
  return result ? { ...result, problem: `${withoutFields(fields)}${placed(text, error)}` } : unreadable(text, error)
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

/** The code blocks of a Markdown text. */
function unwrapFences(text: string, parse: Parse, depth: number): Unwrapped | NotUnwrapped | undefined {
  const blocks = markdownCodeBlocks(text)
  let refused: NotUnwrapped | undefined
  const parts = blocks.slice(0, blocksMax).map((block, index): Part => {
    const at = `block ${index + 1}`
    const whole = attempt(() => parse(block)) ?? attempt(() => parse(`[${block.trim().split('\n').join(',')}]`))
    if (isBody(whole) || isHistory(whole)) return { at, inner: unwrappedFrom('', [{ value: whole, at: '', path: [] }]) }
    const inner = unwrap(block, parse, depth + 1)
    if (inner && !('found' in inner)) refused = inner
    // Most other blocks are code.
    return { at, inner: inner && ('found' in inner || mayHoldHistory(block)) ? inner : undefined }
  })
  const cut = blocks.length > blocksMax ? `it was not searched after block ${blocksMax}` : undefined
  const { found, problem } = joinParts(parts, cut)
  return found.length > 0 ? withProblem(unwrappedFrom('Markdown', found), problem) : refused
}

const blocksMax = 1_000

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
