import type { Place } from './frameworks.ts'
import { maskCode } from './mask-code.ts'

/** A call that takes the option, in one file. */
export interface FoundCall {
  readonly line: number
  readonly text: string
  /** The file with the two lines in it, or why it cannot be changed for sure. */
  readonly edited: string | { readonly reason: string }
  /** The file has it already. */
  readonly isDone: boolean
}

/** The calls in a file that take the option of a framework; none if the file does not import it. */
export function findCalls(code: string, place: Place): FoundCall[] {
  const imported = importOf(code, place)
  if (imported === undefined) return []
  const masked = maskCode(code)
  return [...(masked ?? code).matchAll(place.call)].map(({ index, 0: call }) => {
    const line = code.slice(0, index).split('\n').length
    const text = (code.split('\n')[line - 1] ?? '').trim()
    const isDone = code.includes(place.subpath)
    const reason = (words: string): FoundCall => ({ line, text, isDone, edited: { reason: words } })
    if (masked === undefined) return reason('the file cannot be read for sure')
    if (imported.isUnclear) return reason(`the import of ${place.from[0]} is not a plain one`)
    const option = insertOption(code, masked, index + call.length, place)
    if (typeof option !== 'string') return reason(option.reason)
    const statement = `import { ${place.name} } from ${imported.quote}${place.subpath}${imported.quote}${imported.semicolon}`
    const lineEnd = code.includes('\r\n') ? '\r\n' : '\n'
    const edited = `${code.slice(0, imported.end)}${lineEnd}${statement}${option.slice(imported.end)}`
    return { line, text, isDone, edited: imported.end < index ? edited : { reason: 'the import follows the call' } }
  })
}

interface FoundImport {
  /** Where the statement ends. */
  readonly end: number
  readonly quote: string
  readonly semicolon: string
  readonly isUnclear: boolean
}

/** The import of the package. A file that requires it, or imports only types, does not have one. */
function importOf(code: string, { from }: Place): FoundImport | undefined {
  for (const name of from) {
    const escaped = name.replaceAll(/[/.]/g, '\\$&')
    const statement = new RegExp(
      String.raw`^import (?!type\b)[^'";()]{1,2000}? from (['"])${escaped}\1(;?)[ \t]{0,100}(\r?\n|$)?`,
      'm',
    ).exec(code)
    if (!statement) continue
    const [text, quote = "'", semicolon = '', lineEnd] = statement
    return {
      ...{ quote, semicolon, isUnclear: lineEnd === undefined },
      end: statement.index + text.length - (lineEnd?.length ?? 0),
    }
  }
  return undefined
}

/** The code with the option in the object that is the first argument of a call. */
function insertOption(
  code: string,
  masked: string,
  at: number,
  { key, value }: Place,
): string | { readonly reason: string } {
  const option = `${key}: ${value}`
  const [space = ''] = /^\s*/.exec(masked.slice(at)) ?? []
  const start = at + space.length
  if (masked[start] === ')')
    return code.slice(at, start).trim() === ''
      ? `${code.slice(0, at)}{ ${option} }${code.slice(start)}`
      : { reason: 'a comment is in the way' }
  if (masked[start] !== '{') return { reason: 'its options are not written there' }
  const inside = topLevel(masked, start + 1)
  if (inside.includes('...')) return { reason: 'its options include others' }
  if (new RegExp(String.raw`(^|[,{\s])${key}\s*[:,(}]|(^|[,\s])${key}\s*$`).test(inside))
    return { reason: `it has the option ${key} already` }
  if (inside.trim() === '' && code.slice(start + 1, start + 1 + inside.length).trim() === '')
    return `${code.slice(0, start + 1)} ${option} ${code.slice(start + 1 + inside.length)}`
  const [lineBreak = ''] = /^[ \t]*\r?\n[ \t]*/.exec(code.slice(start + 1)) ?? []
  const written = lineBreak === '' ? ` ${option},` : `${lineBreak}${option},`
  return code.slice(0, start + 1) + written + code.slice(start + 1)
}

/** What is inside an object, without what is inside of that. */
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
