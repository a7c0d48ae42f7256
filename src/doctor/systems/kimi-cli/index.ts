import { createHash } from 'node:crypto'
import { basename, dirname, join, resolve } from 'node:path'
import { isRecord, type Part, type ResultPart } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { examineLinked } from '../../linked/examine-linked.ts'
import type { LinkedFormat } from '../../linked/linked-format.ts'
import type { Peek } from '../../peek.ts'
import { objectsIn, type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'
import type { System } from '../../system.ts'
import { titled, titleInJson } from '../../titles/stored-title.ts'

/** Sessions of kimi-cli: lines of chat messages, with notes of the program between them. */
export const kimiCli: System = {
  id: 'kimi-cli',
  title: 'kimi-cli',
  places: ({ home, folder, environment: { KIMI_SHARE_DIR: own } }) => [
    join(own ? resolve(folder, own) : join(home, '.kimi'), 'sessions'),
  ],
  recognises,
  program: { processes: [{ names: ['kimi', 'kimi-cli', 'kimi_cli'], worksIn }] },
  async open(path) {
    const folder = dirname(resolve(path))
    const conversation = {
      id: basename(folder),
      ...titled(titleInJson([folder, 'state.json'], 'custom_title')),
      examine: async () => examineLinked(path, kimiFormat),
    }
    return { conversations: () => [conversation], close: () => undefined }
  },
}

/** Recognised by its notes. Files of older generations (`context_1.jsonl`) are not read by the program any more. */
function recognises(peek: Peek): boolean {
  if (peek.kind !== 'file' || peek.name !== 'context.jsonl') return false
  return peek
    .headText()
    .split('\n', linesMax)
    .some(line => {
      const value = tryParseJson(line)
      return isRecord(value) && notes.has(value.role)
    })
}

/** The folder of a project's sessions is named after the hash of its path. */
function worksIn(path: string): (folder: string) => boolean {
  const hash = basename(dirname(dirname(resolve(path))))
  return folder => createHash('md5').update(folder).digest('hex') === hash
}

const linesMax = 50
const notes = new Set<unknown>(['_system_prompt', '_usage', '_checkpoint'])

const kimiFormat: LinkedFormat = {
  dialect: 'moonshot',
  isList: true,
  keys: { isLinked: ({ role }) => typeof role === 'string' },
  readPath: () => ({ contents: contentsOf }),
  fill: (message, part) =>
    part.kind === 'call'
      ? { ...part, input: functionOf(callsOf(message)[part.raw as number]).arguments }
      : part.kind === 'text'
        ? { ...part, text: textOf(message.content) }
        : part,
  write(message, parts) {
    const [first] = parts
    if (first?.kind === 'result') return { ...message, tool_call_id: first.id }
    const old = callsOf(message)
    const calls = parts.flatMap(part => (part.kind === 'call' ? [{ ...old[part.raw as number], id: part.id }] : []))
    if (calls.length > 0) return { ...message, tool_calls: calls }
    const { tool_calls: _, ...rest } = message
    return rest
  },
  answer: (call, _, { content }) => ({
    role: 'tool',
    content: `<system>ERROR: ${String(content)}</system>`,
    tool_call_id: call.id,
  }),
}

function contentsOf(message: RecordFields): readonly RecordContent[] {
  const { role, content } = message
  if (role === 'tool') return [{ role: 'tool', parts: [resultOf(message)] }]
  if (role !== 'user' && role !== 'assistant') return []
  const text = textOf(content)
  const parts: Part[] = [
    ...(text !== '' ? [{ kind: 'text' as const, text: shortContent(text), raw: -1 }] : []),
    ...(text === '' && Array.isArray(content) && content.length > 0 ? [{ kind: 'other' as const, raw: -1 }] : []),
    ...callsOf(message).map((call, raw) => ({
      kind: 'call' as const,
      id: String(call.id ?? ''),
      name: String(functionOf(call).name),
      input: {},
      callKind: 'function',
      by: 'client' as const,
      raw,
    })),
  ]
  return parts.length === 0 ? [] : [{ role, parts }]
}

const resultOf = ({ tool_call_id: id, content }: RecordFields): ResultPart => ({
  kind: 'result',
  id: String(id ?? ''),
  content: shortContent(textOf(content).replace(/^<system>(ERROR: )?([\s\S]*)<\/system>$/, '$2')),
  callKind: 'function',
  by: 'client',
  raw: 0,
})

const callsOf = ({ tool_calls: calls }: RecordFields): readonly RecordFields[] => objectsIn(calls)

const functionOf = (call: RecordFields | undefined): RecordFields => (isRecord(call?.function) ? call.function : {})

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(part => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('\n')
}
