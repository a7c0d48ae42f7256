/** An entry of a session file. */
export interface SessionEntry {
  readonly role: string
  readonly content: unknown
  readonly [key: string]: unknown
}

/** The session as madz loads it: the list, or one system entry with the whole body if that is not JSON. */
export function loadSession(file: Buffer, windowSize = 20): SessionEntry[] {
  const content = file.toString('utf8')
  const front = /^---\n([\s\S]*?)\n---\n?([\s\S]*)$/.exec(content)
  const body = (front ? front[2] : content).trim()
  const entries = parsed(body)
  return entries.length > windowSize ? entries.slice(-windowSize) : entries
}

function parsed(body: string): SessionEntry[] {
  try {
    const list: unknown = JSON.parse(body)
    return Array.isArray(list) ? list : []
  } catch {
    return [{ role: 'system', content: body }]
  }
}

/** The history as chat completions: content that is an object with calls is a message with those calls. */
export function requestOf(file: Buffer): object[] {
  const messages = loadSession(file, Number.MAX_SAFE_INTEGER).map(messageOf)
  return [...messages, { role: 'user', content: 'Go on.' }]
}

function messageOf({ role, content, tool_calls, tool_call_id }: SessionEntry): object {
  const called = isRecord(content) && Array.isArray(content.tool_calls) ? content : undefined
  const calls = called?.tool_calls ?? tool_calls
  if (role === 'assistant' && Array.isArray(calls) && calls.length > 0)
    return { role, content: textOf(called ? called.content : content) || null, tool_calls: calls }
  if (role === 'tool') return { role, content: textOf(content), tool_call_id }
  return { role, content: textOf(content) }
}

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : content === undefined || content === null ? '' : JSON.stringify(content)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
