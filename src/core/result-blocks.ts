import { isRecord } from './conversation.ts'

/**
 * The content of a result as a string or a list of blocks: values are written as JSON, and entries of a list that are not blocks
 * become text blocks of the given type. Content that is in this form, or is missing, is returned as it is.
 */
export function asResultBlocks(content: unknown, type: string): unknown {
  if (hasResultForm(content)) return content
  try {
    if (!Array.isArray(content)) return isBlock(content) ? [content] : jsonText(content)
    // The list itself is what the tool returned.
    if (!content.some(isLikeBlock)) return jsonText(content)
    return content.map(entry => (isBlock(entry) ? entry : asBlock(entry, type)))
  } catch {
    return content
  }
}

/** Whether the content of a result is missing, a string or a list of blocks. */
export const hasResultForm = (content: unknown): boolean =>
  typeof content === 'string' ||
  content === undefined ||
  content === null ||
  (Array.isArray(content) && content.every(isBlock))

/** Whether a value is a block: it has a type, and text in it is a string. */
export const isBlock = (value: unknown): boolean =>
  isRecord(value) && typeof value.type === 'string' && (typeof value.text === 'string' || !textTypes.has(value.type))

const textTypes = new Set(['text', 'input_text', 'output_text'])

const isLikeBlock = (value: unknown): boolean =>
  typeof value === 'string' || (isRecord(value) && typeof value.type === 'string')

function asBlock(value: unknown, type: string): unknown {
  if (!isRecord(value) || typeof value.type !== 'string') return { type, text: jsonText(value) }
  return { ...value, text: jsonText(value.text ?? null) }
}

/** A string as it is, and any other value as JSON. */
function jsonText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === undefined) throw new TypeError('the value is not JSON')
  return text
}
