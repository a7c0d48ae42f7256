/** A row of `ai_messages`: the columns that belong to the conversation. */
export interface ChatMessageRow {
  readonly id: string
  readonly position: number
  readonly role: string
  readonly content_json: string
  readonly tool_call_id: string | null
  readonly tool_name: string | null
  /** As its database writes it. */
  readonly created_at: string
}

/** A row of `ai_conversations`. */
export interface ChatRow {
  readonly id: string
  readonly title: string
  /** The name of its provider in Instatic, if it has one. */
  readonly provider: string | null
  readonly updated_at: string
}

/** The columns of a new row: those that every version of the table has. */
export const madeColumns = [
  'id',
  'conversation_id',
  'position',
  'role',
  'content_json',
  'tool_call_id',
  'tool_name',
  'created_at',
] as const

/** Whether rows are the same as those that were examined. */
export const areSameRows = (rows: readonly ChatMessageRow[], before: readonly ChatMessageRow[]): boolean =>
  rows.length === before.length &&
  rows.every((row, index) => columns.every(name => row[name] === before[index]?.[name]))

const columns = ['id', 'position', 'role', 'content_json', 'tool_call_id', 'tool_name', 'created_at'] as const

/** Whether a row, or the last change of its chat, is so recent that its program may still be working. */
export function isFresh({ updated_at }: ChatRow, rows: readonly ChatMessageRow[], now: number): boolean {
  return [updated_at, ...rows.map(({ created_at }) => created_at)].some(time => {
    const age = now - timeOf(time)
    return Math.abs(age) < freshMs
  })
}

/** A browser tool has a minute and a half, and a model may think for minutes before its next row. */
const freshMs = 5 * 60 * 1000

/** Times are in UTC, which SQLite's own clock does not state. NaN if it is not a time. */
function timeOf(time: string): number {
  const iso = time.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}Z`)
}
