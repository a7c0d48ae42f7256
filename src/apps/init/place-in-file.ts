import type { Place } from './frameworks.ts'
import { maskCode } from './mask-code.ts'

/** The changed file, or why it cannot be changed safely. */
export type Edited = string | { readonly reason: string }

/** A call that takes the option, in one file. */
export interface FoundCall {
  readonly line: number
  readonly text: string
  /** The call has the option already, or does not need it. */
  readonly isDone: boolean
  edited(): Edited
}

/** The calls in a file that take the option of a framework; none if the file does not import it. */
export function findCalls(code: string, place: Place): FoundCall[] {
  const masked = maskCode(code)
  const imports = importsOf(code, masked, place)
  if (imports.length === 0) return []
  const known = masked ?? code
  const mayBeDone = code.includes(place.subpath)
  const needsNone = place.instead !== undefined && importsName(code, masked, place.subpath, place.instead)
  const lineAt = lineReader(code)
  const found: FoundCall[] = []
  for (const { index, 0: call } of known.matchAll(place.call)) {
    const imported = imports.find(({ clause }) => givesName(clause, call))
    if (!imported || beforeDefinition.test(known.slice(Math.max(0, index - 20), index))) continue
    const at = index + call.length
    const hasOption = (): boolean => typeof insertOption(code, known, at, place) !== 'string'
    const isDone = needsNone || (mayBeDone && found.length < checkedMax && hasOption())
    found.push({
      ...lineAt(index),
      isDone,
      edited: () => (masked === undefined ? unclear : editedFile({ code, masked, index, at, imported, place })),
    })
  }
  return found
}

const unclear = { reason: 'the file could not be parsed' }

/** A file with more calls than this has no single place for the option, so the rest is not examined. */
const checkedMax = 100

/** Matches the text before a name that is being declared, or is a method. */
const beforeDefinition = /(?:\bfunction\s*\*?\s*|\.)$/

const importsName = (code: string, masked: string | undefined, subpath: string, name: string): boolean =>
  importsOf(code, masked, { from: [subpath] }).some(({ clause }) => givesName(clause, `${name}(`))

/** Whether an import gives the name that a call uses. */
function givesName(clause: string, call: string): boolean {
  const name = call.replace(/^new /, '').slice(0, -1)
  return new RegExp(String.raw`\b${name}\b(?!\s+as\b)`).test(clause)
}

interface CallPlace {
  readonly code: string
  readonly masked: string
  readonly index: number
  readonly at: number
  readonly imported: FoundImport
  readonly place: Place
}

function editedFile({ code, masked, index, at, imported, place }: CallPlace): Edited {
  if (imported.isUnclear) return { reason: `other code follows the import of ${place.from[0]} on its line` }
  if (imported.end >= index) return { reason: 'the import follows the call' }
  const option = insertOption(code, masked, at, place)
  if (typeof option !== 'string') return option
  const { name, subpath } = place
  if (importsName(code, masked, subpath, name)) return option
  if (new RegExp(String.raw`\b${name}\b`).test(masked)) return { reason: `the file already uses the name ${name}` }
  const { quote, semicolon, end } = imported
  const lineEnd = code.includes('\r\n') ? '\r\n' : '\n'
  const statement = `import { ${name} } from ${quote}${subpath}${quote}${semicolon}`
  return `${code.slice(0, end)}${lineEnd}${statement}${option.slice(end)}`
}

/** Returns the line at an index; indexes must not decrease. */
function lineReader(code: string): (index: number) => { line: number; text: string } {
  let line = 1
  let start = 0
  return index => {
    for (let next = code.indexOf('\n', start); next >= 0 && next < index; next = code.indexOf('\n', start)) {
      start = next + 1
      line++
    }
    const end = code.indexOf('\n', index)
    return { line, text: code.slice(start, Math.min(end < 0 ? code.length : end, start + shownMax)).trim() }
  }
}

const shownMax = 1000

interface FoundImport {
  /** What is between `import` and `from`. */
  readonly clause: string
  /** Where the statement ends. */
  readonly end: number
  readonly quote: string
  readonly semicolon: string
  readonly isUnclear: boolean
}

/** The imports of the packages. A file that requires them, or imports only types, has none; text in a comment or a string is not one. */
function importsOf(code: string, masked: string | undefined, { from }: Pick<Place, 'from'>): FoundImport[] {
  return from.flatMap(name => {
    const escaped = name.replaceAll(/[/.]/g, '\\$&')
    const statements = code.matchAll(
      new RegExp(
        String.raw`^import (?!type\b)([^'";()]{1,2000}?) from (['"])${escaped}\2(;?)[ \t]{0,100}(\r?\n|$)?`,
        'gm',
      ),
    )
    return [...statements]
      .filter(({ index }) => masked === undefined || masked.startsWith('import ', index))
      .map(({ index, 0: text, 1: clause = '', 2: quote = "'", 3: semicolon = '', 4: lineEnd }) => ({
        ...{ clause, quote, semicolon, isUnclear: lineEnd === undefined },
        end: index + text.length - (lineEnd?.length ?? 0),
      }))
  })
}

/** The code with the option in the object that is the first argument of a call. */
function insertOption(code: string, masked: string, at: number, { key, value }: Place): Edited {
  const option = `${key}: ${value}`
  const start = skipSpace(masked, at)
  if (masked[start] === ')') {
    if (isBody(masked, start + 1)) return definition
    if (code.slice(at, start).trim() !== '') return { reason: 'there is a comment between the parentheses' }
    return `${code.slice(0, at)}{ ${option} }${code.slice(start)}`
  }
  if (masked[start] !== '{') return { reason: 'the first argument is not an object literal' }
  const inside = topLevel(masked, start + 1)
  const end = start + 1 + inside.length
  if (isBody(masked, skipSpace(masked, end + 1) + 1)) return definition
  if (inside.includes('...')) return { reason: 'the options use a spread (...)' }
  if (/(?:^|,)\s*\[/.test(inside)) return { reason: 'the name of an option is computed' }
  // A name in quotes is hidden, like every string.
  const quoted = [...inside.matchAll(/(?:^|,)\s*:/g)].map(({ 0: { length }, index }) =>
    code.slice(start + 1 + index, start + 1 + index + length),
  )
  if (
    new RegExp(String.raw`(^|[,{\s])${key}\s*[:,(}]|(^|[,\s])${key}\s*$`).test(inside) ||
    quoted.some(name => name.includes(key) || name.includes('\\'))
  )
    return { reason: `it has the option ${key} already` }
  if (inside.trim() === '' && code.slice(start + 1, end).trim() === '')
    return `${code.slice(0, start + 1)} ${option} ${code.slice(end)}`
  const [lineBreak = ''] = /^[ \t]*\r?\n[ \t]*/.exec(code.slice(start + 1, start + 1 + shownMax)) ?? []
  const written = lineBreak === '' ? ` ${option},` : `${lineBreak}${option},`
  return code.slice(0, start + 1) + written + code.slice(start + 1)
}

const definition = { reason: 'this looks like a function definition' }

/** Whether a body or the type of a function follows a closing parenthesis. */
const isBody = (masked: string, at: number): boolean => ['{', ':'].includes(masked[skipSpace(masked, at)] ?? '')

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at))) at++
  return at
}

/** The text of an object up to its end, with spaces in place of what is nested in it. */
function topLevel(masked: string, from: number): string {
  let depth = 0
  let inside = ''
  for (let at = from; at < masked.length; at++) {
    const character = masked[at] ?? ''
    if (')]}'.includes(character) && depth-- === 0) return inside
    inside += depth === 0 ? character : ' '
    if ('([{'.includes(character)) depth++
  }
  return inside
}
