import type { Entry } from '../../../src/journal/entry.ts'
import { evolve, initialState } from '../../../src/journal/fold.ts'
import { Renderers } from '../../../src/journal/render/render.ts'
import type { Reader } from '../../strict/readers.ts'

/** A word that stands for one input or one output of a tool, and comes up once in a conversation. */
export const wordOf = (what: 'in' | 'out', count: number): string => `<${what}-${count}>`

/** Words that a reader misses on a branch, or finds where they do not belong. */
export function misplacedWords(
  uid: string,
  entries: readonly Entry[],
  said: ReadonlyMap<number, readonly unknown[]>,
  readers: readonly Reader[],
): string[] {
  const state = initialState(uid)
  for (const entry of entries) evolve(state, entry)
  const renderers = new Renderers({ state })
  return [...said].flatMap(([branch, words]) => {
    const expected = wordsIn(words)
    return readers.flatMap(reader => {
      const found = wordsIn(renderers.render(reader, branch))
      return found === expected ? [] : [`${reader.dialect} reads ${found} on branch ${branch}\nand not ${expected}`]
    })
  })
}

/** A summary that has all words of what it covers, so that a reader finds each where it was, or in the summary. */
export const wordsOnly = (messages: readonly unknown[]): string =>
  (JSON.stringify(messages).match(/<(in|out)-\d+>/g) ?? ['-']).join('')

const wordsIn = (value: unknown): string => (JSON.stringify(value).match(/<(in|out)-\d+>/g) ?? []).sort().join(' ')
