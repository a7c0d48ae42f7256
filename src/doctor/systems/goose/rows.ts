import { isRecord, type Part } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { uuidFrom } from '../../linked/new-ids.ts'
import { type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'
import type { TimedRows } from '../../rows/timed-rows.ts'

/** The rows of a session. Results are in user messages. */
export const gooseRows = (session: string): TimedRows => ({
  dialect: 'anthropic',
  columns: {
    number: 'id',
    time: 'created_timestamp',
    content: 'content_json',
    more: ['role', 'timestamp', 'cast(metadata_json as text) as metadata_json'],
  },
  read,
  asks: blocks => blocks.some(({ type }) => type === 'toolConfirmationRequest' || type === 'actionRequired'),
  answer: ({ id }, { content }) => ({
    type: 'toolResponse',
    id,
    toolResult: { status: 'success', value: { content: [{ type: 'text', text: String(content) }], isError: true } },
  }),
  withId: (block, id) => (block.id === id ? block : { ...block, id }),
  insert(database, blocks, { fields }, time, seed) {
    const { timestamp, metadata_json } = fields as Record<string, string | number | null>
    const isAnswer = blocks.every(({ type }) => type === 'toolResponse')
    database
      .prepare(
        `insert into messages (message_id, session_id, role, content_json, created_timestamp, timestamp, metadata_json)
         values (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        `msg_${session}_${uuidFrom(session, seed)}`,
        session,
        isAnswer ? 'user' : String(fields.role),
        JSON.stringify(blocks),
        time,
        timestamp ?? null,
        metadata_json ?? null,
      )
  },
})

/** What the model sees of a row: nothing if it is hidden from the agent, or has a role that is not known. */
function read(blocks: readonly RecordFields[], row: RecordFields, isWhole: boolean): readonly RecordContent[] {
  const { role, metadata_json: metadata } = row
  const visible = typeof metadata === 'string' ? tryParseJson(metadata) : undefined
  if (isRecord(visible) && visible.agentVisible === false) return []
  const parts = blocks.flatMap((block, raw) => partOf(block, raw, isWhole))
  if (parts.length === 0) return []
  if (role === 'assistant') return [{ role, parts }]
  if (role !== 'user') return []
  const words = parts.filter(({ kind }) => kind !== 'result')
  return [
    ...parts.filter(({ kind }) => kind === 'result').map((part): RecordContent => ({ role: 'tool', parts: [part] })),
    ...(words.length > 0 ? [{ role, parts: words } satisfies RecordContent] : []),
  ]
}

function partOf(block: RecordFields, raw: number, isWhole: boolean): Part[] {
  const cut = isWhole ? (text: string) => text : shortContent
  const id = String(block.id ?? '')
  switch (block.type) {
    case 'text':
      return [{ kind: 'text', text: cut(String(block.text)), raw }]
    case 'toolRequest':
    case 'frontendToolRequest': {
      const value = valueIn(block.toolCall)
      const input = isWhole ? (value.arguments ?? {}) : {}
      return [
        { kind: 'call', id, name: String(value.name ?? 'unknown'), input, callKind: 'function', by: 'client', raw },
      ]
    }
    case 'toolResponse': {
      const error = isFailed(block.toolResult) && { error: true as const }
      const content = cut(resultText(block.toolResult))
      return [{ kind: 'result', id, content, callKind: 'function', by: 'client', raw, ...error }]
    }
    case 'thinking':
    case 'redactedThinking':
      return [{ kind: 'reasoning', text: isWhole ? String(block.thinking ?? '') : '', signed: true, raw }]
    default:
      return aside.has(block.type) ? [] : [{ kind: 'other', raw }]
  }
}

/** Blocks that only the user sees. */
const aside = new Set<unknown>(['toolConfirmationRequest', 'actionRequired', 'systemNotification'])

const valueIn = (outcome: unknown): RecordFields => (isRecord(outcome) && isRecord(outcome.value) ? outcome.value : {})

const isFailed = (outcome: unknown): boolean =>
  isRecord(outcome) && (outcome.status === 'error' || valueIn(outcome).isError === true)

function resultText(outcome: unknown): string {
  const { content } = valueIn(outcome)
  if (isRecord(outcome) && outcome.status === 'error') return String(outcome.error)
  if (!Array.isArray(content)) return ''
  return content.map(part => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('\n')
}
