type Json = Record<string, unknown>

/**
 * The records that Claude Code 2.0.1 resumes a session with: of all known records in file order, the first of those
 * with the latest time, and then from parent to parent. It ignores what is attached next to that chain.
 */
export function resumedBy201(text: string): Json[] {
  const records = new Map<unknown, Json>()
  for (const line of text.split('\n')) {
    const record = parse(line)
    if (record && known.has(String(record.type))) records.set(record.uuid, record)
  }
  const newest = [...records.values()].sort((one, other) => timeOf(other) - timeOf(one))[0]
  const chain: Json[] = []
  const seen = new Set<unknown>()
  for (
    let record = newest as Json | undefined;
    record && !seen.has(record.uuid);
    record = records.get(record.parentUuid)
  ) {
    seen.add(record.uuid)
    chain.unshift(record)
  }
  return chain
}

const known = new Set(['user', 'assistant', 'attachment', 'system'])

const timeOf = ({ timestamp }: Json): number => new Date(String(timestamp)).getTime()

function parse(line: string): Json | undefined {
  try {
    return JSON.parse(line) as Json
  } catch {
    return undefined
  }
}

/** The ids of the calls and of the results in records. */
export function idsIn(records: readonly Json[]): { calls: unknown[]; results: unknown[] } {
  const blocks = records.flatMap(({ message }) => {
    const { content } = (message ?? {}) as Json
    return Array.isArray(content) ? (content as Json[]) : []
  })
  return {
    calls: blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
    results: blocks.flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [tool_use_id] : [])),
  }
}
