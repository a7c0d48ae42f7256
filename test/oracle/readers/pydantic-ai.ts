import { isObject, type JsonObject, objects, stringOf, textOrJson } from '../../../src/strict/json.ts'
import type { HistoryEntry } from '../../../src/strict/judge/entry.ts'

/** An entry for each response, each result, each system prompt, and each run of other parts of a request. */
export function readPydanticAi(history: unknown[]): HistoryEntry[] {
  return history.flatMap((raw, index) => {
    if (!isObject(raw)) return []
    const at = `messages[${index}]`
    const parts = objects(raw.parts)
    return raw.kind === 'response' ? [readResponse(raw, parts, index, at)] : readRequest(raw, parts, index, at)
  })
}

function readResponse(raw: JsonObject, parts: JsonObject[], index: number, at: string): HistoryEntry {
  const calls = parts.flatMap((part, k) =>
    part.part_kind === 'tool-call'
      ? [
          {
            id: stringOf(part.tool_call_id),
            name: stringOf(part.tool_name),
            args: textOrJson(part.args ?? '{}') || '{}',
            at: `${at}.parts[${k}]`,
          },
        ]
      : [],
  )
  const texts = parts.filter(({ part_kind }) => part_kind === 'text').flatMap(({ content }) => stringOf(content) ?? [])
  const media = parts.some(({ part_kind }) => !['text', 'thinking', 'tool-call'].includes(String(part_kind)))
  return { role: 'assistant', texts, media, calls, raw, index, at }
}

function readRequest(raw: JsonObject, parts: JsonObject[], index: number, at: string): HistoryEntry[] {
  const entries: HistoryEntry[] = []
  let said: HistoryEntry | undefined
  for (const part of parts) {
    const entry = { texts: textsOf(part), media: hasMedia(part), calls: [], raw, index, at }
    const isResult = part.part_kind === 'tool-return' || (part.part_kind === 'retry-prompt' && part.tool_name)
    if (isResult) entries.push({ ...entry, role: 'tool', answers: stringOf(part.tool_call_id) ?? '' })
    else if (part.part_kind === 'system-prompt') entries.push({ ...entry, role: 'system' })
    else if (said) {
      said.texts.push(...entry.texts)
      said.media ||= entry.media
      continue
    } else {
      said = { ...entry, role: 'user' }
      entries.push(said)
      continue
    }
    said = undefined
  }
  return entries
}

/** Every text in a content; files have none. */
function textsOf({ content }: JsonObject): string[] {
  if (typeof content === 'string') return [content]
  if (Array.isArray(content)) return content.flatMap(item => textsOf({ content: item }))
  if (!isObject(content) || (typeof content.kind === 'string' && content.kind !== 'text-content')) return []
  return Object.entries(content).flatMap(([key, item]) => (key === 'kind' ? [] : textsOf({ content: item })))
}

const hasMedia = ({ content }: JsonObject): boolean => objects(content).some(({ kind }) => kind !== undefined)
