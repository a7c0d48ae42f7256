import type { Session, SessionMessage, SessionPart } from './session.ts'

/** The messages of a session as OpenAI's Chat Completions and most other tools read them. */
export const toChat = ({ messages }: Pick<Session, 'messages'>): object[] => messages.flatMap(chatMessages)

function chatMessages({ role, parts }: SessionMessage): object[] {
  const calls = parts.filter(part => part.kind === 'call')
  const content = contentOf(parts)
  const reasoning = parts.flatMap(part => (part.kind === 'reasoning' ? [part.text] : [])).join('\n\n')
  const toolCalls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))
  const message = {
    role: calls.length > 0 ? 'assistant' : role,
    content: content ?? (calls.length > 0 ? null : ''),
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
  }
  const results = calls.flatMap(({ id, result }) =>
    result
      ? [{ role: 'tool', tool_call_id: id, content: [result.text, ...result.others.map(omittedNote)].join('\n') }]
      : [],
  )
  return [message, ...results]
}

function contentOf(parts: readonly SessionPart[]): string | undefined {
  const texts = parts.flatMap(part => {
    if (part.kind === 'text') return [part.text]
    return part.kind === 'other' ? [omittedNote(part.raw)] : []
  })
  return texts.length > 0 ? texts.join('\n\n') : undefined
}

/** A note for content that is not text. */
export function omittedNote(raw: unknown): string {
  const text = JSON.stringify(raw) ?? 'null'
  return text.length > leftMax
    ? `[left out: ${text.slice(0, leftMax)}... (${text.length} characters)]`
    : `[left out: ${text}]`
}

const leftMax = 200
