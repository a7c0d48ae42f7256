import { isObject, type JsonObject, jsonText, stringOf } from '../../json.ts'
import type { Entry } from '../../judge/entry.ts'

/** A turn is one entry, but each result in it is an entry of its own, in the order of the parts. */
export function readGemini(history: unknown[]): Entry[] {
  return history.flatMap((turn, index) => (isObject(turn) ? readTurn(turn, index) : []))
}

function readTurn(wire: JsonObject, index: number): Entry[] {
  const at = `contents[${index}]`
  const blank: Entry = { role: sideOf(wire), texts: [], media: false, calls: [], wire, index, at }
  const entries: Entry[] = []
  let open: Entry | undefined
  for (const [k, part] of partsOf(wire).entries()) {
    const result = resultIn(part)
    if (result) {
      entries.push(readResult(result, blank, `${at}.parts[${k}]`))
      open = undefined
      continue
    }
    if (!open) {
      open = { ...blank, texts: [], calls: [] }
      entries.push(open)
    }
    addPart(open, part, `${at}.parts[${k}]`)
  }
  return entries.length > 0 ? entries : [blank]
}

/** A turn that does not say whose it is counts as the user's. */
function sideOf({ role }: JsonObject): string {
  if (role === 'model' || role === 'assistant') return 'assistant'
  if (role === undefined || role === null || role === '' || role === 'function' || role === 'tool') return 'user'
  return stringOf(role) ?? 'unknown'
}

function readResult(result: JsonObject, blank: Entry, at: string): Entry {
  const entry: Entry = { ...blank, role: 'tool', texts: strings(result.response), at }
  const answers = stringOf(result.id)
  return answers === undefined ? entry : { ...entry, answers }
}

function addPart(entry: Entry, part: JsonObject, at: string): void {
  const call = callIn(part)
  if (call)
    entry.calls.push({ id: stringOf(call.id), name: stringOf(call.name) ?? '', args: jsonText(call.args ?? {}), at })
  else if (part.thought === true) return
  else if (typeof part.text === 'string') entry.texts.push(part.text)
  else entry.media = true
}

/** Every text in what a tool gave back. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(strings)
  return isObject(value) ? Object.values(value).flatMap(strings) : []
}

/** Clients take a text in place of a part, and one part in place of a list. */
export const partsOf = ({ parts }: JsonObject): JsonObject[] =>
  (Array.isArray(parts) ? parts : [parts]).map(part =>
    typeof part === 'string' ? { text: part } : isObject(part) ? part : {},
  )

export const callIn = (part: JsonObject): JsonObject | undefined => either(part, 'functionCall', 'function_call')

export const resultIn = (part: JsonObject): JsonObject | undefined =>
  either(part, 'functionResponse', 'function_response')

function either(part: JsonObject, camel: string, snake: string): JsonObject | undefined {
  const value = part[camel] ?? part[snake]
  return isObject(value) ? value : undefined
}
