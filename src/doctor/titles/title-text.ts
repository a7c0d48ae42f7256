import { isRecord } from '../../core/conversation.ts'
import type { RecordContent } from '../record-format.ts'

/** A text as a title: its first line, shortened. Undefined if there is none. */
export function titleFrom(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const [line = ''] = text.slice(0, readMax).trim().split('\n', 1)
  const title = line.trim()
  return title === '' ? undefined : title.length > titleMax ? `${title.slice(0, titleMax - 1)}…` : title
}

/** The beginning of the first user message that its program did not write. */
export function openingTitle(records: Iterable<readonly RecordContent[]>): string | undefined {
  for (const contents of records)
    for (const { role, parts } of contents)
      for (const part of role === 'user' ? parts : []) {
        const title = part.kind === 'text' && !byProgram.test(part.text) ? titleFrom(part.text) : undefined
        if (title !== undefined) return title
      }
  return undefined
}

/** The same for messages with a text or a list of blocks. Cline puts a tag around the task. */
export const firstUserText = (messages: readonly unknown[]): string | undefined =>
  openingTitle(
    messages.map((message): RecordContent[] => {
      if (!isRecord(message) || message.role !== 'user') return []
      const texts = Array.isArray(message.content) ? message.content.map(textOf) : [message.content]
      const parts = texts.flatMap((text, raw) =>
        typeof text === 'string' ? [{ kind: 'text' as const, text: text.replace(/^\s*<task>/, ''), raw }] : [],
      )
      return [{ role: 'user', parts }]
    }),
  )

const textOf = (block: unknown): unknown => (isRecord(block) ? block.text : undefined)

const byProgram = /^\s*<(?:system|environment|session_context)[\w-]*>/
const readMax = 4_000
const titleMax = 80
