import { isUtf8 } from 'node:buffer'
import { isRecord } from '../../../core/conversation.ts'

/** The record in these bytes, if they are one. */
export function recordIn(bytes: Buffer): Record<string, unknown> | undefined {
  if (!isUtf8(bytes)) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString().replace(/^\uFEFF/, ''))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The complete records in a line whose write was cut off, and the rest of its text. */
export function recoverRecords(bytes: Buffer): { readonly whole: readonly Buffer[]; readonly rest: string } {
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

/** Where a record may begin: inside a string the quotation marks would be escaped, and no content has these keys. */
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
