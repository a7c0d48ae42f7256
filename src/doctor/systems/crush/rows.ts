import { isRecord, type Part } from '../../../core/conversation.ts'
import { isJsonObject } from '../../../core/json/is-json-object.ts'
import { uuidFrom } from '../../linked/new-ids.ts'
import { type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'
import type { TimedRows } from '../../rows/timed-rows.ts'

/** The rows of a session, from its summary on: what is before that is not sent. */
export const crushRows = (session: string, isSent: (id: string) => boolean): TimedRows => ({
  dialect: 'anthropic',
  // With arguments that are not an object, the program leaves out the call and sends its result, or sends them as they are.
  facts: { malformedInput: 'refuse' },
  hasTextInput: true,
  columns: {
    number: 'rowid',
    time: 'created_at',
    content: 'parts',
    more: ['id', 'role', 'updated_at', 'is_summary_message'],
  },
  read(blocks, row, isWhole) {
    if (!isSent(String(row.id))) return []
    const parts = blocks.flatMap((block, raw) => partOf(block, raw, isWhole))
    if (parts.length === 0) return []
    if (row.is_summary_message === 1 || row.role === 'user') return [{ role: 'user', parts }]
    if (row.role === 'assistant') return [{ role: 'assistant', parts }]
    if (row.role !== 'tool') return []
    const results = parts.filter(({ kind }) => kind === 'result')
    return results.map((part): RecordContent => ({ role: 'tool', parts: [part] }))
  },
  answer: ({ id, name }) => ({
    type: 'tool_result',
    data: {
      tool_call_id: id,
      name,
      content: interrupted,
      data: '',
      mime_type: '',
      metadata: '',
      is_error: true,
    },
  }),
  withId(block, id, part) {
    const { data } = block
    if (!isRecord(data)) return block
    const key = block.type === 'tool_result' ? 'tool_call_id' : 'id'
    const named = data[key] === id ? block : { ...block, data: { ...data, [key]: id } }
    if (part.kind !== 'call' || isComplete(data.input)) return named
    // As the program leaves a call that the user cancelled.
    return { ...block, data: { ...data, [key]: id, input: part.input, finished: true } }
  },
  insert(database, blocks, { fields }, time, seed) {
    const isAnswer = blocks.every(({ type }) => type === 'tool_result')
    const whole = blocks.some(({ type }) => type === 'finish') ? blocks : [...blocks, finish]
    database
      .prepare(
        `insert into messages (id, session_id, role, parts, model, created_at, updated_at) values (?, ?, ?, ?, '', ?, ?)`,
      )
      .run(
        uuidFrom(session, seed),
        session,
        isAnswer ? 'tool' : String(fields.role),
        JSON.stringify(whole),
        time,
        fields.updated_at as number,
      )
  },
  settle(database) {
    const count = 'select count(*) from messages where session_id = sessions.id'
    database
      .prepare(`update sessions set message_count = (${count}) where id = ? and message_count <> (${count})`)
      .run(session)
  },
})

/** As the program answers such a call in its request. */
const interrupted =
  'tool call was interrupted and did not produce a result, you may retry this call if the result is still needed'

const finish: RecordFields = { type: 'finish', data: { reason: 'stop', time: 0 } }

/** Whether these are the arguments of a whole call: those of one whose response broke off are empty or cut off. */
const isComplete = (input: unknown): boolean => typeof input === 'string' && isJsonObject(input)

function partOf({ type, data }: RecordFields, raw: number, isWhole: boolean): Part[] {
  if (!isRecord(data) || type === 'finish') return []
  const cut = isWhole ? (text: string) => text : shortContent
  if (type === 'text') return data.text === '' ? [] : [{ kind: 'text', text: cut(String(data.text)), raw }]
  if (type === 'reasoning')
    return [{ kind: 'reasoning', text: isWhole ? String(data.thinking ?? '') : '', signed: true, raw }]
  if (type === 'tool_call') {
    const input = isWhole || !isComplete(data.input) ? data.input : '{}'
    const name = String(data.name)
    const run = data.provider_executed === true && { providerRun: true as const }
    return [{ kind: 'call', id: String(data.id ?? ''), name, input, callKind: 'function', by: 'client', raw, ...run }]
  }
  if (type !== 'tool_result') return [{ kind: 'other', raw }]
  const error = data.is_error === true && { error: true as const }
  const content = cut(String(data.content))
  return [
    { kind: 'result', id: String(data.tool_call_id ?? ''), content, callKind: 'function', by: 'client', raw, ...error },
  ]
}
