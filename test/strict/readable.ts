import { check } from '../../src/index.ts'
import type { Reader } from './readers.ts'

/** A history without the messages that nobody can read: nothing is promised for those. */
export function readable(history: readonly unknown[], { dialect, format, model }: Reader): readonly unknown[] {
  const found = check(history, { for: dialect, format, model }).filter(({ rule }) => rule === 'unreadable-message')
  const places = new Set(found.map(({ at }) => Number(at.match(/\d+/)?.[0])))
  return places.size > 0 ? history.filter((_, index) => !places.has(index)) : history
}
