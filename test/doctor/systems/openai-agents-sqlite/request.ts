import { DatabaseSync } from 'node:sqlite'

/** The input of the next run of a session. */
export interface SessionRequest {
  readonly session: string
  readonly branch?: string
  /** As releases before 0.8 send it: everything unchanged. */
  readonly plain: Item[]
  /** As later releases send it: without calls that have no result, and of repeated items the latest. */
  readonly filtered: Item[]
}

export type Item = Record<string, unknown>

/** The next input of every session and branch of a database, with one more user message. */
export function requestsOf(file: string): SessionRequest[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const advanced =
      database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'message_structure'").get() !== undefined
    return advanced ? branchRequests(database) : plainRequests(database)
  } finally {
    database.close()
  }
}

function plainRequests(database: DatabaseSync): SessionRequest[] {
  const sessions = database.prepare('SELECT DISTINCT session_id FROM agent_messages ORDER BY session_id').all()
  const items = database.prepare('SELECT message_data FROM agent_messages WHERE session_id = ? ORDER BY id')
  return sessions.map(({ session_id }) => ({
    session: session_id as string,
    ...inputsOf(items.all(session_id) as unknown as MessageRow[]),
  }))
}

function branchRequests(database: DatabaseSync): SessionRequest[] {
  const branches = database.prepare('SELECT DISTINCT session_id, branch_id FROM message_structure ORDER BY 1, 2').all()
  const items = database.prepare(`SELECT m.message_data FROM agent_messages m
    JOIN message_structure s ON m.id = s.message_id
    WHERE m.session_id = ? AND s.branch_id = ? ORDER BY s.sequence_number`)
  return branches.map(({ session_id, branch_id }) => ({
    session: session_id as string,
    branch: branch_id as string,
    ...inputsOf(items.all(session_id, branch_id) as unknown as MessageRow[]),
  }))
}

interface MessageRow {
  readonly message_data: string
}

function inputsOf(rows: readonly MessageRow[]): { plain: Item[]; filtered: Item[] } {
  const history = rows.flatMap(({ message_data }) => parsed(message_data)).map(sendable)
  const input = { role: 'user', content: 'Go on.' }
  return { plain: [...history, input], filtered: latestOfEach([...withoutOpenCalls(history), input]) }
}

/** A row that is not JSON is skipped. */
function parsed(text: string): Item[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

/** Without what the SDK keeps for itself. */
const sendable = ({ _agents_tool_description, _agents_tool_title, ...item }: Item): Item => item

const outputs: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
  shell_call: 'shell_call_output',
  apply_patch_call: 'apply_patch_call_output',
  computer_call: 'computer_call_output',
  local_shell_call: 'local_shell_call_output',
  tool_search_call: 'tool_search_output',
}

/** Calls without a result of their sort go, and so does the reasoning that led to them. */
function withoutOpenCalls(items: readonly Item[]): Item[] {
  const answered = new Set(items.map(({ type, call_id }) => `${type} ${call_id}`))
  const isOpen = ({ type, call_id }: Item): boolean => {
    const output = outputs[type as string]
    return output !== undefined && !answered.has(`${output} ${call_id}`)
  }
  const kept: Item[] = []
  let follower: Item | undefined
  for (const item of items.toReversed()) {
    if (isOpen(item)) follower = item
    else if (item.type !== 'reasoning') {
      kept.push(item)
      follower = item
    } else if (!follower || !isOpen(follower)) kept.push(item)
  }
  return kept.reverse()
}

/** Of items with one id, or of one sort with one call id, only the last one. */
function latestOfEach(items: readonly Item[]): Item[] {
  const seen = new Set<string>()
  return items
    .toReversed()
    .filter(item => {
      const key = keyOf(item)
      return key === undefined || (!seen.has(key) && seen.add(key))
    })
    .reverse()
}

function keyOf({ role, type, id, call_id }: Item): string | undefined {
  if (role !== undefined || type === 'message') return undefined
  if (typeof id === 'string') return `id ${type} ${id}`
  return typeof call_id === 'string' ? `call ${type} ${call_id}` : undefined
}
