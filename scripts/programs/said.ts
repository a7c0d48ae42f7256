import { asRecord, isRecord } from '../../src/core/conversation.ts'

/** What a history says, in order: texts, and calls with their results. */
export interface Said {
  readonly kind: 'text' | 'call'
  /** A text, or the command of a call. */
  readonly text: string
  readonly result?: string
}

/** What is in a request to any of the three providers: their messages, items or contents. */
export function saidIn(body: unknown): Said[] {
  const { messages, input, contents } = asRecord(body)
  const list = [messages, input, contents].find(one => Array.isArray(one)) as unknown[] | undefined
  const blocks = (list ?? []).flatMap(message => (isRecord(message) ? blocksOf(message) : []))
  const results = new Map(blocks.flatMap(block => resultOf(block)))
  return blocks.flatMap((block): Said[] => {
    const text = block.text
    if (typeof text === 'string') return [{ kind: 'text', text }]
    const call = callOf(block)
    return call ? [{ kind: 'call', text: commandOf(call.input), result: results.get(call.id) ?? '(none)' }] : []
  })
}

function blocksOf(message: Record<string, unknown>): Record<string, unknown>[] {
  const { content, parts, type } = message
  if (type === 'function_call' || type === 'function_call_output') return [message]
  const list = content ?? parts
  if (typeof list === 'string') return [{ text: list }]
  return Array.isArray(list) ? list.filter(isRecord) : []
}

function callOf(block: Record<string, unknown>): { id: string; input: unknown } | undefined {
  const { type, functionCall } = block
  if (type === 'tool_use') return { id: String(block.id), input: block.input }
  if (type === 'function_call') return { id: String(block.call_id), input: JSON.parse(String(block.arguments)) }
  return isRecord(functionCall) ? { id: String(functionCall.id), input: functionCall.args } : undefined
}

function resultOf(block: Record<string, unknown>): [string, string][] {
  const { type, functionResponse } = block
  if (type === 'tool_result') return [[String(block.tool_use_id), textIn(block.content)]]
  if (type === 'function_call_output') return [[String(block.call_id), textIn(block.output)]]
  if (!isRecord(functionResponse)) return []
  const { output, error } = asRecord(functionResponse.response)
  return [[String(functionResponse.id), textIn(output ?? error)]]
}

const textIn = (content: unknown): string =>
  Array.isArray(content) ? content.map(block => String(asRecord(block).text ?? '')).join('') : String(content ?? '')

/** The tools of all programs run a command, which some of them call `cmd`. */
const commandOf = (input: unknown): string =>
  String(asRecord(input).command ?? asRecord(input).cmd ?? JSON.stringify(input))
