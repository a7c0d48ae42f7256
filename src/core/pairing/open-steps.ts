import type { Format, Message } from '../conversation.ts'
import type { RuleContext } from '../rules/rule.ts'
import { sharesWith } from '../sharing.ts'

/**
 * The assistant messages of the current turn: those since the last user message, if only results follow the last of
 * them. User text in one message with results does not end the turn, nor do system messages.
 */
export function openSteps({ messages, cutAfter, format }: RuleContext): Message[] {
  const open: Message[] = []
  if (cutAfter) return open
  for (let end = messages.length; end > 0; ) {
    let start = end - 1
    while (areMerged(messages[start - 1], messages[start], format)) start--
    const merged = messages.slice(start, end)
    const [first] = merged
    if (first?.role === 'assistant') open.push(first)
    else if (first?.role !== 'system' && !merged.some(message => message.role === 'tool')) break
    end = start
  }
  return open.reverse()
}

/** In formats where results are separate messages, an SDK that writes them as blocks joins them with adjacent user text. */
function areMerged(before: Message | undefined, message: Message | undefined, { shares }: Format): boolean {
  if (!before || !message) return false
  return shares ? sharesWith(before, message) : canMerge(before) && canMerge(message)
}

const canMerge = ({ role }: Message): boolean => role === 'tool' || role === 'user'
