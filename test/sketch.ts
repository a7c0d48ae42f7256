/**
 * A history in short lines, one a message of the wire, so that a test can show all of it: `user: hi`,
 * `assistant: let me look + A`, `result A: sunny`. What shares a message shares a line: `result A: sunny | user: thanks`. A
 * result that was made up because there is none is drawn as `?`.
 */
export const sketch = (history: readonly unknown[]): string[] => history.map(message => drawMessage(fields(message)))

type Fields = Record<string, unknown>

function drawMessage(message: Fields): string {
  const { role, type } = message
  if (role === 'tool') return drawResult(message.tool_call_id, message.content)
  if (type === 'reasoning') return `reasoning ${message.id ?? ''}`.trim()
  if (typeof type === 'string' && type.endsWith('_output'))
    return drawResult(message.call_id, message.output, type === 'function_call_output' ? '' : `${type} `)
  if (typeof type === 'string' && type.endsWith('_call'))
    return `${type === 'function_call' ? 'call' : type} ${message.call_id}${message.id === undefined ? '' : ` as ${message.id}`}`
  const blocks: unknown[] = Array.isArray(message.content) ? message.content : drawable(message.content)
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : []
  if (role === 'assistant') return `assistant: ${[...blocks.map(drawBlock), ...calls.map(drawCall)].join(' + ')}`
  const isResult = (block: unknown) => fields(block).type === 'tool_result'
  return blocks
    .map(block => (isResult(block) ? drawBlock(block) : `${role}: ${drawBlock(block)}`))
    .concat(blocks.length === 0 ? [`${role}:`] : [])
    .join(' | ')
}

const drawable = (content: unknown): unknown[] => (typeof content === 'string' && content !== '' ? [content] : [])

function drawBlock(block: unknown): string {
  const { type, text, thinking, id, tool_use_id, content } = fields(block)
  if (typeof block === 'string') return block
  if (type === 'tool_use') return String(id)
  if (type === 'tool_result') return drawResult(tool_use_id, content)
  if (type === 'thinking') return `(${thinking})`
  return typeof text === 'string' ? text : `<${type}>`
}

const drawCall = (call: unknown): string => String(fields(call).id)

function drawResult(id: unknown, content: unknown, sort = ''): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return `${sort === '' ? 'result' : sort.trim()} ${id}: ${text?.includes('[no result] ') ? '?' : text}`
}

const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
