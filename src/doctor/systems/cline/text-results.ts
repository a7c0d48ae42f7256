import { isRecord } from '../../../core/conversation.ts'
import type { RecordFields } from '../../record-format.ts'

/**
 * The history in which results that Cline wrote as text (`[read_file for 'x'] Result: ...`) are result blocks with the
 * same text. Messages without such a text are the same objects.
 */
export function withTextResults(messages: readonly unknown[]): readonly unknown[] {
  let isChanged = false
  const changed = messages.map((message, at) => {
    const before = messages[at - 1]
    if (!isRecord(message) || message.role !== 'user' || !Array.isArray(message.content) || !isRecord(before))
      return message
    const answered = new Set(blocksOf(message).map(({ tool_use_id: id }) => id))
    const open = blocksOf(before).filter(({ type, id }) => type === 'tool_use' && !answered.has(id))
    if (open.length === 0) return message
    // The calls of each name, the first one last.
    const byName = new Map<unknown, RecordFields[]>()
    for (const call of open.reverse()) {
      const calls = byName.get(call.name)
      if (calls) calls.push(call)
      else byName.set(call.name, [call])
    }
    const content = message.content.map((block: unknown) => {
      const name = isRecord(block) && block.type === 'text' ? named.exec(String(block.text))?.[1] : undefined
      const call = name === undefined ? undefined : byName.get(name)?.pop()
      if (!call) return block
      return { type: 'tool_result', tool_use_id: call.id, content: (block as RecordFields).text }
    })
    if (content.every((block, index) => block === (message.content as unknown[])[index])) return message
    isChanged = true
    return { ...message, content }
  })
  return isChanged ? changed : messages
}

/** How Cline begins a result that it writes as text. */
const named = /^\[([\w-]+)(?: for [^\n]*?| [^\n]*?)?\] Result:/

const blocksOf = ({ content }: RecordFields): RecordFields[] => (Array.isArray(content) ? content.filter(isRecord) : [])

/** The calls that end a task: they get no result. */
export function closingCalls(messages: readonly unknown[]): string[] {
  const last = messages.at(-1)
  if (!isRecord(last) || last.role !== 'assistant') return []
  return blocksOf(last).flatMap(({ type, name, id }) =>
    type === 'tool_use' && name === 'attempt_completion' && typeof id === 'string' ? [id] : [],
  )
}
