import { type CallPart, isRecord, type Part, type ResultPart } from '../../../core/conversation.ts'
import type { PathReading, PathRecords } from '../../linked/linked-format.ts'
import { type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'
import { compressed, historyCorrections } from './compressed-history.ts'

/** What Qwen Code sends of a path: the history of its last compression, and what follows. */
export function readQwenPath({ count, value }: PathRecords): PathReading {
  let from = 0
  for (let record = count - 1; record > 0 && from === 0; record--) if (compressed(value(record))) from = record
  return {
    corrections: count === 0 ? [] : historyCorrections(value(from), from),
    contents(entry, record) {
      if (record < from) return []
      const history = record === from ? compressed(entry) : undefined
      return history ? openCalls(history.at(-1)) : recordContents(entry)
    },
  }
}

/** The calls at the end of a compressed history, which the records after it answer. */
function openCalls(content: unknown): readonly RecordContent[] {
  if (!isRecord(content) || content.role !== 'model' || !Array.isArray(content.parts)) return []
  const calls = content.parts.map(partOf).filter(({ kind }) => kind === 'call')
  return calls.length === 0 ? [] : [{ role: 'assistant', parts: calls }]
}

/** The contents of a record that the model sees. `raw` of a part is its index. */
export function recordContents({ type, message }: RecordFields): readonly RecordContent[] {
  if (type === 'system' || !isRecord(message) || !Array.isArray(message.parts)) return []
  const parts = message.parts.map(partOf)
  if (parts.length === 0) return []
  if (type === 'assistant') return [{ role: 'assistant', parts }]
  const results = parts.filter(({ kind }) => kind === 'result')
  const words = parts.filter(({ kind }) => kind !== 'result')
  return [
    ...results.map((part): RecordContent => ({ role: 'tool', parts: [part] })),
    ...(words.length > 0 ? [{ role: 'user' as const, parts: words }] : []),
  ]
}

/** A part of the Gemini API. */
export function partOf(part: unknown, raw: number): Part {
  if (!isRecord(part)) return { kind: 'other', raw }
  const { functionCall: call, functionResponse: response, text } = part
  if (isRecord(call))
    return {
      kind: 'call',
      id: idOf(call.id),
      name: String(call.name),
      input: {},
      callKind: 'function',
      by: 'client',
      raw,
    }
  if (isRecord(response)) return resultOf(response, raw)
  if (part.thought === true) return { kind: 'reasoning', text: '', signed: true, raw }
  return typeof text === 'string' ? { kind: 'text', text: shortContent(text), raw } : { kind: 'other', raw }
}

function resultOf({ id, response }: RecordFields, raw: number): ResultPart {
  const fields = isRecord(response) ? response : {}
  const error = fields.error !== undefined && { error: true as const }
  const output = fields.output ?? fields.error ?? response
  const content = shortContent(typeof output === 'string' ? output : (JSON.stringify(output) ?? ''))
  return { kind: 'result', id: idOf(id), content, callKind: 'function', by: 'client', raw, ...error }
}

const idOf = (id: unknown): string => (typeof id === 'string' ? id : '')

/** The same part with everything for display. */
export function filledPart({ message }: RecordFields, part: Part): Part {
  const list = isRecord(message) && Array.isArray(message.parts) ? message.parts : []
  const own: unknown = list[part.raw as number]
  if (!isRecord(own)) return part
  if (part.kind === 'call' && isRecord(own.functionCall)) return { ...part, input: own.functionCall.args ?? {} }
  if (part.kind === 'other') return { ...part, raw: own }
  return (part.kind === 'text' || part.kind === 'reasoning') && typeof own.text === 'string'
    ? { ...part, text: own.text }
    : part
}

/** A record with only these parts, perhaps with other ids. */
export function withParts(record: RecordFields, parts: readonly Part[]): RecordFields {
  const { message } = record
  if (!isRecord(message) || !Array.isArray(message.parts)) return record
  const old = message.parts
  const kept = parts.map(part => {
    const own: unknown = old[part.raw as number]
    if (!isRecord(own) || (part.kind !== 'call' && part.kind !== 'result')) return own
    const key = part.kind === 'call' ? 'functionCall' : 'functionResponse'
    const inner = own[key]
    return isRecord(inner) && inner.id !== part.id ? { ...own, [key]: { ...inner, id: part.id } } : own
  })
  return { ...record, message: { ...message, parts: kept } }
}

/** A new record for a placeholder result, with what its call says about the session. */
export function answerTo(call: CallPart, record: RecordFields, result: ResultPart): RecordFields {
  const text = String(result.content)
  const { sessionId, timestamp, cwd, version, gitBranch, agentId, isSidechain } = record
  const response = { id: call.id, name: call.name, response: { error: text } }
  return {
    uuid: '',
    parentUuid: null,
    sessionId,
    timestamp,
    type: 'tool_result',
    ...{ cwd, version },
    ...(gitBranch !== undefined && { gitBranch }),
    ...(agentId !== undefined && { agentId }),
    ...(isSidechain !== undefined && { isSidechain }),
    message: { role: 'user', parts: [{ functionResponse: response }] },
    toolCallResult: { callId: call.id, status: 'error', resultDisplay: text },
  }
}
