import type { CallPart, Message } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { mintId } from '../../ids.ts'
import { equal } from '../../json/equal.ts'
import type { PairedCall } from '../../pairing/paired-calls.ts'
import { type Defect, defineRule, type Page, shortenId } from '../rule.ts'

export const duplicateCallId = defineRule({
  id: 'duplicate-call-id',
  check(context, report) {
    const everywhere = context.facts.uniqueIds === 'history'
    const { waiting } = context
    const seen = new Map<string, PairedCall>()
    const counts = new Map<string, number>()
    let taken: Set<string> | undefined
    for (const step of context.pairing.steps) {
      if (!everywhere) seen.clear()
      const copies: PairedCall[] = []
      for (const call of step.calls) {
        const { id } = call.part
        if (id === '' || (isLost(call) && !waiting.has(call))) continue
        const first = seen.get(id)
        if (!first) {
          seen.set(id, call)
        } else if (first?.step === step && call.results.length === 0 && isSame(first.part, call.part)) {
          copies.push(call)
        } else {
          const count = (counts.get(id) ?? 1) + 1
          counts.set(id, count)
          const { freshId } = context.choices
          const seed = `${id} again ${count}`
          taken ??= context.takenIds()
          report(renaming(call, freshId ? freshId(call.part) : mintId(seed, context.facts.ids, taken)))
        }
      }
      const [copy] = copies
      if (copy) report(dropping(step.message, copy, copies))
    }
  },
})

export const page: Page = {
  summary: 'Two calls have the same id.',
  why: 'A result can no longer be matched to one of them. Most providers accept an id that is used again in a later turn.',
  fix: 'The later call and its result get a new id. A call that appears twice in one step and was answered once counts as one call.',
}

/** A call that a provider ran elsewhere and that has no result is removed, unless it was approved and runs next. */
const isLost = ({ part, answer }: PairedCall): boolean => part.providerRun === true && !answer

const isSame = (a: CallPart, b: CallPart): boolean => a.name === b.name && equal(a.input, b.input)

function renaming({ part, slot, step, results }: PairedCall, id: string | undefined): Defect {
  const text = `call id ${shortenId(part.id)} is also the id of an earlier call`
  const defect = { message: step.message, part, callId: part.id, text }
  if (id === undefined) return { ...defect, help: 'not possible: the store has no field for another id' }
  return {
    ...defect,
    fix: {
      title: `rename it and its result to ${id}`,
      class: 'lossless',
      apply: draft => {
        draft.rewrite(step.message.key, slot, { ...part, id, was: part.was ?? part.id })
        for (const result of results) draft.rewrite(result.message.key, result.slot, { ...result.part, id })
      },
    },
  }
}

const dropping = (message: Message, { part }: PairedCall, copies: readonly PairedCall[]): Defect => ({
  message,
  part,
  callId: part.id,
  text: `call ${shortenId(part.id)} appears more than once in one step and was answered once`,
  fix: {
    title: 'keep it once',
    class: 'lossless',
    apply: draft =>
      dropParts(
        draft,
        message.key,
        copies.map(call => call.part),
      ),
  },
})
