import { mintId } from '../../ids.ts'
import type { Call, Step } from '../../pairing/pairs.ts'
import { defineRule, type Finding, type Page, type Scene, shown } from '../rule.ts'

export const emptyId = defineRule({
  id: 'empty-id',
  appliesTo: (_, wire) => !wire.idless,
  check(scene, report) {
    let ordinal = 0
    const isShared = sharing()
    const isAwaited = awaited(scene)
    for (const call of scene.pairing.calls) {
      ordinal++
      if (call.part.sort === 'legacy') continue
      if (call.part.id === '')
        report(
          naming(call, keptId(call, scene, isAwaited) ?? mintId(`call ${ordinal}`, scene.facts.ids, scene.callIds)),
        )
      else if (call.results.some(result => result.part.id !== call.part.id) && !isShared(call))
        report(naming(call, call.part.id))
    }
  },
})

export const page: Page = {
  summary: 'A call or its result has no id, or a result has an id different from that of its call.',
  why: 'Providers match a result to its call by the id, and reject a missing one.',
  fix: 'A call takes the id of its result if no other call has it, or an id made from its position. A result takes the id of the call that it answers by name and order, by position, or by item id.',
}

/** Whether a call beside it has the same id: a result must not take that one before they are told apart. */
function sharing(): (call: Call) => boolean {
  const counts = new Map<Step, Map<string, number>>()
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

/** Whether a result without a call, before this one, has an id: with that id the call would take the result. */
function awaited({ pairing }: Scene): (id: string, call: Call) => boolean {
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

/** The id that a result kept, if no other call has it and no result waits for it. It is marked as taken. */
function keptId(call: Call, { callIds }: Scene, isAwaited: ReturnType<typeof awaited>): string | undefined {
  const id = call.results.find(result => result.part.id !== '')?.part.id
  if (id === undefined || callIds.has(id) || isAwaited(id, call)) return undefined
  callIds.add(id)
  return id
}

function naming({ part, slot, step, results }: Call, id: string): Finding {
  const lost = results.filter(result => result.part.id !== id)
  const isCall = part.id === ''
  return {
    message: isCall ? step.message : lost[0].message,
    part: isCall ? part : lost[0].part,
    callId: id,
    text: isCall
      ? `the call of ${shown(part.name) || 'a tool'} has no id`
      : `a result of call ${shown(id)} does not have its id`,
    fix: {
      title: `give it the id ${shown(id)}`,
      class: 'lossless',
      apply: draft => {
        if (isCall) draft.rewrite(step.message.key, slot, { ...part, id })
        for (const result of lost) draft.rewrite(result.message.key, result.slot, { ...result.part, id })
      },
    },
  }
}
