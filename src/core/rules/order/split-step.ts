import { hasClientCall, type Message, type Part, type ReasoningPart } from '../../conversation.ts'
import { equal } from '../../json/equal.ts'
import { mergeMessages } from '../../merge-messages.ts'
import { defineRule, type Page } from '../rule.ts'

export const splitStep = defineRule({
  id: 'split-step',
  appliesTo: (facts, format) => facts.parallelCalls === 'accept' && !format.fused && !format.marksSteps,
  check(context, report) {
    const { messages } = context
    for (let start = 0; start < messages.length; start++) {
      const first = messages[start]
      if (first?.role !== 'assistant' || !hasClientCall(first)) continue
      let end = start
      const runners = new Map<string, number>()
      const isSameStep = stepOf(first, context.format.reasoning === 'blocks')
      let next = messages[end + 1]
      while (next && isSameStep(next) && (end > start || addRunners(runners, first)) && addRunners(runners, next))
        next = messages[++end + 1]
      const second = messages[start + 1]
      if (end === start || !second) continue
      const run = messages.slice(start, end + 1)
      const distinct = run.filter((message, index) => !isCopy(run[index - 1], message))
      report({
        message: second,
        text: `${run.length} assistant messages in a row hold the calls of one step`,
        fix: {
          title: 'make them one message',
          class: 'lossless',
          apply: draft => {
            if (distinct.length > 1) draft.update(first.key, () => mergeMessages(withoutEchoes(distinct)))
            for (const message of run.slice(1)) draft.remove(message.key)
          },
        },
      })
      start = end
    }
  },
})

export const page: Page = {
  summary: 'Parallel calls were stored as separate assistant messages.',
  why: 'All but the last are followed by an assistant message instead of their results.',
  fix: 'They become one message, with the text before the calls. Text that was stored with each of them is kept once.',
}

/**
 * Records who runs the calls of each id in a message: the client, the provider, or both. Returns false if that differs
 * from earlier messages: a result is matched to its runner by the message of its call.
 */
function addRunners(runners: Map<string, number>, { parts }: Message): boolean {
  const own = new Map<string, number>()
  for (const part of parts)
    if (part.kind === 'call' && part.id !== '')
      own.set(part.id, (own.get(part.id) ?? 0) | (part.by === 'client' ? 1 : 2))
  for (const [id, who] of own) if ((runners.get(id) ?? who) !== who) return false
  for (const [id, who] of own) runners.set(id, who)
  return true
}

/** A message holds at most one legacy call. */
const isLegacy = (part: Part): boolean => part.kind === 'call' && part.callKind === 'legacy'

/**
 * Returns a test whether a later message holds calls of the same step as the first. Reasoning of its own marks a later
 * step. The first message is read once, however many follow.
 */
function stepOf(first: Message, signed: boolean): (next: Message) => boolean {
  const before = first.parts.find(isReasoning)
  const hasLegacy = first.parts.some(isLegacy)
  return next => {
    if (hasLegacy || next.role !== 'assistant' || !hasClientCall(next) || next.parts.some(isLegacy)) return false
    const own = next.parts.find(isReasoning)
    if (!own) return true
    return signed || !before ? isCopy(first, next) : own.text === before.text
  }
}

const isReasoning = (part: Part): part is ReasoningPart => part.kind === 'reasoning'

/** Removes text and reasoning that were stored again with a later call of the step. */
function withoutEchoes(rows: readonly Message[]): Message[] {
  const seen = new Map<string, Part>()
  return rows.map(row => {
    const own = new Map<string, Part>()
    const parts = row.parts.filter(part => {
      if (part.kind !== 'text' && part.kind !== 'reasoning') return true
      const key = `${part.kind} ${part.text}`
      own.set(key, part)
      const earlier = seen.get(key)
      return earlier === undefined || !equal(bare(earlier), bare(part))
    })
    for (const [key, part] of own) seen.set(key, part)
    return parts.length === row.parts.length ? row : { ...row, parts }
  })
}

const isCopy = (message: Message | undefined, next: Message): boolean =>
  message?.parts.length === next.parts.length &&
  next.parts.every((part, index) => isSamePart(message.parts[index], part))

const isSamePart = (part: Part | undefined, next: Part): boolean => part !== undefined && equal(bare(next), bare(part))

const bare = ({ slot: _, ...part }: Part): unknown => part
