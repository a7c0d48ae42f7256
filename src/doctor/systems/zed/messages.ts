import { isRecord, type Part } from '../../../core/conversation.ts'
import { type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'

/** An agent's message: its content, and the results of its calls by their ids. */
export interface AgentMessage extends RecordFields {
  readonly content: readonly unknown[]
  readonly tool_results: Readonly<Record<string, RecordFields>>
}

/** The agent's message in an element of the list; undefined for other elements. */
export function agentMessage(element: unknown): AgentMessage | undefined {
  const message = isRecord(element) ? element.Agent : undefined
  return isRecord(message) && Array.isArray(message.content) && isResults(message.tool_results)
    ? (message as unknown as AgentMessage)
    : undefined
}

const isResults = (results: unknown): boolean =>
  isRecord(results) && Object.entries(results).every(([id, one]) => isRecord(one) && one.tool_use_id === id)

/** Whether Zed can read an element. */
export const isKnown = (element: unknown): boolean =>
  element === 'Resume' ||
  (isRecord(element) && (userContent(element) !== undefined || 'Compaction' in element)) ||
  agentMessage(element) !== undefined

const userContent = ({ User: user }: RecordFields): readonly unknown[] | undefined =>
  isRecord(user) && Array.isArray(user.content) ? user.content : undefined

/** The index of the last summary, -1 if there is none. Of what is before it, only texts of the user are sent. */
export const lastSummary = (elements: readonly unknown[]): number =>
  elements.findLastIndex(element => isRecord(element) && 'Compaction' in element)

/** What the model sees of an element. `raw` is the index in the content, or the id of a result. */
export function readMessage(element: unknown): readonly RecordContent[] {
  const agent = agentMessage(element)
  if (!agent) {
    const content = isRecord(element) ? userContent(element) : undefined
    const parts = content?.map(userPart) ?? [{ kind: 'other', raw: element } satisfies Part]
    return parts.length === 0 ? [] : [{ role: 'user', parts }]
  }
  const parts = agent.content.map(agentPart)
  return [
    // Without content it still keeps its results apart from the message before it.
    { role: 'assistant', parts: parts.length > 0 ? parts : [{ kind: 'other' }] },
    ...Object.entries(agent.tool_results).map(
      ([id, result]): RecordContent => ({ role: 'tool', parts: [resultPart(id, result)] }),
    ),
  ]
}

const userPart = (block: unknown, raw: number): Part => {
  const { Text: text, Mention: mention } = isRecord(block) ? block : {}
  if (typeof text === 'string') return { kind: 'text', text: shortContent(text), raw }
  if (isRecord(mention) && typeof mention.content === 'string')
    return { kind: 'text', text: shortContent(mention.content), raw }
  return { kind: 'other', raw }
}

function agentPart(block: unknown, raw: number): Part {
  const { Text: text, Thinking: thinking, RedactedThinking: redacted, ToolUse: call } = isRecord(block) ? block : {}
  if (typeof text === 'string') return { kind: 'text', text: shortContent(text), raw }
  if (isRecord(call))
    return {
      ...{ kind: 'call', id: String(call.id ?? ''), name: String(call.name ?? ''), input: call.input ?? {} },
      ...{ callKind: 'function', by: 'client', raw },
    }
  if (isRecord(thinking))
    return {
      ...{ kind: 'reasoning', text: shortContent(String(thinking.text ?? '')) },
      ...{ signed: typeof thinking.signature === 'string', raw },
    }
  if (redacted !== undefined) return { kind: 'reasoning', text: '', signed: true, raw }
  return { kind: 'other', raw }
}

const resultPart = (id: string, { tool_name: name, content, is_error: error }: RecordFields): Part => ({
  ...{ kind: 'result', id, name: String(name ?? ''), content: shortContent(resultText(content)) },
  ...{ callKind: 'function', by: 'client', raw: id },
  ...(error === true && { error }),
})

/** Older versions store one content, newer ones a list. */
function resultText(content: unknown): string {
  const items: readonly unknown[] = Array.isArray(content) ? content : [content]
  return items
    .flatMap(item => {
      const text = isRecord(item) ? (item.Text ?? item.text) : item
      return typeof text === 'string' ? [text] : []
    })
    .join('\n')
}
