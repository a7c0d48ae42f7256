import type { Message, Part } from '../../conversation.ts'
import { acceptsId, type IdForm, mintId } from '../../ids.ts'
import { defineRule, type Page, shortenId } from '../rule.ts'

export const malformedId = defineRule({
  id: 'malformed-id',
  check(context, report) {
    const form = context.facts.ids
    if (!context.messages.some(({ parts }) => parts.some(part => isDoubtful(part, form)))) return
    const taken = new Set<string>()
    const minted = new Set<string>()
    const places = new Map<string, [Place, ...Place[]]>()
    const visit = (place: Place): void => {
      const known = places.get(place.part.id)
      if (known) known.push(place)
      else places.set(place.part.id, [place])
    }
    const lost = new Set<Part>()
    const { waiting, pairing } = context
    for (const call of pairing.calls)
      if (call.part.providerRun && !call.answer && !waiting.has(call)) lost.add(call.part)
    for (const message of context.messages) {
      for (let slot = 0; slot < message.parts.length; slot++) {
        const part = message.parts[slot]
        if (part && hasClientId(part) && !lost.has(part)) visit({ message, slot, part })
      }
    }
    for (const [old, found] of places) {
      const isAccepted = acceptsId(form, old) && !minted.has(old)
      if (isAccepted) taken.add(old)
      if (isAccepted && !found.some(({ part }) => part.numeric)) continue
      const id = isAccepted ? old : mintId(old, form, taken)
      if (!isAccepted) minted.add(id)
      report({
        message: found[0].message,
        part: found[0].part,
        callId: old,
        text: `call id ${shortenId(old)} has a form that is rejected`,
        fix: {
          title: isAccepted ? 'write it as a string everywhere' : `rename it to ${id} everywhere`,
          class: 'lossless',
          apply: draft => {
            for (const { message, slot, part } of found) {
              const { numeric, ...rest } = part
              const was = part.kind === 'call' && id !== old ? { was: part.was ?? old } : {}
              if (numeric || id !== old) draft.rewrite(message.key, slot, { ...rest, ...was, id } as Part)
            }
          },
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A call id is too long, has characters that the provider rejects, or is a number.',
  why: 'The id comes from another provider or a gateway, and each provider accepts its own form.',
  fix: 'A new id is made from a hash of the old one, the same on both sides and in every turn.',
}

type PartWithId = Extract<Part, { id: string }>

const hasClientId = (part: Part): part is PartWithId =>
  (part.kind === 'call' || part.kind === 'result') && part.by === 'client' && part.id !== ''

/** Whether an id has another form than `form`. Most histories have none. */
const isDoubtful = (part: Part, form: IdForm): boolean =>
  hasClientId(part) && (part.numeric === true || !acceptsId(form, part.id))

interface Place {
  readonly message: Message
  readonly slot: number
  readonly part: PartWithId
}
