import { type CallPart, clientCalls, type Message, type Part } from '../../conversation.ts'
import type { Draft } from '../../edit.ts'
import { defineRule, type Page } from '../rule.ts'

export const parallelCalls = defineRule({
  id: 'parallel-calls',
  appliesTo: facts => facts.parallelCalls === 'refuse' || facts.callsMax !== undefined,
  check(context, report) {
    const { parallelCalls, callsMax = Number.POSITIVE_INFINITY } = context.facts
    const max = parallelCalls === 'refuse' ? 1 : callsMax
    const answers = new Map<Part, number>()
    for (const { part, answer } of context.pairing.calls)
      if (part.id === '' && answer) answers.set(part, answer.message.key)
    for (const message of context.messages) {
      if (message.role !== 'assistant') continue
      const calls = clientCalls(message)
      const spare = calls[max]
      if (!spare) continue
      report({
        message,
        part: spare,
        text: `one message holds ${calls.length} calls`,
        fix: {
          title: max === 1 ? 'move each call to a separate message' : `move the calls after the first ${max} to others`,
          class: 'lossless',
          apply: draft => {
            const [first = [], ...later] = inGroups(withRequests(calls, message), max)
            const moved = new Set<Part>(later.flat())
            draft.update(message.key, (now: Message) => ({
              ...now,
              parts: now.parts.filter(part => !moved.has(part)),
            }))
            let place = moveAnswers(draft, first, message.key, answers)
            for (const parts of later) {
              const key = draft.insert(place, { role: 'assistant', parts, blank: 'null' })
              place = moveAnswers(draft, parts, key, answers)
            }
          },
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'One message holds more calls than the provider accepts.',
  why: 'Some providers accept only one call per message, others a limited number. A history of another provider may have more.',
  fix: 'The calls move to messages with as many as are accepted, each followed by their results.',
}

/** Moves the results of calls without ids after them: once the calls are apart, nothing else shows which is whose. */
function moveAnswers(draft: Draft, parts: readonly Part[], after: number, answers: ReadonlyMap<Part, number>): number {
  let place = after
  for (const part of parts) {
    const key = answers.get(part)
    if (key === undefined) continue
    draft.move(key, place)
    place = key
  }
  return place
}

/** The parts of calls in groups of so many calls. */
const inGroups = (calls: readonly Part[][], max: number): Part[][] =>
  Array.from({ length: Math.ceil(calls.length / max) }, (_, group) =>
    calls.slice(group * max, (group + 1) * max).flat(),
  )

/** Each call with its approval requests: they move with it. */
function withRequests(calls: readonly CallPart[], { parts }: Message): Part[][] {
  const asking = new Map<string, Part>()
  for (const part of parts) if (part.kind === 'other' && part.approval) asking.set(part.approval.id, part)
  return calls.map(call => [call, ...(call.requests ?? []).flatMap(id => asking.get(id) ?? [])])
}
