import { isSystem } from '../../src/strict/judge/entry.ts'
import { absent } from './absent.ts'
import type { Format } from './judge.ts'
import { read } from './readers/read.ts'

/**
 * The words of users, assistants and the system, and the texts of results, that were said before and stand nowhere
 * afterwards, in whatever field, as they are or inside JSON text. Each is trimmed and told once, in the order of `before`.
 */
export function lost(before: unknown[], after: unknown[], format: Format): { texts: string[]; results: string[] } {
  const entries = read(before, format)
  const said = entries.filter(entry => entry.role === 'user' || entry.role === 'assistant' || isSystem(entry))
  const texts = distinct(said.flatMap(entry => entry.texts))
  const results = distinct(entries.filter(({ role }) => role === 'tool').flatMap(entry => entry.texts))
  const gone = missing([...texts, ...results], leaves(after))
  return { texts: texts.filter(text => gone.has(text)), results: results.filter(text => gone.has(text)) }
}

/** The texts that are part of none of the others, not even as JSON writes them. */
export function missing(texts: string[], others: string[]): Set<string> {
  const gone = absent(new Set(texts), others)
  const escaped = new Map([...gone].map(text => [JSON.stringify(text).slice(1, -1), text]))
  const stillGone = absent(new Set(escaped.keys()), others)
  return new Set([...stillGone].map(text => escaped.get(text) as string))
}

const distinct = (texts: string[]): string[] => [...new Set(texts.map(text => text.trim()))].filter(text => text !== '')

/** Every string in a value, wherever it is. */
export function leaves(value: unknown): string[] {
  const found: string[] = []
  const stack = [value]
  while (stack.length > 0) {
    const top = stack.pop()
    if (typeof top === 'string') found.push(top)
    else if (typeof top === 'object' && top !== null) for (const child of Object.values(top)) stack.push(child)
  }
  return found
}
