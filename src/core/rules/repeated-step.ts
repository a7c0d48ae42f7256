import type { Message, Part } from '../conversation.ts'
import type { Draft } from '../edit.ts'
import { equal } from '../equal.ts'
import type { Call, Result } from '../pairing.ts'
import { isPlaceholder } from '../placeholder.ts'
import { defineRule, type Finding, shown } from '../rule.ts'

export const repeatedStep = defineRule({
  id: 'repeated-step',
  severity: 'error',
  summary: 'A call stands in the same turn again.',
  why: 'A client sent part of its history twice. Its call ids mean one call each, and a reader refuses the second one.',
  fix: 'The first copy stays. The later call goes, with a result that says the same; the only real result goes to the first copy.',
  appliesTo: (_, wire) => wire.callsOnce === true,
  check(scene, report) {
    const { messages, pairing } = scene
    const turns = new Int32Array(messages.length + 1)
    for (let position = 0; position < messages.length; position++) {
      turns[position + 1] = turns[position] + (messages[position].role === 'user' ? 1 : 0)
    }
    const known = new Map<string, Call>()
    for (const step of pairing.steps) {
      const copies: Copy[] = []
      for (const call of step.calls) {
        const first = known.get(call.part.id)
        if (first?.step === step) continue
        const isLater = first && turns[first.step.position] === turns[step.position]
        if (isLater && isCopy(first, call)) copies.push({ call, first })
        else if (call.part.id !== '') known.set(call.part.id, call)
      }
      if (copies.length > 0) report(dropping(step.message, copies))
    }
  },
})

interface Copy {
  readonly call: Call
  readonly first: Call
}

const dropping = (message: Message, copies: readonly Copy[]): Finding => ({
  message,
  part: copies[0].call.part,
  callId: copies[0].call.part.id,
  text: `call ${shown(copies[0].call.part.id)} stands in this turn already`,
  fix: { title: 'drop the later copy', class: 'lossless', apply: draft => drop(draft, message.key, copies) },
})

/** The same call, whose results say nothing new, or the first that is real. */
const isCopy = (first: Call, again: Call): boolean =>
  first.part.name === again.part.name &&
  equal(first.part.input, again.part.input) &&
  (!first.answer || isPlaceholder(first.answer.part) || again.results.every(result => isKnown(first, result)))

const isKnown = ({ answer }: Call, { part }: Result): boolean =>
  answer !== undefined && (isPlaceholder(part) || equal(answer.part.content, part.content))

/** Results that are new stay: with their call gone they answer the first one. Text that the first copy says too goes. */
function drop(draft: Draft, key: number, copies: readonly Copy[]): void {
  for (const { call, first } of copies) {
    for (const result of call.results) if (isKnown(first, result)) draft.remove(result.message.key)
  }
  const gone = new Set<Part>(copies.map(({ call }) => call.part))
  const rest = draft.get(key)?.parts.filter(part => !gone.has(part)) ?? []
  const said = new Set([...new Set(copies.map(({ first }) => first.step.message))].flatMap(textsOf))
  if (rest.every(part => part.kind === 'text' && said.has(part.text))) draft.remove(key)
  else draft.update(key, message => ({ ...message, parts: rest }))
}

const textsOf = ({ parts }: Message): string[] => parts.flatMap(part => (part.kind === 'text' ? [part.text] : []))
