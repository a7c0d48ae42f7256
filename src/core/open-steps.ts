import type { Message } from './conversation.ts'
import type { Scene } from './rule.ts'

/** The assistant messages since the user last spoke, if results are all that stands behind the last of them. */
export function openSteps({ messages, cutAfter }: Scene): Message[] {
  const open: Message[] = []
  if (cutAfter) return open
  for (let position = messages.length - 1; position >= 0; position--) {
    const { role } = messages[position]
    if (role === 'assistant') open.unshift(messages[position])
    else if (role !== 'tool') break
  }
  return open
}
