import { type Content, type FrameworkMessage, isFields } from './framework.ts'

/** What is sent for the lines of a session's history file. Throws where the framework would not load it. */
export function loadHistory(text: string): FrameworkMessage[] {
  const messages: FrameworkMessage[] = []
  for (const [index, line] of text.split(/\r\n|\n/).entries()) {
    if (line.trim() === '') continue
    const payload: unknown = JSON.parse(line)
    if (!isFields(payload)) throw new Error(`line ${index + 1} is no message`)
    const { role, contents, message_id, author_name } = payload
    messages.push({
      role: typeof role === 'string' ? role : String(isFields(role) ? role.value : ''),
      contents: Array.isArray(contents) ? (contents.filter(isFields) as Content[]) : [],
      ...(message_id === undefined || message_id === null ? {} : { id: message_id }),
      ...(typeof author_name === 'string' ? { author: author_name } : {}),
    })
  }
  return messages
}

/** What an approval does to loaded messages before the model is asked. */
export interface Prepared {
  messages: FrameworkMessage[]
  /** Calls that an approval in the history would run now. */
  approved: string[]
}

/**
 * Undecided requests are removed with the open calls of their message. A response whose call has a later result is
 * done; any other one is acted on now, and its result replaces it.
 */
export function prepare(loaded: readonly FrameworkMessage[]): Prepared {
  const last = loaded.at(-1)
  const acted = loaded.map(message => (message === last ? actedOn(message) : message))
  const waiting = unansweredRequests(acted)
  const results = new Map<string, number>()
  const all = acted.flatMap(({ contents }) => contents)
  for (const [index, content] of all.entries()) if (isResult(content)) results.set(idOf(content), index)
  const approved = all.flatMap((content, index) => {
    if (content.type !== 'function_approval_response') return []
    const id = idOf(content.function_call)
    return (results.get(id) ?? -1) > index ? [] : [id]
  })
  const messages = acted.flatMap(message => {
    const isHeldBack = message.contents.some(content => asks(content) && waiting.has(idOf(content.function_call)))
    const contents = message.contents.filter(
      content =>
        !(asks(content) && waiting.has(idOf(content.function_call))) &&
        !(isHeldBack && content.type === 'function_call' && !results.has(idOf(content))),
    )
    return contents.length > 0 ? [{ ...message, contents }] : []
  })
  return { messages, approved }
}

/** The last message of a history: what was decided there is done now. */
function actedOn(message: FrameworkMessage): FrameworkMessage {
  if (!message.contents.some(({ type }) => type === 'function_approval_response')) return message
  const contents = message.contents.map(content =>
    content.type === 'function_approval_response'
      ? { type: 'function_result', call_id: idOf(content.function_call), result: 'done' }
      : content,
  )
  return { ...message, role: 'tool', contents }
}

const asks = ({ type }: Content): boolean => type === 'function_approval_request'
const isResult = ({ type, result }: Content): boolean =>
  type === 'function_result' && !(typeof result === 'string' && result.includes('[APPROVAL_PENDING]'))
const idOf = (content: unknown): string => String(isFields(content) ? content.call_id : '')

function unansweredRequests(messages: readonly FrameworkMessage[]): Set<string> {
  const waiting = new Set<string>()
  for (const { contents } of messages) {
    for (const content of contents) {
      if (asks(content)) waiting.add(idOf(content.function_call))
      else if (content.type === 'function_approval_response') waiting.delete(idOf(content.function_call))
      else if (isResult(content)) waiting.delete(idOf(content))
    }
  }
  return waiting
}
