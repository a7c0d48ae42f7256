import { endOfString } from '../../core/json/json-spans.ts'
import { tryParseJson } from '../../core/json/try-parse-json.ts'
import type { Filler } from './filler.ts'

/** Whether a key looks like a field name; any other key may be content. */
export const isPlainKey = (key: string): boolean => /^[A-Za-z_$][\w$.-]{0,63}$/.test(key)

/**
 * JSON text with its values replaced by filler. Invalid JSON stays invalid, and white space is kept. It works token by token and builds
 * no tree, so the nesting depth does not matter.
 */
export function fillJson(text: string, filler: Filler): string {
  if (tryParseJson(text) === undefined) {
    const filled = filler.text(text)
    return tryParseJson(filled) !== undefined ? '{' : filled
  }
  let filled = ''
  for (let at = 0; at < text.length; ) {
    token.lastIndex = at
    const start = token.exec(text)?.index ?? text.length
    filled += text.slice(at, start)
    at = text[start] === '"' ? endOfString(text, start) : token.lastIndex || text.length
    filled += fillToken(text.slice(start, at), /^\s*:/.test(text.slice(at, at + gapMax)), filler)
  }
  return filled
}

/** The start of a string, a number, or a boolean. */
const token = /"|-?\d[\d.eE+-]*|true|false/g

/** With more white space between a key and its colon, the key is treated as a value. */
const gapMax = 100

function fillToken(found: string, isKey: boolean, filler: Filler): string {
  if (found === '') return ''
  if (found.startsWith('"')) {
    const text: string = JSON.parse(found)
    return JSON.stringify(isKey ? filler.fieldName(text) : filler.text(text))
  }
  if (found === 'true' || found === 'false') return String(filler.boolean(found === 'true'))
  return String(filler.number(found))
}
