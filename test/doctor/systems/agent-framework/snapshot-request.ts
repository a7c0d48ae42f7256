import { type Content, type FrameworkMessage, isFields } from './framework.ts'

type Fields = Record<string, unknown>

/** What is sent for the messages of a snapshot, and what the framework had to make up or take away on the way. */
export interface Normalized {
  messages: FrameworkMessage[]
  /** Calls that it answered itself, since the snapshot has no result for them. */
  invented: string[]
  /** Calls that an approval would run again. */
  approved: string[]
}

/** The messages of a snapshot as the framework's own, made orderly as it makes them before it asks a provider. */
export function normalize(stored: readonly unknown[]): Normalized {
  const converted = convert(stored)
  const approved = converted.flatMap(({ contents }) =>
    contents.filter(({ type }) => type === 'function_approval_response').map(content => approvedId(content)),
  )
  const answered = new Set(
    converted.flatMap(({ contents }) => contents.filter(isResult).map(({ call_id }) => String(call_id))),
  )
  const { messages, invented } = sanitize(converted, answered)
  return { messages: withoutRepeats(messages), invented, approved }
}

const isResult = ({ type }: Content): boolean => type === 'function_result'
const isCall = ({ type }: Content): boolean => type === 'function_call'
const approvedId = ({ function_call }: Content): string => String(isFields(function_call) ? function_call.call_id : '')

function convert(stored: readonly unknown[]): FrameworkMessage[] {
  let made: FrameworkMessage[] = []
  for (const raw of stored) {
    if (!isFields(raw)) continue
    const { role, id } = raw
    if (role === 'reasoning' || role === 'activity') continue
    if (role === 'tool') {
      const approval = approvalIn(raw, made)
      if (!approval) made.push({ role: 'tool', id, contents: [resultOf(raw)] })
      else {
        const [answer, target] = approval
        if (target !== undefined) made = made.filter(message => !answers(message, target))
        made.push({ role: 'user', id, contents: [answer] })
      }
      continue
    }
    const calls = raw.tool_calls ?? raw.toolCalls
    if (Array.isArray(calls) && calls.length > 0) {
      const words = raw.content === null || raw.content === undefined || raw.content === '' ? [] : contentsOf(raw)
      made.push({ role: 'assistant', id, contents: [...words, ...calls.filter(isFields).map(callOf)] })
    } else if (Array.isArray(raw.function_approvals) && raw.function_approvals.length > 0)
      made.push({ role: String(role), id, contents: raw.function_approvals.filter(isFields).map(approvalOf) })
    else {
      const words = contentsOf(raw)
      made.push({ role: roleOf(role), id, contents: words.length > 0 ? words : [{ type: 'text', text: '' }] })
    }
  }
  return made
}

const roleOf = (role: unknown): string => (role === 'developer' ? 'system' : String(role ?? 'user'))

const answers = ({ role, contents }: FrameworkMessage, id: string): boolean =>
  role === 'tool' && contents.some(content => isResult(content) && String(content.call_id) === id)

const resultOf = (raw: Fields): Content => ({
  type: 'function_result',
  call_id: String(raw.tool_call_id ?? raw.toolCallId ?? ''),
  result: raw.content ?? '',
})

const approvalOf = ({ id, approved = true, ...call }: Fields): Content => ({
  type: 'function_approval_response',
  id,
  approved,
  function_call: call,
})

function callOf({ id, function: called }: Fields): Content {
  const { name, arguments: input } = isFields(called) ? called : {}
  return { type: 'function_call', call_id: String(id ?? ''), name, arguments: input }
}

function contentsOf({ content }: Fields): Content[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isFields).map(part => {
    if (part.type === 'text') return { type: 'text', text: String(part.text ?? '') }
    const source = isFields(part.source) ? part.source : part
    const uri = source.url ?? `data:${source.mimeType};base64,${source.value ?? source.data}`
    return { type: 'uri', uri, media_type: source.mimeType ?? 'image/*' }
  })
}

/**
 * A tool message whose text is an approval runs its call (again): an earlier result is removed. The call is the one
 * that the payload names, or that a `confirm_changes` call names, or its only neighbour.
 */
function approvalIn(raw: Fields, made: readonly FrameworkMessage[]): [Content, string | undefined] | undefined {
  const payload = parsed(raw.content)
  if (!isFields(payload) || !('accepted' in payload)) return undefined
  const own = String(raw.tool_call_id ?? raw.toolCallId ?? '')
  const target = String(payload.function_call_id ?? confirmedBy(own, made) ?? own)
  const call = made
    .flatMap(({ contents }) => contents)
    .find(content => isCall(content) && content.call_id === target && content.name !== 'confirm_changes')
  if (!call) return [{ type: 'text', text: String(raw.content) }, undefined]
  return [{ type: 'function_approval_response', id: target, approved: payload.accepted, function_call: call }, target]
}

function confirmedBy(id: string, made: readonly FrameworkMessage[]): unknown {
  for (const { contents } of made) {
    const confirm = contents.find(({ call_id, name }) => call_id === id && name === 'confirm_changes')
    if (!confirm) continue
    const input = parsed(confirm.arguments)
    if (isFields(input) && input.function_call_id) return input.function_call_id
    const others = contents.filter(content => isCall(content) && content.name !== 'confirm_changes')
    if (others.length === 1) return others[0].call_id
  }
  return undefined
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** One pass forward: an assistant or user message closes the open calls before it. */
function sanitize(
  messages: readonly FrameworkMessage[],
  answered: ReadonlySet<string>,
): { messages: FrameworkMessage[]; invented: string[] } {
  const kept: FrameworkMessage[] = []
  const invented: string[] = []
  let open: string[] = []
  const close = (): void => {
    for (const id of open.filter(id => !answered.has(id))) {
      invented.push(id)
      kept.push({
        role: 'tool',
        contents: [{ type: 'function_result', call_id: id, result: 'Tool execution skipped' }],
      })
    }
    open = []
  }
  for (const message of messages) {
    const { role, contents } = message
    if (role === 'tool') {
      const ids = contents.filter(isResult).map(({ call_id }) => String(call_id))
      if (ids.some(id => open.includes(id))) kept.push(message)
      open = open.filter(id => !ids.includes(id))
      continue
    }
    const approvals = contents.filter(({ type }) => type === 'function_approval_response').map(approvedId)
    open = open.filter(id => !approvals.includes(id))
    close()
    const shown = contents.filter(content => !(isCall(content) && content.name === 'confirm_changes'))
    if (shown.length > 0) kept.push(shown.length === contents.length ? message : { ...message, contents: shown })
    if (role === 'assistant') open = [...new Set(shown.filter(isCall).map(({ call_id }) => String(call_id)))]
  }
  close()
  return { messages: kept, invented }
}

function withoutRepeats(messages: readonly FrameworkMessage[]): FrameworkMessage[] {
  const seen = new Set<string>()
  return messages.filter(message => {
    const key = keyOf(message)
    return !seen.has(key) && seen.add(key)
  })
}

function keyOf({ role, id, contents }: FrameworkMessage): string {
  if (role === 'tool' && contents[0]?.type === 'function_result') return JSON.stringify([role, contents[0].call_id])
  const calls = contents.filter(isCall).map(({ call_id }) => String(call_id))
  if (role === 'assistant' && calls.length > 0) return JSON.stringify([role, ...calls.sort()])
  return JSON.stringify(id ? ['id', id] : ['content', role, contents])
}
