import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { parseAst } from 'vite'

export interface Found {
  readonly file: string
  readonly source: string
  readonly flags: string
}

/** Every regular expression that is written in a folder. */
export function regexpsIn(folder: string): Found[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name) && !/\.(examples|sources)\.ts$/.test(name))
    .toSorted()
    .flatMap(file => {
      const lang = file.endsWith('x') ? ('tsx' as const) : ('ts' as const)
      return literalsIn(parseAst(readFileSync(join(folder, file), 'utf8'), { lang })).map(found => ({ file, ...found }))
    })
}

function literalsIn(node: unknown): { source: string; flags: string }[] {
  if (Array.isArray(node)) return node.flatMap(literalsIn)
  if (typeof node !== 'object' || node === null) return []
  const { type, regex } = node as { type?: unknown; regex?: { pattern: string; flags: string } | null }
  if (type === 'Literal' && regex) return [{ source: regex.pattern, flags: regex.flags }]
  return Object.values(node).flatMap(literalsIn)
}

/** Whether something that can be repeated without end stands in something that can be. Such a pattern may cost 2 to the power of the length. */
export function isNested(source: string): boolean {
  const holds: boolean[] = [false]
  for (let at = 0; at < source.length; at++) {
    const letter = source[at]
    if (letter === '\\') at++
    else if (letter === '[') at = endOfClass(source, at)
    else if (letter === '(') holds.push(false)
    else if (letter === ')') {
      const inside = holds.pop() ?? false
      if (inside && isEndless(source, at + 1)) return true
      holds[holds.length - 1] ||= inside
    }
    if (isEndless(source, at + 1)) holds[holds.length - 1] = true
  }
  return false
}

const isEndless = (source: string, at: number): boolean => /^(?:[*+]|\{\d+,\})/.test(source.slice(at, at + 8))

function endOfClass(source: string, start: number): number {
  let at = start + 1
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
  return at
}

/** Long texts of the letters that a pattern is about, of its words, and of both in turn, each with an end that fits nothing. */
export function hostileTo({ source }: Found, length: number): string[] {
  const plain = source
    .replaceAll(/\\[nrt]/g, '\n')
    .replaceAll(/\\[sS]/g, ' ')
    .replaceAll(/\\[wWdDbB]|\\p\{\w+\}/g, 'a')
  const letters = [...new Set(plain.replaceAll(/[\\^$*+?()|{}]/g, ''))].slice(0, 14)
  const words = [...new Set(plain.match(/[a-z][a-z _-]{1,30}|[A-Z]\w{2,30}|\W{2,6}/g) ?? [])].slice(0, 12)
  const alphabet = [...new Set([...letters, 'a', '0', ' ', '\n', '"', '.'])]
  const pairs = alphabet.flatMap(one => alphabet.slice(0, 8).map(other => one + other))
  const units = [...alphabet, ...pairs, ...words, ...words.map(word => `${word}-`), ...words.map(word => `${word} `)]
  const starts = ['', ...words.slice(0, 3)]
  return units.flatMap(unit => {
    const text = unit.repeat(Math.ceil(length / unit.length))
    return starts.map(start => `${start}${text}\0`)
  })
}

const context = createContext({})
const trial = new Script(
  '{ const one = new RegExp(source, flags.replace("y", "")); for (const text of texts) one[Symbol.search](text) }',
)

/** Whether a pattern comes to its end with all texts before so many milliseconds are over, which is a bound and no measure. */
export function endsWithin({ source, flags }: Found, texts: readonly string[], boundMs: number): boolean {
  Object.assign(context, { source, flags, texts })
  try {
    trial.runInContext(context, { timeout: boundMs })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  }
}
