import { type CallPart, isRecord, type Part, type ResultPart } from '../../../core/conversation.ts'
import type { LineFormat } from '../../examine-lines.ts'
import { type RecordContent, type RecordFields, shortContent, storeFormat } from '../../record-format.ts'

/**
 * How `FileHistoryProvider` stores a session: one message per line, with its text, calls and results as a list of
 * contents.
 */
export const historyFormat = (
  lineOf: (record: number) => number,
  messageKeys: ReadonlyMap<string, string>,
): LineFormat => ({
  format: storeFormat({
    root: 'history',
    input: 'text',
    locate: ({ origin = 0 }, part) => `line ${lineOf(part?.slot ?? origin)}`,
  }),
  dialect: 'openai',
  read: entry => recordContents(entry, messageKeys),
  fill,
  write,
  answer,
})

/** The framework's own result for a call that a person rejected. */
export const rejected = 'Error: Tool call invocation was rejected by user.'

/**
 * The content of a message that a model sees: approvals are between the framework and a person. A decision directly
 * after its calls counts as part of their step, so that results stay after it. Parts know their index in the contents.
 */
function recordContents(entry: unknown, messageKeys: ReadonlyMap<string, string>): RecordContent[] {
  if (!isRecord(entry)) return []
  const role = roleOf(entry)
  const contents = contentsOf(entry)
  const results = contents.flatMap((content, index) => (isResult(content) ? [resultContent(content, index)] : []))
  if (role !== 'assistant' && role !== 'user' && role !== 'system') return results
  const keys = contents.map(content => messageKeyIn(content, messageKeys))
  const step = keys.find(key => key !== undefined)
  const decided = contents.flatMap((content, index): Part[] =>
    keys[index] !== undefined && isDecision(content) ? [{ kind: 'other', raw: index }] : [],
  )
  const parts = contents.flatMap(partsOf)
  const inStep = step === undefined ? {} : { step }
  const found: RecordContent[] = []
  if (decided.length > 0) found.push({ role: 'assistant', parts: decided, ...inStep })
  if (parts.length > 0) found.push({ role, parts, ...(role === 'assistant' ? inStep : {}) })
  return [...found, ...results]
}

/** A person's decision. */
export const isDecision = (content: unknown): boolean =>
  isRecord(content) && content.type === 'function_approval_response'

/** Identifies the step of a request or a decision. */
function messageKeyIn(content: unknown, messageKeys: ReadonlyMap<string, string>): string | undefined {
  const call = isRecord(content) && content.type !== 'function_call' ? content.function_call : undefined
  return isRecord(call) ? messageKeys.get(idOf(call)) : undefined
}

/** The first releases wrote a role as an object. */
function roleOf({ role }: RecordFields): unknown {
  const name = isRecord(role) ? role.value : role
  return name === 'developer' ? 'system' : name
}

const contentsOf = ({ contents }: RecordFields): unknown[] => (Array.isArray(contents) ? contents : [])

const isResult = (content: unknown): content is RecordFields => isRecord(content) && content.type === 'function_result'

const idOf = ({ call_id }: RecordFields): string => (typeof call_id === 'string' ? call_id : '')

function partsOf(content: unknown, index: number): Part[] {
  if (!isRecord(content) || silent.has(content.type)) return []
  if (content.type === 'text')
    return [{ kind: 'text', text: typeof content.text === 'string' ? shortContent(content.text) : '', raw: index }]
  if (content.type !== 'function_call') return [{ kind: 'other', raw: index }]
  const name = typeof content.name === 'string' ? content.name : ''
  return [{ kind: 'call', id: idOf(content), name, input: '{}', callKind: 'function', by: 'client', raw: index }]
}

function fill(entry: unknown, part: Part): Part {
  const content = isRecord(entry) ? contentsOf(entry)[part.raw as number] : undefined
  if (!isRecord(content)) return part
  if (part.kind === 'call') return { ...part, input: content.arguments ?? part.input }
  return part.kind === 'text' && typeof content.text === 'string' ? { ...part, text: content.text } : part
}

/** Contents that a model never sees, and results, are separate from the rest. */
const silent: ReadonlySet<unknown> = new Set([
  'function_result',
  'function_approval_request',
  'function_approval_response',
  'text_reasoning',
  'usage',
])

const resultContent = (content: RecordFields, index: number): RecordContent => ({
  role: 'tool',
  parts: [
    {
      kind: 'result',
      id: idOf(content),
      content: shortContent(textOf(content)),
      ...(typeof content.exception === 'string' ? { error: true as const } : {}),
      callKind: 'function',
      by: 'client',
      raw: index,
    },
  ],
})

function textOf({ result, items }: RecordFields): string {
  if (typeof result === 'string') return result
  const first = Array.isArray(items) ? items.find(isRecord) : undefined
  return typeof first?.text === 'string' ? first.text : ''
}

/** The message with only these contents. What a model never sees stays with the first of the split messages. */
function write(entry: unknown, parts: readonly Part[], copy: number): unknown {
  if (!isRecord(entry)) return entry
  const { message_id: _, ...nameless } = entry
  const kept = new Map(parts.map(part => [part.raw, part]))
  const contents = contentsOf(entry).flatMap((content, index) => {
    const part = kept.get(index)
    if (!part) return copy === 0 && isSilent(content) ? [content] : []
    return 'id' in part && isRecord(content) && part.id !== idOf(content)
      ? [{ ...content, call_id: part.id }]
      : [content]
  })
  const isOfResults = parts.length > 0 && parts.every(({ kind }) => kind === 'result')
  const role = isOfResults && roleOf(entry) !== 'tool' ? { role: toolRole(entry) } : {}
  return { ...(copy === 0 ? entry : nameless), ...role, contents }
}

const isSilent = (content: unknown): boolean => isRecord(content) && silent.has(content.type) && !isResult(content)

/** The role of results, spelled like the role of the message. */
export const toolRole = ({ role }: RecordFields): unknown => (isRecord(role) ? { ...role, value: 'tool' } : 'tool')

function answer({ id }: CallPart, entry: unknown, { content }: ResultPart): unknown {
  const { type = 'message', role, additional_properties: extra } = isRecord(entry) ? entry : ({} as RecordFields)
  return {
    type,
    role: toolRole({ role }),
    contents: [{ type: 'function_result', call_id: id, result: content }],
    ...(extra === undefined ? {} : { additional_properties: {} }),
  }
}
