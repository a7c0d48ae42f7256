import type { Message } from '../../core/conversation.ts'
import type { MessageGroup } from '../shared/message-groups.ts'

/**
 * Divides adjacent results and approval answers into the tool messages that they are written in. Those that were read from
 * one message stay in one, with everything between them. Made-up results join the message before them.
 *
 * The library looks for the result of a call only in the message that answers its approval request, and adds another if there
 * is none: so made-up results share a message with every answer after them.
 */
export function toolMessages(run: readonly Message[]): MessageGroup[] {
  const lastOf = lastOfMessage(run)
  const groups: MessageGroup[] = []
  let group: MessageGroup | undefined
  let end = -1
  for (const [index, message] of run.entries()) {
    const last = lastOf(message, index)
    const isLoose = message.origin === undefined && last === index
    if (group && (index <= end || isLoose)) group.push(message)
    else {
      group = [message]
      groups.push(group)
    }
    end = Math.max(end, last)
  }
  return groups
}

/** For each message of a run, the index of the last one that must share its message. */
function lastOfMessage(run: readonly Message[]): (message: Message, index: number) => number {
  const last = new Map<number, number>()
  let answer = -1
  for (const [index, message] of run.entries()) {
    if (message.origin !== undefined) last.set(message.origin, index)
    if (answersRequest(message)) answer = index
  }
  return ({ origin }, index) => (origin === undefined ? Math.max(index, answer) : (last.get(origin) ?? index))
}

const answersRequest = ({ parts }: Message): boolean =>
  parts.some(part => part.kind === 'other' && part.approval?.kind === 'answer')
