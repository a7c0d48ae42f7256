import type { Message } from '../../core/conversation.ts'

/**
 * Divides adjacent results and approval answers into the tool messages that they are written in. Those that were read from
 * one message stay in one, with everything between them. Made-up results join the message before them.
 *
 * The library looks for the result of a call only in the message that answers its approval request, and adds another if there
 * is none: so made-up results share a message with every answer after them.
 */
export function toolMessages(run: readonly Message[]): Message[][] {
  const last = lastOfMessage(run)
  const groups: Message[][] = []
  for (let start = 0; start < run.length; ) {
    let end = start
    for (let index = start; index <= end; index++) end = Math.max(end, last[index])
    while (end + 1 < run.length && run[end + 1].origin === undefined && last[end + 1] === end + 1) end++
    groups.push(run.slice(start, end + 1))
    start = end + 1
  }
  return groups
}

/** For each place the last one that must share its message. */
function lastOfMessage(run: readonly Message[]): number[] {
  const last = new Map<number, number>()
  let answer = -1
  for (const [index, message] of run.entries()) {
    if (message.origin !== undefined) last.set(message.origin, index)
    if (answersRequest(message)) answer = index
  }
  return run.map(({ origin }, index) => (origin === undefined ? Math.max(index, answer) : (last.get(origin) ?? index)))
}

const answersRequest = ({ parts }: Message): boolean =>
  parts.some(part => part.kind === 'other' && part.approval?.kind === 'answer')
