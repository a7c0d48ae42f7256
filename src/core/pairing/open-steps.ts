import type { Message, Wire } from '../conversation.ts'
import type { Scene } from '../rules/rule.ts'
import { sharesWith } from '../sharing.ts'

/**
 * The assistant messages of the turn under way: those since the user last spoke, if results are all that stands behind the
 * last of them. What the user says in one message with results does not end the turn, and what the system says does not.
 */
export function openSteps({ messages, cutAfter, wire }: Scene): Message[] {
  const open: Message[] = []
  if (cutAfter) return open
  for (let end = messages.length; end > 0; ) {
    let start = end - 1
    while (start > 0 && areOne(messages[start - 1], messages[start], wire)) start--
    const { role } = messages[start]
    if (role === 'assistant') open.push(messages[start])
    else if (role !== 'system' && !messages.slice(start, end).some(message => message.role === 'tool')) break
    end = start
  }
  return open.reverse()
}

/** Where results are messages of their own, whoever writes them as blocks joins them with what the user says next to them. */
const areOne = (before: Message, message: Message, { shares }: Wire): boolean =>
  shares ? sharesWith(before, message) : joins(before) && joins(message)

const joins = ({ role }: Message): boolean => role === 'tool' || role === 'user'
