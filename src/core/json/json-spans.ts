/** A range of a text; the end is exclusive. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** The elements of the list that starts at `at`. If the text ends before the list does, those that are complete. */
export function elementSpans(text: string, at: number): TextSpan[] {
  const spans: TextSpan[] = []
  for (let next = skipSpace(text, at + 1); next < text.length && text[next] !== ']'; ) {
    const end = endOfValue(text, next)
    if (end === undefined) break
    spans.push({ start: next, end })
    next = skipSpace(text, end)
    if (text[next] !== ',') break
    next = skipSpace(text, next + 1)
  }
  return spans
}

/** A member of an object: its key as written, and the range of its value. */
export interface MemberSpan extends TextSpan {
  readonly key: string
  readonly keyStart: number
}

/** The members of the object that starts at `at`, in text that is known to be JSON. */
export function memberSpans(text: string, at: number): MemberSpan[] {
  const members: MemberSpan[] = []
  for (let next = skipSpace(text, at + 1); text[next] === '"'; ) {
    const keyEnd = endOfString(text, next)
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = endOfValue(text, start) as number
    members.push({ key: text.slice(next, keyEnd), keyStart: next, start, end })
    next = skipSpace(text, end)
    if (text[next] === ',') next = skipSpace(text, next + 1)
  }
  return members
}

/** The list under a key of the object that the text contains, and its elements, found in one pass. In text that is known to be JSON. */
export function listSpans(text: string, key: string): { start: number; elements: TextSpan[] } | undefined {
  let found: { start: number; elements: TextSpan[] } | undefined
  for (let next = skipSpace(text, text.indexOf('{') + 1); text[next] === '"'; ) {
    const keyEnd = endOfString(text, next)
    const isWanted = JSON.parse(text.slice(next, keyEnd)) === key
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const elements = isWanted && text[start] === '[' ? elementSpans(text, start) : undefined
    if (isWanted) found = elements && { start, elements }
    const listEnd = elements && skipSpace(text, elements.at(-1)?.end ?? start + 1) + 1
    next = skipSpace(text, listEnd ?? (endOfValue(text, start) as number))
    if (text[next] === ',') next = skipSpace(text, next + 1)
  }
  return found
}

/** The value of a key in the object that the text contains: the last one wins, as in every JSON parser. */
export const memberSpan = (text: string, key: string): TextSpan | undefined =>
  memberSpans(text, text.indexOf('{')).findLast(member => JSON.parse(member.key) === key)

/** Where a value ends, found by its brackets and quotes alone; undefined if the text ends before it. */
export function endOfValue(text: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at) - 1
    // A bracket differs from its brace by one bit.
    else if ((code | 0x20) === 0x7b) depth++
    else if ((code | 0x20) === 0x7d) depth--
    else if (depth === 0) {
      while (at < text.length && !',]} \t\r\n'.includes(text.charAt(at))) at++
      return at < text.length ? at : undefined
    }
    if (depth <= 0) return at < text.length ? at + 1 : undefined
  }
  return undefined
}

/** Where the string that starts at `start` ends: after a quote with an even number of backslashes before it. Beyond the text if it is not closed. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slash = quote
    while (text.charCodeAt(slash - 1) === 0x5c) slash--
    if ((quote - slash) % 2 === 0) return quote + 1
  }
  return text.length + 1
}

export function skipSpace(text: string, from: number): number {
  let at = from
  let unit = text.charCodeAt(at)
  while (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) unit = text.charCodeAt(++at)
  return at
}
