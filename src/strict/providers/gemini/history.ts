import { isObject, type JsonObject, stringOf, textOrJson } from '../../json.ts'
import type { HistoryEntry } from '../../judge/entry.ts'

/** A turn is one entry, but each result in it is a separate entry, in the order of the parts. */
export function readGeminiHistory(history: unknown[]): HistoryEntry[] {
  return history.flatMap((turn, index) => (isObject(turn) ? readTurn(turn, index) : []))
}

function readTurn(raw: JsonObject, index: number): HistoryEntry[] {
  const at = `contents[${index}]`
  const blank: HistoryEntry = { role: sideOf(raw), texts: [], media: false, calls: [], raw, index, at }
  const entries: HistoryEntry[] = []
  let open: HistoryEntry | undefined
  for (const [k, part] of geminiParts(raw).entries()) {
    const result = functionResponseIn(part)
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

/** A turn without a role counts as the user's. */
function sideOf({ role }: JsonObject): string {
  if (role === 'model' || role === 'assistant') return 'assistant'
  if (role === undefined || role === null || role === '' || role === 'function' || role === 'tool') return 'user'
  return stringOf(role) ?? 'unknown'
}

function readResult(result: JsonObject, blank: HistoryEntry, at: string): HistoryEntry {
  const entry: HistoryEntry = { ...blank, role: 'tool', texts: strings(result.response), at }
  const answers = stringOf(result.id)
  return answers === undefined ? entry : { ...entry, answers }
}

function addPart(entry: HistoryEntry, part: JsonObject, at: string): void {
  const call = functionCallIn(part)
  if (call)
    entry.calls.push({ id: stringOf(call.id), name: stringOf(call.name) ?? '', args: textOrJson(call.args ?? {}), at })
  else if (part.thought === true) return
  else if (typeof part.text === 'string') entry.texts.push(part.text)
  else entry.media = true
}

/** Every text in a tool result. */
export function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(strings)
  return isObject(value) ? Object.values(value).flatMap(strings) : []
}

/** Clients accept a string instead of a part, and one part instead of a list. */
export const geminiParts = ({ parts }: JsonObject): JsonObject[] =>
  (Array.isArray(parts) ? parts : [parts]).map(part =>
    typeof part === 'string' ? { text: part } : isObject(part) ? part : {},
  )

export const functionCallIn = (part: JsonObject): JsonObject | undefined =>
  either(part, 'functionCall', 'function_call')

export const functionResponseIn = (part: JsonObject): JsonObject | undefined =>
  either(part, 'functionResponse', 'function_response')

function either(part: JsonObject, camel: string, snake: string): JsonObject | undefined {
  const value = part[camel] ?? part[snake]
  return isObject(value) ? value : undefined
}
