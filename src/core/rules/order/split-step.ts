import { hasClientCall, type Message, type Part, type ReasoningPart } from '../../conversation.ts'
import { equal } from '../../json/equal.ts'
import { merge } from '../../merge.ts'
import { defineRule, type Page } from '../rule.ts'

export const splitStep = defineRule({
  id: 'split-step',
  appliesTo: (facts, wire) => facts.parallelCalls === 'accept' && !wire.fused && !wire.tellsSteps,
  check(scene, report) {
    const { messages } = scene
    for (let start = 0; start < messages.length; start++) {
      if (messages[start].role !== 'assistant' || !hasClientCall(messages[start])) continue
      let end = start
      const runners = new Map<string, number>()
      const isSameStep = stepOf(messages[start], scene.wire.reasoning === 'blocks')
      while (
        end + 1 < messages.length &&
        isSameStep(messages[end + 1]) &&
        (end > start || addRunners(runners, messages[start])) &&
        addRunners(runners, messages[end + 1])
      )
        end++
      if (end === start) continue
      const run = messages.slice(start, end + 1)
      const distinct = run.filter((message, index) => index === 0 || !isCopy(run[index - 1], message))
      report({
        message: messages[start + 1],
        text: `${run.length} assistant messages in a row hold the calls of one step`,
        fix: {
          title: 'make them one message',
          class: 'lossless',
          apply: draft => {
            if (distinct.length > 1) draft.update(run[0].key, () => merge(withoutEchoes(distinct)))
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
 * Adds who runs the calls of each id in a message: the client, the provider, or both. Not if it is somebody else than
 * before: whom a result is from is told by the message of its call.
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

/** A message has room for one call of the old sort. */
const isLegacy = (part: Part): boolean => part.kind === 'call' && part.sort === 'legacy'

/**
 * Tells whether a later message holds calls of the same step as the first. Reasoning of its own tells a later step, whose calls
 * were not made together with the first ones. The first message is read once, however many follow.
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

/** Text and reasoning that were stored again with a later call belong to the step, and are said once. */
function withoutEchoes(rows: readonly Message[]): Message[] {
  const said = new Map<string, Part>()
  return rows.map(row => {
    const own = new Map<string, Part>()
    const parts = row.parts.filter(part => {
      if (part.kind !== 'text' && part.kind !== 'reasoning') return true
      const words = `${part.kind} ${part.text}`
      own.set(words, part)
      const earlier = said.get(words)
      return earlier === undefined || !equal(bare(earlier), bare(part))
    })
    for (const [words, part] of own) said.set(words, part)
    return parts.length === row.parts.length ? row : { ...row, parts }
  })
}

const isCopy = (message: Message, next: Message): boolean =>
  message.parts.length === next.parts.length &&
  next.parts.every((part, index) => equal(bare(part), bare(message.parts[index])))

const bare = ({ slot: _, ...part }: Part): unknown => part
