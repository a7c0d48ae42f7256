import { type CallPart, clientCalls, type Message, type Part } from '../../conversation.ts'
import { defineRule, type Page } from '../rule.ts'

export const parallelCalls = defineRule({
  id: 'parallel-calls',
  appliesTo: facts => facts.parallelCalls === 'refuse',
  check(context, report) {
    for (const message of context.messages) {
      if (message.role !== 'assistant') continue
      const calls = clientCalls(message)
      const [, second] = calls
      if (!second) continue
      report({
        message,
        part: second,
        text: `one message holds ${calls.length} calls`,
        fix: {
          title: 'move each call to a separate message',
          class: 'lossless',
          apply: draft => {
            const [, ...later] = withRequests(calls, message)
            const moved = new Set<Part>(later.flat())
            draft.update(message.key, (now: Message) => ({
              ...now,
              parts: now.parts.filter(part => !moved.has(part)),
            }))
            let place = message.key
            for (const parts of later) place = draft.insert(place, { role: 'assistant', parts, blank: 'null' })
          },
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'One message holds several calls.',
  why: 'Some providers accept only one call per message.',
  fix: 'Each call moves to a separate message, followed by its result.',
}

/** Each call with its approval requests: they move with it. */
function withRequests(calls: readonly CallPart[], { parts }: Message): Part[][] {
  const asking = new Map<string, Part>()
  for (const part of parts) if (part.kind === 'other' && part.approval) asking.set(part.approval.id, part)
  return calls.map(call => [call, ...(call.requests ?? []).flatMap(id => asking.get(id) ?? [])])
}
