import { type CallPart, isRecord, type Part, type ResultPart } from '../../../core/conversation.ts'
import { objectsIn, type RecordContent, type RecordFields } from '../../record-format.ts'
import { partOf } from '../qwen-code/record-contents.ts'

/** What a message says, and the results that it holds itself. */
export interface MessageContents {
  readonly recordContents: readonly RecordContent[]
  /** Results in `toolCalls`. The program writes each of them a second time, as a user message. */
  readonly own: readonly ResultPart[]
  /** It has calls or results in `toolCalls`. */
  readonly listsCalls: boolean
}

/**
 * The contents of a message that are sent. `raw` of a part is its index in the content, or a negative number that counts
 * down from -1 through `toolCalls`.
 */
export function messageContents(message: RecordFields): MessageContents {
  const parts = partsIn(message.content).map(namedPart)
  if (message.type === 'user')
    return { recordContents: isIgnored(message) ? [] : userContents(parts), own: [], listsCalls: false }
  if (message.type !== 'gemini') return { recordContents: [], own: [], listsCalls: false }
  const listed = listedCalls(message)
  const calls = parts.some(({ kind }) => kind === 'call') ? [] : listed.map(callOf)
  const recordContents = [...parts, ...calls]
  const own = listed.flatMap((call, index) =>
    resultParts(call).flatMap(part => {
      const result = namedPart(part, listedRaw(index))
      return result.kind === 'result' ? [result] : []
    }),
  )
  return {
    recordContents: recordContents.length === 0 ? [] : [{ role: 'assistant', parts: recordContents }],
    own,
    listsCalls: listed.length > 0,
  }
}

function userContents(parts: readonly Part[]): RecordContent[] {
  const results = parts.filter(({ kind }) => kind === 'result')
  const words = parts.filter(({ kind }) => kind !== 'result')
  return [
    ...results.map((part): RecordContent => ({ role: 'tool', parts: [part] })),
    ...(words.length > 0 ? [{ role: 'user' as const, parts: words }] : []),
  ]
}

/** A result with its name, by which results without an id are paired. */
function namedPart(part: unknown, raw: number): Part {
  const read = partOf(part, raw)
  if (read.kind !== 'result' || !isRecord(part) || !isRecord(part.functionResponse)) return read
  const { name } = part.functionResponse
  return typeof name === 'string' ? { ...read, name } : read
}

const callOf = (call: RecordFields, index: number): CallPart => ({
  kind: 'call',
  id: typeof call.id === 'string' ? call.id : '',
  name: String(call.name),
  input: {},
  callKind: 'function',
  by: 'client',
  raw: listedRaw(index),
})

const listedRaw = (index: number): number => -1 - index

/** The program does not send commands and the context that it writes anew at each start. */
const isIgnored = ({ content }: RecordFields): boolean => {
  const parts = partsIn(content)
  if (parts.some(part => isRecord(part) && 'functionResponse' in part)) return false
  const text = parts.map(part => (isRecord(part) && typeof part.text === 'string' ? part.text : '[]')).join('')
  return /^(?:$|\/|\?|<session_context>|<hook_context>)/.test(text.trim())
}

/** The content of a message as a list of parts. */
export function partsIn(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
  if (Array.isArray(content)) return content.map(asPart)
  return isRecord(content) ? [content] : []
}

const asPart = (part: unknown): unknown => (typeof part === 'string' ? { text: part } : part)

export const listedCalls = ({ toolCalls }: RecordFields): readonly RecordFields[] => objectsIn(toolCalls)

/** The parts of the result in an entry of `toolCalls`. */
export function resultParts({ id, name, result }: RecordFields): readonly unknown[] {
  if (typeof result === 'string')
    return result === '' ? [] : [{ functionResponse: { id, name, response: { output: result } } }]
  return partsIn(result)
}

/** The same part with its full text or input, for display. */
export function filledPart(message: RecordFields, part: Part): Part {
  const raw = part.raw as number
  const { content } = message
  // The whole content is not read again for each of its parts.
  const own =
    raw < 0
      ? { functionCall: listedCalls(message)[-1 - raw] }
      : Array.isArray(content)
        ? asPart(content[raw])
        : partsIn(content)[raw]
  if (!isRecord(own)) return part
  if (part.kind === 'call' && isRecord(own.functionCall)) return { ...part, input: own.functionCall.args ?? {} }
  if (part.kind === 'other') return { ...part, raw: own }
  const isText = part.kind === 'text' || part.kind === 'reasoning'
  return isText && 'text' in own && typeof own.text === 'string' ? { ...part, text: own.text } : part
}
