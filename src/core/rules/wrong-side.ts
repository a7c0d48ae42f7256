import { type Message, madeUpCall, type Part, type ResultPart, type Wire } from '../conversation.ts'
import { type Draft, dropParts } from '../edit.ts'
import { defineRule, shown } from '../rule.ts'

export const wrongSide = defineRule({
  id: 'wrong-side',
  severity: 'error',
  summary: 'A call stands in a user or system message, or a result in an assistant message.',
  why: 'Only the assistant calls and only the client answers; anything else is refused.',
  fix: 'The call goes into an assistant message of its own, the result behind it. A call that is nowhere is made up from what the result says.',
  appliesTo: () => true,
  check(scene, report) {
    const { pairing } = scene
    const answered = new Set(pairing.results.filter(result => result.call).map(result => result.part))
    const misfiled = new Set<string>()
    for (const { role, parts } of scene.messages) {
      if (role === 'assistant') continue
      for (const part of parts)
        if (part.kind === 'call' && part.by === 'client' && part.id !== '') misfiled.add(part.id)
    }
    for (const message of scene.messages) {
      if (message.role === 'assistant') {
        const strays = message.parts.filter(
          (part): part is ResultPart => part.kind === 'result' && part.by === 'client',
        )
        if (strays.length === 0) continue
        const alone = new Set<Part>(
          strays.filter(part => !answered.has(part) && !misfiled.has(part.id) && !scene.continues),
        )
        report({
          message,
          part: strays[0],
          callId: strays[0].id,
          text: `the result of call ${shown(strays[0].id)} stands in an assistant message`,
          fix: {
            title: alone.size > 0 ? 'make it a result behind a call made up for it' : 'make it a result',
            class: alone.size > 0 ? 'synthetic' : 'lossless',
            apply: draft => takeOut(draft, scene.wire, message.key, new Set(strays), alone),
          },
        })
      } else if ((message.role === 'user' || message.role === 'system') && message.parts.some(isClientCall)) {
        report({
          message,
          text: `a call stands in a ${message.role} message`,
          fix: {
            title: 'put it into an assistant message',
            class: 'lossless',
            apply: draft => divide(draft, message.key),
          },
        })
      }
    }
  },
})

const isClientCall = (part: Part): boolean => part.kind === 'call' && part.by === 'client'

/** The results go behind what stands in front of them in the message, and what stands behind them goes behind them. */
function takeOut(draft: Draft, wire: Wire, key: number, strays: ReadonlySet<Part>, alone: ReadonlySet<Part>): void {
  const { parts } = draft.get(key) as Message
  const lead = parts.findIndex(part => strays.has(part))
  let place = key
  let piece: Part[] = []
  const flush = (): void => {
    if (piece.length > 0) place = draft.insert(place, { role: 'assistant', parts: piece })
    piece = []
  }
  for (const part of parts.slice(lead)) {
    if (part.kind !== 'result' || !strays.has(part)) {
      piece.push(part)
      continue
    }
    flush()
    if (alone.has(part)) place = draft.insert(place, { role: 'assistant', parts: [madeUpCall(wire, part, part.id)] })
    const { slot: _, ...bare } = part
    place = draft.insert(place, { role: 'tool', parts: [bare] })
  }
  flush()
  dropParts(draft, key, parts.slice(lead))
}

/** Runs of calls become assistant messages, what stands between them keeps its role. */
function divide(draft: Draft, key: number): void {
  const message = draft.get(key) as Message
  let place = draft.before(key)
  let run: Part[] = []
  const flush = (calls: boolean): void => {
    if (run.length > 0) place = draft.insert(place, { role: calls ? 'assistant' : message.role, parts: run })
    run = []
  }
  let calls = isClientCall(message.parts[0])
  for (const part of message.parts) {
    if (isClientCall(part) !== calls) {
      flush(calls)
      calls = !calls
    }
    run.push(part)
  }
  flush(calls)
  draft.remove(key)
}
