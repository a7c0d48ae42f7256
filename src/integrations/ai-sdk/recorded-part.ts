import { isOutput } from '../../codecs/ai-sdk/input-output.ts'
import { isRecord } from '../../core/conversation.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import type { Chunk } from './chunk.ts'

/** The arguments of a call as a value: some formats have them as text. */
export function recordedInput(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    const value: unknown = JSON.parse(input)
    return isTooDeep(value) ? input : value
  } catch {
    return input
  }
}

/** The text of a result, in any form. */
export const recordedOutput = (content: unknown): unknown =>
  isOutput(content) && 'value' in content ? content.value : (content ?? null)

/** A file that the model made, as a chat shows it. */
export function fileChunks(raw: unknown): Chunk[] {
  if (!isRecord(raw) || raw.type !== 'file' || typeof raw.data !== 'string') return []
  const mediaType = typeof raw.mediaType === 'string' ? raw.mediaType : 'application/octet-stream'
  const url = /^(https?|data):/.test(raw.data) ? raw.data : `data:${mediaType};base64,${raw.data}`
  return [{ type: 'file', mediaType, url }]
}

export const outputText = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content)
