import type { Message, Part } from './conversation.ts'
import { present } from './invariant.ts'

/** One message from several of one role, in their order. Calls go last, so that their results can follow. */
export function mergeMessages(messages: readonly Message[]): Message {
  const first = present(messages[0], 'only a list with messages is merged')
  const lead: Part[] = []
  const calls: Part[] = []
  const merged: number[] = [...(first.merged ?? [])]
  for (const message of messages) {
    for (const part of message.parts) (part.kind === 'call' && part.by === 'client' ? calls : lead).push(part)
  }
  for (const message of messages.slice(1)) {
    if (message.origin !== undefined) merged.push(message.origin)
    if (message.merged) for (const origin of message.merged) merged.push(origin)
  }
  const { blank, emptyCalls, prefix, ...kept } = first
  return {
    ...kept,
    ...(blank !== undefined && !lead.some(part => part.kind !== 'reasoning') ? { blank } : {}),
    ...(messages.at(-1)?.prefix ? { prefix: true as const } : {}),
    parts: [...lead, ...calls],
    merged,
  }
}
