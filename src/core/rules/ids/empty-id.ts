import type { CallPart } from '../../conversation.ts'
import { mintId } from '../../ids.ts'
import type { CallStep, PairedCall } from '../../pairing/paired-calls.ts'
import { type Defect, defineRule, type Page, type RuleContext, shortenId } from '../rule.ts'

export const emptyId = defineRule({
  id: 'empty-id',
  appliesTo: (_, format) => !format.idless,
  check(context, report) {
    let ordinal = 0
    let taken: Set<string> | undefined
    const isShared = sharing()
    const isClaimed = claimedByResult(context)
    for (const call of context.pairing.calls) {
      ordinal++
      if (call.part.callKind === 'legacy') continue
      if (call.part.id === '') {
        const { freshId } = context.choices
        taken ??= context.takenIds()
        const id = freshId
          ? freshId(call.part)
          : (keptId(call, taken, isClaimed) ?? mintId(`call ${ordinal}`, context.facts.ids, taken))
        report(naming(call, id))
      } else if (call.results.some(result => result.part.id !== call.part.id) && !isShared(call))
        report(naming(call, call.part.id))
    }
  },
})

export const page: Page = {
  summary: 'A call or its result has no id, or a result has an id different from that of its call.',
  why: 'Providers match a result to its call by the id, and reject a missing one.',
  fix: 'A call takes the id of its result if no other call has it, or an id made from its position. A result takes the id of the call that it answers by name and order, by position, or by item id.',
}

/**
 * Whether another call of the step has the same id: a result must not take that id before the calls have different
 * ones.
 */
function sharing(): (call: PairedCall) => boolean {
  const counts = new Map<CallStep, Map<string, number>>()
  return ({ step, part }) => {
    let known = counts.get(step)
    if (!known) {
      known = new Map()
      for (const { part } of step.calls) known.set(part.id, (known.get(part.id) ?? 0) + 1)
      counts.set(step, known)
    }
    return known.get(part.id) !== 1
  }
}

/** Whether an unpaired result before the call has this id: with the id the call would get that result. */
function claimedByResult({ pairing }: RuleContext): (id: string, call: PairedCall) => boolean {
  let first: Map<string, number> | undefined
  return (id, { step }) => {
    if (!first) {
      first = new Map()
      for (const { call, part, position } of pairing.results)
        if (!call && !first.has(part.id)) first.set(part.id, position)
    }
    return (first.get(id) ?? step.position) < step.position
  }
}

/** The id of its result, if no other call has it and no unpaired result has it. It is marked as taken. */
function keptId(
  call: PairedCall,
  taken: Set<string>,
  isClaimed: ReturnType<typeof claimedByResult>,
): string | undefined {
  const id = call.results.find(result => result.part.id !== '')?.part.id
  if (id === undefined || taken.has(id) || isClaimed(id, call)) return undefined
  taken.add(id)
  return id
}

function naming({ part, slot, step, results }: PairedCall, id: string | undefined): Defect {
  if (id === undefined) return { message: step.message, part, text: noId(part), help: noFix }
  const lost = results.filter(result => result.part.id !== id)
  const isCall = part.id === ''
  const [at = { message: step.message, part }] = isCall ? [] : lost
  return {
    message: at.message,
    part: at.part,
    callId: id,
    text: isCall ? noId(part) : `a result of call ${shortenId(id)} does not have its id`,
    fix: {
      title: `give it the id ${shortenId(id)}`,
      class: 'lossless',
      apply: draft => {
        if (isCall) draft.rewrite(step.message.key, slot, { ...part, id })
        for (const result of lost) draft.rewrite(result.message.key, result.slot, { ...result.part, id })
      },
    },
  }
}

const noId = ({ name }: CallPart): string => `the call of ${shortenId(name) || 'a tool'} has no id`

const noFix = 'None: the store has no room for an id.'
