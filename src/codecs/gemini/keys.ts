import { isRecord } from '../../core/conversation.ts'

/** The API accepts its keys in camelCase and in snake_case, which Python clients write. */
export type KeyCase = 'camel' | 'snake'

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

/** The value of a key, in either case. */
export const fieldValue = (raw: Raw, { camel, snake }: Key): unknown => raw[camel] ?? raw[snake]

/** Whether a part has anything except text, or a signature. */
export const hasMoreThanText = (raw: Raw): boolean => all.some(key => isThere(fieldValue(raw, key)))

const all: readonly Key[] = Object.values(keys)

/** Whether a part has only fields of Gemini's parts, all of them without content: a thought without text is one. */
export const isOwnWithoutContent = (raw: Raw): boolean =>
  Object.keys(raw).every(key => besideContent.has(key) || contentKeys.has(key))

const contentKeys = new Set(all.flatMap(({ camel, snake }) => [camel, snake]))
const besideContent = new Set([
  ...['thought', 'partMetadata', 'part_metadata', 'videoMetadata', 'video_metadata', 'mediaResolution'],
  'media_resolution',
])

/** The case of the keys of a part, if it has a key that shows it. */
export function keyCaseOf(raw: unknown): KeyCase | undefined {
  if (!isRecord(raw)) return undefined
  for (const { camel, snake } of all) {
    if (isThere(raw[camel])) return 'camel'
    if (isThere(raw[snake])) return 'snake'
  }
  return undefined
}

export const isThere = (value: unknown): boolean => value !== undefined && value !== null
