import { isObject } from '../../json.ts'

/** What a message's content says: its texts, and whether there is anything else in it. */
export function readContent(content: unknown): { texts: string[]; media: boolean } {
  if (typeof content === 'string') return { texts: [content], media: false }
  const parts = Array.isArray(content) ? content : []
  const texts = parts.flatMap(textOfPart)
  return { texts, media: texts.length < parts.length }
}

/** The texts of a tool's result, whichever way it is written. */
export function readResult(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(readResult)
  if (!isObject(value)) return []
  return ['text', 'stdout', 'stderr', 'content'].flatMap(key => readResult(value[key]))
}

function textOfPart(part: unknown): string[] {
  if (typeof part === 'string') return [part]
  if (!isObject(part)) return []
  const text = part.type === 'refusal' ? part.refusal : part.text
  return typeof text === 'string' ? [text] : []
}
