import { asRecord, isRecord, type ResultPart } from '../../core/conversation.ts'

type Raw = Readonly<Record<string, unknown>>

/**
 * The input of a call and the output of a result: version 4 of the library had other names for both, which stores still hold.
 */
export const inputOf = (call: Raw): unknown => call[inputKey(call)]
export const outputOf = (result: Raw): unknown => result[outputKey(result)]

export const inputKey = (call: Raw): 'input' | 'args' => ('args' in call && !('input' in call) ? 'args' : 'input')
export const outputKey = (result: Raw): 'output' | 'result' =>
  'result' in result && !('output' in result) ? 'result' : 'output'

export interface Output extends Raw {
  readonly type: string
}

const types = new Set<unknown>(['text', 'json', 'error-text', 'error-json', 'execution-denied', 'content'])

/** Whether a value is in the form that a result has since version 5. */
export const isOutput = (value: unknown): value is Output => isRecord(value) && types.has(value.type)

/** Whether an output is blank text, or has a block of blank text. */
export const isBlank = (output: unknown): output is Output =>
  isOutput(output) &&
  (output.type === 'content'
    ? Array.isArray(output.value) && output.value.some(block => block?.type === 'text' && isWordless(block.text))
    : /text$/.test(output.type) && isWordless(output.value))

const isWordless = (text: unknown): boolean => typeof text === 'string' && text.trim() === ''

/** Content as a result has it since version 5. */
export function writeOutput({ content, error, denied, raw }: ResultPart): Output {
  const before = asRecord(asRecord(raw).output)
  const isBlocks = before.type === 'content' && Array.isArray(content)
  const written = isOutput(content)
    ? content
    : isBlocks
      ? { ...before, type: 'content', value: content }
      : bare(content)
  if (denied && written.type === 'text') return { type: 'execution-denied', reason: written.value }
  return error && (written.type === 'text' || written.type === 'json')
    ? { ...written, type: `error-${written.type}` }
    : written
}

function bare(content: unknown): Output {
  if (content === undefined) return { type: 'text', value: '' }
  return { type: typeof content === 'string' ? 'text' : 'json', value: content }
}
