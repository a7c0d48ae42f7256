import { isRecord } from '../../core/conversation.ts'

/** Keys come in two spellings: that of the wire, and that of Python, which the wire takes as well. */
export type Spelling = 'camel' | 'snake'

type Raw = Readonly<Record<string, unknown>>

export interface Key {
  readonly camel: string
  readonly snake: string
}

export const keys = {
  call: { camel: 'functionCall', snake: 'function_call' },
  result: { camel: 'functionResponse', snake: 'function_response' },
  signature: { camel: 'thoughtSignature', snake: 'thought_signature' },
  inlineData: { camel: 'inlineData', snake: 'inline_data' },
  fileData: { camel: 'fileData', snake: 'file_data' },
  code: { camel: 'executableCode', snake: 'executable_code' },
  codeResult: { camel: 'codeExecutionResult', snake: 'code_execution_result' },
  serverCall: { camel: 'toolCall', snake: 'tool_call' },
  serverResult: { camel: 'toolResponse', snake: 'tool_response' },
} satisfies Record<string, Key>

/** What stands under a key, in whichever spelling. */
export const under = (raw: Raw, { camel, snake }: Key): unknown => raw[camel] ?? raw[snake]

/** Whether anything but text stands in a part, or a signature. */
export const holdsMore = (raw: Raw): boolean => all.some(key => isThere(under(raw, key)))

const all: readonly Key[] = Object.values(keys)

/** How a part is spelled, if it has a key that tells. */
export function spellingOf(raw: unknown): Spelling | undefined {
  if (!isRecord(raw)) return undefined
  for (const { camel, snake } of all) {
    if (isThere(raw[camel])) return 'camel'
    if (isThere(raw[snake])) return 'snake'
  }
  return undefined
}

export const isThere = (value: unknown): boolean => value !== undefined && value !== null
