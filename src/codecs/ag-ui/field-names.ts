import { isRecord } from '../../core/conversation.ts'

/** The names of the fields that hold calls and the id of the call that a result answers. */
export interface FieldNames {
  readonly calls: string
  readonly answers: string
}

/** As clients in JavaScript write them, and as servers in Python store them. */
export const camelCase: FieldNames = { calls: 'toolCalls', answers: 'toolCallId' }
export const snakeCase: FieldNames = { calls: 'tool_calls', answers: 'tool_call_id' }

/** The field names that a message uses, if it has a field whose name differs between the two. */
export function fieldNamesOf(raw: unknown): FieldNames | undefined {
  if (!isRecord(raw)) return undefined
  if (camelCase.calls in raw || camelCase.answers in raw || 'encryptedValue' in raw) return camelCase
  if (snakeCase.calls in raw || snakeCase.answers in raw || 'encrypted_value' in raw) return snakeCase
  return undefined
}

/** The name under which a message has a field, if it has it: null counts as missing. */
export function nameIn(raw: Record<string, unknown>, field: keyof FieldNames): string | undefined {
  return [camelCase[field], snakeCase[field]].find(name => raw[name] !== undefined && raw[name] !== null)
}
