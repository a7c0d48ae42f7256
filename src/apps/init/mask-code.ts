/**
 * The code with its comments, strings and regular expressions as spaces, at the same places, so that what is left can be searched.
 * Undefined if it cannot be read for sure: a string that does not end on its line, or brackets that do not match.
 */
export function maskCode(code: string): string | undefined {
  const pieces: string[] = []
  const open: string[] = []
  for (let at = 0; at < code.length; ) {
    const plain = upToMark(code, at)
    if (plain !== '') pieces.push(plain)
    at += plain.length
    if (at >= code.length) break
    const token = hidden(code, at, pieces)
    if (token === undefined) return undefined
    const character = code[at] ?? ''
    if (token === '' && character in pairs) open.push(pairs[character] ?? '')
    else if (token === '' && ')]}'.includes(character) && open.pop() !== character) return undefined
    pieces.push(token === '' ? character : token.replace(/[^\n]/g, ' '))
    at += token.length || 1
  }
  return open.length === 0 ? pieces.join('') : undefined
}

/** The code up to the next character that may begin a string, a comment or a bracket. */
function upToMark(code: string, at: number): string {
  mark.lastIndex = at
  return code.slice(at, mark.exec(code)?.index ?? code.length)
}

const mark = /[/'"`()[\]{}]/g

/** The last characters of the masked code, enough to tell a division from a regular expression. */
function endOf(pieces: readonly string[]): string {
  let end = ''
  for (let index = pieces.length - 1; index >= 0 && end.length < endMax; index--)
    end = (pieces[index] ?? '').slice(-endMax) + end
  return end.slice(-endMax)
}

const endMax = 200

const pairs: Readonly<Record<string, string | undefined>> = { '(': ')', '[': ']', '{': '}' }

/** The comment, string or regular expression that starts here; empty if none does, undefined if it does not end. */
function hidden(code: string, at: number, before: readonly string[]): string | undefined {
  const character = code[at]
  const isComment = character === '/' && (code[at + 1] === '/' || code[at + 1] === '*')
  if (isComment) return code[at + 1] === '/' ? upTo(code, at, '\n') : upTo(code, at, '*/', 2)
  if (character === '"' || character === "'" || character === '`') return quoted(code, at, character)
  if (character === '/' && startsRegExp.test(endOf(before))) return quoted(code, at, '/')
  return ''
}

function upTo(code: string, at: number, end: string, skip = 0): string | undefined {
  const found = code.indexOf(end, at + skip)
  if (found < 0) return end === '\n' ? code.slice(at) : undefined
  return code.slice(at, end === '\n' ? found : found + end.length)
}

/** A string, template or regular expression up to its end. Undefined if it has none, or if a value in a template is too complex. */
function quoted(code: string, at: number, end: string): string | undefined {
  let inClass = false
  for (let next = at + 1; next < code.length; next++) {
    const character = code[next]
    if (character === '\\') next++
    else if (character === '\n' && end !== '`') return undefined
    else if (end === '`' && character === '$' && code[next + 1] === '{') {
      const value = template(code, next + 2)
      if (value === undefined) return undefined
      next = value
    } else if (end === '/' && character === '[') inClass = true
    else if (end === '/' && character === ']') inClass = false
    else if (character === end && !inClass) return code.slice(at, next + 1)
  }
  return undefined
}

/** The place of the brace that ends a value in a template; undefined if the value contains a brace, a quote or a line break. */
function template(code: string, at: number): number | undefined {
  const found = /[{}`'"\n]/g
  found.lastIndex = at
  const end = found.exec(code)
  return end?.[0] === '}' ? end.index : undefined
}

/** Where a value is expected, a slash is not a division. */
const startsRegExp = /(?:^|[(,=:[!&|?{};+\n]|=>|\breturn)[ \t]{0,50}$/
