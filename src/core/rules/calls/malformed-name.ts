import type { CallPart } from '../../conversation.ts'
import { acceptsName, acceptsResultName, fitName } from '../../ids.ts'
import type { PairedCall, PairedResult } from '../../pairing/paired-calls.ts'
import { type Defect, defineRule, type Page } from '../rule.ts'

export const malformedName = defineRule({
  id: 'malformed-name',
  appliesTo: facts => facts.names !== undefined,
  check(context, report) {
    const form = context.facts.names
    if (!form) return
    const fitted = (name: string): string => (acceptsName(form, name) ? name : fitName(name, form))
    for (const call of context.pairing.calls) {
      if (isNamed(call.part) && !acceptsName(form, call.part.name)) report(renaming(call, fitted(call.part.name)))
    }
    for (const result of context.pairing.results) {
      const { name } = result.part
      if (name === undefined || acceptsResultName(form, name) || name === result.call?.part.name) continue
      report(matching(result, fitted(result.call?.part.name ?? name)))
    }
  },
})

export const page: Page = {
  summary: 'The name of a called tool, on the call or on its result, is empty or has a form that the provider rejects.',
  why: 'The call is rejected for its name, even if it is answered.',
  fix: 'Rejected characters become underscores, a name that is too long is cut and gets a hash, a missing name becomes unknown_tool. A result takes the name of its call.',
}

function renaming({ part, slot, step, results }: PairedCall, name: string): Defect {
  return {
    message: step.message,
    part,
    callId: part.id,
    text: part.name === '' ? 'a call has no tool name' : `the tool name ${part.name.slice(0, 80)} is rejected`,
    fix: {
      title: `name it ${name}`,
      class: part.name === '' ? 'synthetic' : 'lossless',
      apply: draft => {
        draft.rewrite(step.message.key, slot, { ...part, name })
        for (const result of results) {
          if (result.part.name !== part.name) continue
          draft.rewrite(result.message.key, result.slot, { ...result.part, name })
        }
      },
    },
  }
}

const matching = ({ part, slot, message }: PairedResult, name: string): Defect => ({
  message,
  part,
  callId: part.id,
  text:
    part.name === '' ? 'a result has no tool name' : `the tool name ${part.name?.slice(0, 80)} of a result is rejected`,
  fix: {
    title: `name it ${name}`,
    class: 'lossless',
    apply: draft => draft.rewrite(message.key, slot, { ...part, name }),
  },
})

const isNamed = (call: CallPart): boolean =>
  call.callKind === 'function' || call.callKind === 'custom' || call.callKind === 'legacy'
