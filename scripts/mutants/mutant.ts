import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** One small fault in a copy of the sources, and what must notice it. */
export interface Mutant {
  /** A sample takes some of each group. */
  readonly group: string
  readonly name: string
  readonly file: string
  /** The text of the file with the fault. Throws if the text has no place for it. */
  change(text: string): string
  /**
   * What must fail, tried in order until something does: a file of tests, or what `test/kill/quick-check.ts` is asked for
   * (`examples RULE`, `scan FORMAT`).
   */
  readonly killers: readonly string[]
}

export const root = dirname(dirname(import.meta.dirname))

export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Exchanges texts that occur exactly once each. */
export const swap =
  (...pairs: readonly (readonly [find: string, replace: string])[]): Mutant['change'] =>
  text =>
    pairs.reduce((text, [find, replace]) => {
      const places = text.split(find).length - 1
      if (places !== 1) throw new Error(`expected one place, found ${places}: ${find}`)
      return text.replace(find, () => replace)
    }, text)

/** A condition of a source file: `text` is what stands between the parentheses of an `if`. */
export interface Condition {
  readonly text: string
  /** From its first character to the one after its last, in the file. */
  readonly start: number
  readonly end: number
}

/** The conditions of all `if` in a text, from a place on. */
export function conditionsIn(source: string, from = 0): Condition[] {
  const found: Condition[] = []
  for (const { index } of source.matchAll(/\bif \(/g)) {
    const line = source.slice(source.lastIndexOf('\n', index) + 1, index).trimStart()
    if (index < from || line.startsWith('*') || line.startsWith('//')) continue
    const start = index + 'if ('.length
    const end = closingOf(source, start)
    found.push({ text: source.slice(start, end), start, end })
  }
  return found
}

/** Where the parenthesis closes that was opened before a place. Parentheses in strings do not count. */
function closingOf(source: string, start: number): number {
  let depth = 1
  for (let at = start; at < source.length; at++) {
    const sign = source[at]
    if (sign === "'" || sign === '`') {
      while (source[++at] !== sign) if (source[at] === '\\') at++
    } else if (sign === '(') depth++
    else if (sign === ')' && --depth === 0) return at
  }
  throw new Error('a parenthesis is never closed')
}

/** The same mutation, made at the place where it was found. Throws if something else is there now. */
export const at =
  (start: number, find: string, replace: string): Mutant['change'] =>
  text => {
    if (!text.startsWith(find, start)) throw new Error(`expected at ${start}: ${find}`)
    return text.slice(0, start) + replace + text.slice(start + find.length)
  }

/** The opposite of a condition. */
export const inverted = ({ text, start }: Condition): Mutant['change'] => at(start, text, `!(${text})`)

/** A text in one line, cut where it is long. */
export const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}

/** The same mutants, with a number where the name is not the first of its kind. */
export function distinct(mutants: readonly Mutant[]): readonly Mutant[] {
  const counts = new Map<string, number>()
  return mutants.map(mutant => {
    const count = (counts.get(mutant.name) ?? 0) + 1
    counts.set(mutant.name, count)
    return count === 1 ? mutant : { ...mutant, name: `${mutant.name} (${count})` }
  })
}
