/** A row of `ai_messages`, as far as Instatic reads it. */
export interface Row {
  readonly id: string
  readonly conversation_id: string
  readonly position: number
  readonly role: string
  readonly content_json: string
  readonly tool_call_id: string | null
  readonly tool_name: string | null
}

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'image'; mimeType: string; data: string }
  | { kind: 'toolCall'; toolCallId: string; toolName: string; input: unknown }
  | { kind: 'toolResult'; ok: boolean; error?: string }

/** A row with its blocks; none if they do not fit the schema, which is how Instatic reads it. */
export interface Message {
  readonly role: string
  readonly blocks: readonly Block[]
  readonly callId: string | null
}

export const readRow = (row: Row): Message => ({
  role: row.role,
  blocks: readBlocks(row.content_json),
  callId: row.tool_call_id,
})

function readBlocks(json: string): readonly Block[] {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return []
  }
  return Array.isArray(value) && value.every(isBlock) ? value : []
}

function isBlock(value: unknown): value is Block {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const block = value as Record<string, unknown>
  const areTexts = (...names: string[]) => names.every(name => typeof block[name] === 'string')
  switch (block.kind) {
    case 'text':
      return areTexts('text')
    case 'image':
      return areTexts('mimeType', 'data')
    case 'toolCall':
      return areTexts('toolCallId', 'toolName') && 'input' in block
    case 'toolResult':
      return typeof block.ok === 'boolean' && (block.error === undefined || areTexts('error'))
    default:
      return false
  }
}
