import type { Message, Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { defineRule, type Page, shown } from '../rule.ts'

export const unpairedProviderCall = defineRule({
  id: 'unpaired-provider-call',
  check(scene, report) {
    const halves = new Map<Message, Part[]>()
    const { waiting, pairing } = scene
    const hosted = pairing.calls.filter(call => call.part.hosted && !call.answer && !waiting.has(call))
    const alone = hosted.map(({ step, part }) => ({ message: step.message, part }))
    for (const { message, part } of [...pairing.halves, ...alone]) {
      if (scene.continues && part.kind === 'result') continue
      // The provider may run it under another id once it has the answer to its request.
      if (part.kind === 'call' && part.approval === 'forwarded') continue
      const known = halves.get(message)
      if (known) known.push(part)
      else halves.set(message, [part])
    }
    for (const [message, parts] of halves) {
      const part = parts[0] as Extract<Part, { id: string }>
      report({
        message,
        part,
        callId: part.id,
        text: `the provider's own ${part.kind} ${shown(part.id)} lacks its other half`,
        fix: { title: 'leave it out', class: 'lossy', apply: draft => dropParts(draft, message.key, parts) },
      })
    }
  },
})

export const page: Page = {
  summary: 'A call that the provider itself runs lacks its other half.',
  why: 'Nobody but the provider can give such a result. At the end of a history the call may wait, elsewhere it is refused.',
  fix: 'The half that is left goes.',
}
