import type { Conversation } from '../../core/conversation.ts'
import { describe, describeMessage } from './describe.ts'
import { shorten } from './plain.ts'

/** Describes the value at a path of a history in one line; undefined for a path that does not exist. */
export function excerpts(
  { messages, format }: Conversation,
  history: readonly unknown[],
): (at: string) => string | undefined {
  const lines = new Map<string, () => string>()
  const add = (at: string, line: () => string): void => {
    if (!lines.has(at)) lines.set(at, line)
  }
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.kind === 'call' || part.kind === 'result') add(format.locate(message, part), () => describe(part, width))
    }
    if (message.parts.length > 0 || message.role !== 'other')
      add(format.locate(message), () => describeMessage(message, width))
    else add(format.locate(message), () => shorten(JSON.stringify(history[message.origin ?? 0]) ?? '', width))
    for (const part of message.parts) add(format.locate(message, part), () => describe(part, width))
  }
  return at => lines.get(at)?.()
}

const width = 60
