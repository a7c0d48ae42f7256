import { memberSpan } from '../../../core/json/json-spans.ts'
import { jsonLayoutOf, printJson } from '../../files/layout.ts'
import type { StoredEvent } from './event.ts'
import type { Base } from './log.ts'

/** The text of a changed event: only the changed values, everything else as it is. */
export function rewritten(text: string, before: StoredEvent, after: StoredEvent): string {
  let now = text
  if (after.parent !== before.parent) now = withMember(now, 'parent_id', quoted(after.parent))
  if (after.result?.action !== before.result?.action) now = withMember(now, 'action_id', quoted(after.result?.action))
  const [id, was] = [after.call?.id ?? after.result?.id, before.call?.id ?? before.result?.id]
  if (id !== was) now = withMember(now, 'tool_call_id', quoted(id))
  if (id !== was && after.call) now = withInner(now, 'tool_call', call => withMember(call, 'id', quoted(id)))
  const [memory, old] = [after.condensation, before.condensation]
  if (memory && memory !== old) {
    now = withInner(now, 'forgotten_event_ids', list => listOf(memory.forgotten, list))
    if (memory.offset !== old?.offset) now = withMember(now, 'summary_offset', String(memory.offset))
  }
  return now
}

/** The text of a base state that has changed. */
export function rewrittenBase(text: string, before: Base, after: Base): string {
  let now = text
  if (after.leaf !== before.leaf) now = withMember(now, 'leaf_event_id', quoted(after.leaf))
  if (after.status !== before.status) now = withMember(now, 'execution_status', quoted(after.status))
  if (after.lastUser !== before.lastUser) now = withMember(now, 'last_user_message_id', quoted(after.lastUser))
  return now
}

/** The text of a new event, in the field order of OpenHands. `like` is the text of a neighbour. */
export function madeText({ id, time, parent, made = {}, kind }: StoredEvent, like: string): string {
  const { source, ...fields } = made
  const head = { id, timestamp: time, source, ...(parent === undefined ? {} : { parent_id: parent }) }
  return printJson({ ...head, ...fields, kind }, jsonLayoutOf([like], ''))
}

const quoted = (text: string | undefined): string => JSON.stringify(text)

const withMember = (text: string, key: string, value: string): string => withInner(text, key, () => value)

/** A text with another value for an existing key. */
function withInner(text: string, key: string, change: (value: string) => string): string {
  const span = memberSpan(text, key)
  return span ? text.slice(0, span.start) + change(text.slice(span.start, span.end)) + text.slice(span.end) : text
}

function listOf(items: readonly string[], like: string): string {
  const gap = /"(,\s*)"/.exec(like)?.[1] ?? ','
  return items.length === 0 ? '[]' : `[${items.map(quoted).join(gap)}]`
}
