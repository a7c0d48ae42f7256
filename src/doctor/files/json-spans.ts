/** A stretch of a text, its end not included. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The elements of the list that opens at `at`, in text that is known to be JSON. */
export function elementSpans(text: string, at: number): Span[] {
  const spans: Span[] = []
  for (let next = skipSpace(text, at + 1); text[next] !== ']'; ) {
    const end = endOfValue(text, next)
    spans.push({ start: next, end })
    next = skipSpace(text, end)
    if (text[next] === ',') next = skipSpace(text, next + 1)
  }
  return spans
}

/** A member of an object: its key as it is written, and where its value stands. */
export interface Member extends Span {
  readonly key: string
  readonly keyStart: number
}

/** The members of the object that opens at `at`, in text that is known to be JSON. */
export function memberSpans(text: string, at: number): Member[] {
  const members: Member[] = []
  for (let next = skipSpace(text, at + 1); text[next] === '"'; ) {
    const keyEnd = endOfValue(text, next)
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = endOfValue(text, start)
    members.push({ key: text.slice(next, keyEnd), keyStart: next, start, end })
    next = skipSpace(text, end)
    if (text[next] === ',') next = skipSpace(text, next + 1)
  }
  return members
}

/** The value of a key of the object that the text is: the last one, as for every parser. */
export const memberSpan = (text: string, key: string): Span | undefined =>
  memberSpans(text, text.indexOf('{')).findLast(member => JSON.parse(member.key) === key)

function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; ; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    else if (depth === 0) {
      while (at < text.length && !',]} \t\r\n'.includes(text[at])) at++
      return at
    }
    if (depth === 0) return at + 1
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}
