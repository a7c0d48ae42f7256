import type { CodecId } from '../../codecs/index.ts'
import { isRecord } from '../../core/conversation.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import { historyFields, readBody } from '../../heal/request/request-body.ts'
import { fileError } from './file-error.ts'
import { isLines, splitLines, type TextLine } from './lines.ts'
import { type Parse, parseJson } from './parse-json.ts'
import { readSource, type SourceText } from './source.ts'
import { bodyOfTape } from './tape-source.ts'

/** A history as it was given: a list, a list inside a request body, or one message per line. */
export interface Input extends SourceText {
  readonly kind: 'list' | 'body' | 'lines'
  readonly history: readonly unknown[]
  /** The key of the request body that holds the history. */
  readonly key?: string
  /** The lines that hold the messages, one each. */
  readonly lines?: readonly TextLine[]
  readonly model?: string
  /** The body continues a conversation that the provider stores. */
  readonly continues?: true
  /** The format that the body itself indicates, where its messages fit several. */
  readonly formatHint?: CodecId
  /** The provider it was sent to, if its container names it. */
  readonly for?: DialectId
  /** The file that it was taken out of: a tape, or anything else that holds requests. */
  readonly container?: string
}

/** The file that it came from, as programs name it. */
export const inputPath = ({ path, container }: Input): string => path ?? container ?? '-'

/** Reads a file, or standard input for `-`. Throws a one-line error if it is not a history. */
export const readInput = async (file: string, parse?: Parse): Promise<Input> =>
  inputIn(bodyOfTape(await readSource(file)), parse)

/** The same for text that was already read. */
export function inputIn(source: SourceText, parse: Parse = JSON.parse): Input {
  if (isLines(source.text)) return readLines(source, parse)
  const value = parseJson(source.text, source.name, parse)
  if (Array.isArray(value)) return { ...source, kind: 'list', history: value }
  if (!isRecord(value)) throw fileError(source.name, `it is ${sortOf(value)}, not a history`, takes)
  const isMessage = typeof value.role === 'string' || typeof value.type === 'string'
  if (isMessage && readBody(value) === undefined && !source.text.trim().includes('\n')) return readLines(source, parse)
  return { ...source, ...inBody(value, source.name) }
}

const takes = 'pass a list of messages, a request body, or one message per line'

function readLines(source: SourceText, parse: Parse): Input {
  const lines = splitLines(source.text)
  const history = lines.map(({ text, number }) => {
    const message = parseJson(text, source.name, parse, number)
    const key = isRecord(message) && message.role === undefined ? readBody(message)?.key : undefined
    if (key !== undefined && !isItem(message, key))
      throw fileError(`${source.name}:${number}`, `the line holds a whole request, with "${key}"`, takes)
    return message
  })
  return { ...source, kind: 'lines', history, lines }
}

/** An item of the Responses API, such as a call of a custom tool, may have a text where a request has its history. */
const isItem = (value: unknown, key: string): boolean =>
  isRecord(value) && typeof value.type === 'string' && !Array.isArray(value[key]) && value.type !== 'response.create'

function inBody(value: Record<string, unknown>, name: string): Omit<Input, keyof SourceText> {
  const body = readBody(value)
  if (!body && (isRecord(value.error) || typeof value.error === 'string'))
    throw fileError(name, 'it is an error of a provider, not a history', 'antiphon explain says what it means')
  if (!body) throw fileError(name, `it is an object with none of the fields ${historyFields.join(', ')}`, takes)
  const { key, history, model, continues, format: formatHint } = body
  const isBare = key === 'input' && typeof history === 'string'
  if (!Array.isArray(history) && !isBare)
    throw fileError(name, `its "${key}" is ${sortOf(history)}, not a list of messages`)
  return {
    kind: 'body',
    key,
    history: isBare ? [] : (history as unknown[]),
    ...(model === undefined ? {} : { model }),
    ...(continues ? { continues } : {}),
    ...(formatHint === undefined ? {} : { formatHint }),
  }
}

const sortOf = (value: unknown): string =>
  value === null ? 'null' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
