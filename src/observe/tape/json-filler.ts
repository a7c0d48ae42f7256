import type { Filler } from './filler.ts'

/** Whether a key says how data is built; any other may say what was said. */
export const isPlainKey = (key: string): boolean => /^[A-Za-z_$][\w$.-]{0,63}$/.test(key)

/**
 * JSON text with filler in it: as broken as it was, and laid out as it was. It goes from token to token and builds nothing, so
 * no depth is too deep.
 */
export function fillJson(text: string, filler: Filler): string {
  if (!parses(text)) {
    const filled = filler.text(text)
    return parses(filled) ? '{' : filled
  }
  let filled = ''
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at
    const start = token.exec(text)?.index ?? text.length
    filled += text.slice(at, start)
    at = text[start] === '"' ? endOfText(text, start) : token.lastIndex || text.length
    filled += fillToken(text.slice(start, at), /^\s*:/.test(text.slice(at, at + gapMax)), filler)
  }
  return filled
}

/** The beginning of a text, a number, or a truth value. */
const token = /"|-?\d[\d.eE+-]*|true|false/g

/** White space between a key and its colon is short, or the key is taken for a text. */
const gapMax = 100

function fillToken(found: string, isKey: boolean, filler: Filler): string {
  if (found === '') return ''
  if (found.startsWith('"')) {
    const said: string = JSON.parse(found)
    return isKey && isPlainKey(said) ? found : JSON.stringify(filler.text(said))
  }
  if (found === 'true' || found === 'false') return String(filler.boolean(found === 'true'))
  return String(filler.number(found))
}

/** The place behind the quote that closes a text: one with an even number of backslashes before it. */
function endOfText(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let from = quote
    while (text[from - 1] === '\\') from--
    if ((quote - from) % 2 === 0) return quote + 1
  }
  return text.length
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
