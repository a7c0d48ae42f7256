import { isObject } from '../../json.ts'

/** What a message's content says: its texts, and whether there is anything else in it, known or not. */
export function readContent(content: unknown): { texts: string[]; media: boolean } {
  if (typeof content === 'string') return { texts: [content], media: false }
  if (!Array.isArray(content)) return { texts: [], media: content !== undefined && content !== null }
  const texts = content.flatMap(textOfPart)
  return { texts, media: texts.length < content.length }
}

/** The texts of a tool's result, whichever way it is written. */
export function readResult(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(readResult)
  if (!isObject(value)) return []
  return ['text', 'stdout', 'stderr', 'content'].flatMap(key => readResult(value[key]))
}

/** Only a block of text is known to be empty; what else may be in others nobody knows. */
function textOfPart(part: unknown): string[] {
  if (typeof part === 'string') return part === '' ? [] : [part]
  if (!isObject(part)) return []
  const text = part.type === 'refusal' ? part.refusal : part.text
  return typeof text === 'string' && (text !== '' || kinds.has(part.type)) ? [text] : []
}

const kinds = new Set<unknown>(['text', 'input_text', 'output_text', 'refusal'])
