import { isUtf8 } from 'node:buffer'
import { isRecord } from '../../../core/conversation.ts'

/** The record that bytes are, if they are one. */
export function recordIn(bytes: Buffer): Record<string, unknown> | undefined {
  if (!isUtf8(bytes)) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString().replace(/^\uFEFF/, ''))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The whole records in a line that is none as a whole, since a write was cut, and what else stands there. */
export function salvage(bytes: Buffer): { readonly whole: readonly Buffer[]; readonly rest: string } {
  const starts = startsIn(bytes)
  const whole: Buffer[] = []
  let rest = ''
  let at = 0
  for (const [index, start] of starts.entries()) {
    if (start < at) continue
    const end = [bytes.length, ...starts.slice(index + 1)].find(end => recordIn(bytes.subarray(start, end)))
    if (end === undefined) continue
    rest += bytes.subarray(at, start).toString()
    whole.push(Buffer.from(bytes.subarray(start, end)))
    at = end
  }
  return { whole, rest: rest + bytes.subarray(at).toString() }
}

/** Where a record may begin: inside a text the quotation marks would be escaped, and no content is called so. */
function startsIn(bytes: Buffer): number[] {
  const starts = openings.flatMap(opening => {
    const found: number[] = []
    for (let at = bytes.indexOf(opening); at >= 0 && found.length < startsMax; at = bytes.indexOf(opening, at + 1))
      found.push(at)
    return found
  })
  return starts.sort((a, b) => a - b)
}

const openings = ['{"type": "message"', '{"type":"message"', '{"type": "chat_message"', '{"type":"chat_message"']
const startsMax = 32
