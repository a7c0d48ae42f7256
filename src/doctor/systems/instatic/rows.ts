/** A row of `ai_messages`, as far as it belongs to the conversation. */
export interface Row {
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
export interface Chat {
  readonly id: string
  readonly title: string
  /** The name of its provider in Instatic, if it has one. */
  readonly provider: string | null
  readonly updated_at: string
}

/** The columns of a row that is made up: those that every version of the table has. */
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

/** Whether rows are those that were examined. */
export const isSame = (rows: readonly Row[], before: readonly Row[]): boolean =>
  rows.length === before.length && rows.every((row, index) => columns.every(name => row[name] === before[index][name]))

const columns = ['id', 'position', 'role', 'content_json', 'tool_call_id', 'tool_name', 'created_at'] as const

/** Whether a row, or what was said of its chat, is so young that its program may still be at work. */
export function isFresh({ updated_at }: Chat, rows: readonly Row[], now: number): boolean {
  return [updated_at, ...rows.map(({ created_at }) => created_at)].some(time => {
    const age = now - timeOf(time)
    return Math.abs(age) < freshMs
  })
}

/** A tool in the browser has a minute and a half, and a model may think for minutes before its next row. */
const freshMs = 5 * 60 * 1000

/** Times are in UTC, and SQLite's own clock does not say so. NaN if it is no time. */
function timeOf(time: string): number {
  const iso = time.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')
  return Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}Z`)
}
