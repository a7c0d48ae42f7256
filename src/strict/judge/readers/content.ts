import { isObject } from '../../json.ts'

/** The texts of a message's content, and whether it contains anything else, known or not. */
export function contentTexts(content: unknown): { texts: string[]; media: boolean } {
  if (typeof content === 'string') return { texts: [content], media: false }
  if (!Array.isArray(content)) return { texts: [], media: content !== undefined && content !== null }
  const texts = content.flatMap(textOfPart)
  return { texts, media: texts.length < content.length }
}

/** The texts of a tool result, in any form. */
export function resultTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(resultTexts)
  if (!isObject(value)) return []
  return ['text', 'stdout', 'stderr', 'content'].flatMap(key => resultTexts(value[key]))
}

/** Only a text block is known to be empty; other blocks may have unknown content. */
function textOfPart(part: unknown): string[] {
  if (typeof part === 'string') return part === '' ? [] : [part]
  if (!isObject(part)) return []
  const text = part.type === 'refusal' ? part.refusal : part.text
  return typeof text === 'string' && (text !== '' || kinds.has(part.type)) ? [text] : []
}

const kinds = new Set<unknown>(['text', 'input_text', 'output_text', 'refusal'])
