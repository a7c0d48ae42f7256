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

/** The value of a key of the object that the text is: the last one, as for every parser. */
export function memberSpan(text: string, key: string): Span | undefined {
  let found: Span | undefined
  for (let next = skipSpace(text, text.indexOf('{') + 1); text[next] === '"'; ) {
    const end = endOfValue(text, next)
    const start = skipSpace(text, skipSpace(text, end) + 1)
    const span = { start, end: endOfValue(text, start) }
    if (JSON.parse(text.slice(next, end)) === key) found = span
    next = skipSpace(text, span.end)
    if (text[next] === ',') next = skipSpace(text, next + 1)
  }
  return found
}

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
