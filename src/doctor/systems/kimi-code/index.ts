import { createHash } from 'node:crypto'
import { basename, dirname, join, resolve } from 'node:path'
import { isRecord, type Part } from '../../../core/conversation.ts'
import { examineLinked } from '../../linked/examine-linked.ts'
import type { Correction, LinkedFormat, PathReading, PathRecords } from '../../linked/linked-format.ts'
import { type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'
import type { System } from '../../system.ts'
import { titled, titleInJson } from '../../titles/stored-title.ts'

/** Sessions of Kimi Code: the log of each agent. */
export const kimiCode: System = {
  id: 'kimi-code',
  title: 'Kimi Code',
  places: ({ home, folder, environment: { KIMI_CODE_HOME: own } }) => [
    join(own ? resolve(folder, own) : join(home, '.kimi-code'), 'sessions'),
  ],
  recognises(peek) {
    if (peek.kind !== 'file' || !peek.name.endsWith('.jsonl')) return false
    const first = peek.firstLine()
    return isRecord(first) && first.type === 'metadata' && /^1\.[1-5]$/.test(String(first.protocol_version))
  },
  program: { processes: [{ names: ['kimi', 'kimi-code', '@moonshot-ai/kimi-code'], worksIn }] },
  async open(path) {
    const agent = dirname(resolve(path))
    const session = basename(dirname(dirname(agent)))
    const id = basename(agent) === 'main' ? session : `${session}/${basename(agent)}`
    const title = id === session ? titleInJson([dirname(dirname(agent)), 'state.json'], 'title') : undefined
    const conversation = { id, ...titled(title), examine: async () => examineLinked(path, kimiCodeFormat) }
    return { conversations: () => [conversation], close: () => undefined }
  },
}

/** The folder of a project's sessions ends with a hash of its path: `wd_<name>_<12 digits>`. */
function worksIn(path: string): (folder: string) => boolean {
  const hash = /\bwd_[^/\\]*_([\da-f]{12})[/\\]/.exec(resolve(path))?.[1]
  return folder => createHash('sha256').update(folder).digest('hex').slice(0, 12) === hash
}

const kimiCodeFormat: LinkedFormat = {
  dialect: 'moonshot',
  isList: true,
  keys: { isLinked: ({ type }) => typeof type === 'string', refusesBadLines: true },
  readPath: readWire,
  fill(record, part) {
    const event = eventOf(record)
    if (part.kind === 'call') return { ...part, input: event.args ?? {} }
    const own = isRecord(event.part) ? (event.part.text ?? event.part.think) : undefined
    return (part.kind === 'text' || part.kind === 'reasoning') && typeof own === 'string'
      ? { ...part, text: own }
      : part
  },
  write(record, parts) {
    const [first] = parts
    const event = eventOf(record)
    if (first?.kind === 'result') return { ...record, event: { ...event, parentUuid: first.id, toolCallId: first.id } }
    return first?.kind === 'call' ? { ...record, event: { ...event, uuid: first.id, toolCallId: first.id } } : record
  },
  answer: (call, { time }) => ({
    type: 'context.append_loop_event',
    event: {
      type: 'tool.result',
      parentUuid: call.id,
      toolCallId: call.id,
      result: { output: interrupted, isError: true },
    },
    ...(time !== undefined && { time }),
  }),
}

/** The text that Kimi Code itself stores for a call whose result was not recorded. */
const interrupted =
  'Tool execution was interrupted before its result was recorded. Do not assume the tool completed successfully.'

const eventOf = ({ type, event }: RecordFields): RecordFields =>
  type === 'context.append_loop_event' && isRecord(event) ? event : {}

/**
 * What the log adds to the context since it was last cleared. A part of a step that never began stops the program. A
 * message that arrives while results are awaited is held until the last of them.
 */
function readWire({ count, value }: PathRecords): PathReading {
  let from = 0
  const begun = new Set<unknown>()
  const corrections: Correction[] = []
  const awaited = new Set<string>()
  let held: number[] = []
  /** The held messages, and the results that they follow. */
  const heldMessages = new Set<number>()
  const heldUntil = new Map<number, readonly number[]>()
  for (let record = 0; record < count; record++) {
    const entry = value(record)
    const event = eventOf(entry)
    if (entry.type === 'context.clear') from = record
    if (entry.type === 'context.clear' || event.type === 'step.begin') {
      awaited.clear()
      held = []
    }
    if (entry.type === 'context.append_message' && awaited.size > 0) held.push(record)
    if (event.type === 'tool.call') awaited.add(String(event.toolCallId))
    if (event.type === 'tool.result' && awaited.delete(String(event.toolCallId)) && awaited.size === 0) {
      heldUntil.set(record, held)
      for (const message of held) heldMessages.add(message)
      held = []
    }
    if (event.type === 'step.begin') begun.add(event.uuid)
    else if (belongsToStep.has(event.type) && typeof event.stepUuid === 'string' && !begun.has(event.stepUuid)) {
      begun.add(event.stepUuid)
      corrections.push(beginning(record))
    }
  }
  return {
    contents(entry, record) {
      if (record < from || heldMessages.has(record)) return []
      const messages = heldUntil.get(record) ?? []
      return [...contentsOf(entry), ...messages.flatMap(message => contentsOf(value(message)))]
    },
    corrections,
  }
}

const belongsToStep = new Set<unknown>(['content.part', 'tool.call'])

const beginning = (record: number): Correction => ({
  record,
  before: entry => {
    const { stepUuid: uuid, turnId, step } = eventOf(entry)
    const { time } = entry
    const event = { type: 'step.begin', uuid, ...{ turnId, step } }
    return { type: 'context.append_loop_event', event, ...(time !== undefined && { time }) }
  },
  repair: at => ({
    rule: 'missing-step',
    severity: 'error',
    edits: [],
    at,
    message: 'the record belongs to a step whose beginning was lost, so the program does not open the session',
    help: 'insert the beginning of the step (synthetic)',
    class: 'synthetic',
  }),
})

function contentsOf(record: RecordFields): readonly RecordContent[] {
  if (record.type === 'context.append_message') {
    const { message } = record
    const role = isRecord(message) ? message.role : undefined
    if (role !== 'user' && role !== 'assistant') return []
    const text = textOf(isRecord(message) ? message.content : undefined)
    return [{ role, parts: [{ kind: 'text', text: shortContent(text), raw: 0 }] }]
  }
  const event = eventOf(record)
  const id = String(event.toolCallId ?? '')
  const step = String(event.stepUuid ?? '')
  if (event.type === 'content.part') return [{ role: 'assistant', parts: [partOf(event.part)], step }]
  if (event.type === 'tool.call') {
    const name = String(event.name)
    return [
      {
        role: 'assistant',
        parts: [{ kind: 'call', id, name, input: {}, callKind: 'function', by: 'client', raw: 0 }],
        step,
      },
    ]
  }
  if (event.type !== 'tool.result') return []
  const result = isRecord(event.result) ? event.result : {}
  const error = result.isError === true && { error: true as const }
  const content = shortContent(textOf(result.output))
  return [
    { role: 'tool', parts: [{ kind: 'result', id, content, callKind: 'function', by: 'client', raw: 0, ...error }] },
  ]
}

function partOf(part: unknown): Part {
  if (!isRecord(part)) return { kind: 'other', raw: 0 }
  if (part.type === 'text') return { kind: 'text', text: shortContent(String(part.text)), raw: 0 }
  return part.type === 'think' ? { kind: 'reasoning', text: '', signed: true, raw: 0 } : { kind: 'other', raw: 0 }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(part => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('\n')
}
