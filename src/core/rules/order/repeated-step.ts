import type { Message, Part } from '../../conversation.ts'
import type { Draft } from '../../edit.ts'
import { equal } from '../../json/equal.ts'
import type { PairedCall, PairedResult } from '../../pairing/paired-calls.ts'
import { isPlaceholder } from '../../placeholder.ts'
import { callLabel, type Defect, defineRule, type Page } from '../rule.ts'

export const repeatedStep = defineRule({
  id: 'repeated-step',
  appliesTo: (_, format) => format.callsOnce === true || format.fused === true,
  check(context, report) {
    const { messages, pairing, format } = context
    let users = 0
    // For each position, the number of user messages before it.
    const turns = messages.map(({ role }) => (role === 'user' ? users++ : users))
    const known = new Map<string, PairedCall>()
    const open = new Map<Message, [Copy, ...Copy[]]>()
    const textsOf = textsByMessage()
    for (const step of pairing.steps) {
      const copies: Copy[] = []
      for (const call of step.calls) {
        const first = known.get(call.part.id)
        if (first?.step === step) continue
        const isAgain = first && turns[first.step.position] === turns[step.position] && isSame(first, call)
        if (isAgain && format.callsOnce && isCopy(first, call)) copies.push({ call, first })
        else if (call.part.id !== '') known.set(call.part.id, call)
        if (!isAgain || !format.fused || first.answer || !isAnswered(call)) continue
        const copy = { call: first, first: call }
        const others = open.get(first.step.message)
        if (others) others.push(copy)
        else open.set(first.step.message, [copy])
      }
      const [copy] = copies
      if (copy) report(dropping(step.message, copy, copies, textsOf))
    }
    for (const [message, copies] of open) report(dropping(message, copies[0], copies, textsOf))
  },
})

export const page: Page = {
  summary: 'A call appears twice in one turn.',
  why: 'A client sent part of its history twice. A call id identifies one call, and the provider rejects the second.',
  fix: 'The first copy stays. The later call is removed, with a result that is equal; the only real result moves to the first copy. Where a call and its result are one part, an open copy is removed and the answered one after it stays.',
}

/** A repeated call that is removed, and the one that stays. */
interface Copy {
  readonly call: PairedCall
  readonly first: PairedCall
}

const dropping = (message: Message, copy: Copy, copies: readonly Copy[], textsOf: TextsOf): Defect => ({
  message,
  part: copy.call.part,
  callId: copy.call.part.id,
  text: `${callLabel(copy.call.part.id)} appears in this turn ${isOpenCopy(copy) ? 'again, with its result' : 'already'}`,
  fix: {
    title: `drop the ${isOpenCopy(copy) ? 'open' : 'later'} copy`,
    class: 'lossless',
    apply: draft => drop(draft, message.key, copies, textsOf),
  },
})

const isOpenCopy = ({ call, first }: Copy): boolean => call.step.position < first.step.position

const isSame = ({ part }: PairedCall, again: PairedCall): boolean =>
  part.name === again.part.name && equal(part.input, again.part.input)

/** Whether it has a real result. */
const isAnswered = ({ answer }: PairedCall): boolean => answer !== undefined && !isPlaceholder(answer.part)

/** Its results add nothing new, or are the first real ones. */
const isCopy = (first: PairedCall, again: PairedCall): boolean =>
  !isAnswered(first) || again.results.every(result => isKnown(first, result))

const isKnown = ({ answer }: PairedCall, { part }: PairedResult): boolean =>
  answer !== undefined && (isPlaceholder(part) || equal(answer.part.content, part.content))

/** New results stay: with their call removed they answer the first one. Text that the first copy has too is removed. */
function drop(draft: Draft, key: number, copies: readonly Copy[], textsOf: TextsOf): void {
  for (const { call, first } of copies) {
    for (const result of call.results) if (isKnown(first, result)) draft.remove(result.message.key)
  }
  const removed = new Set<Part>(copies.map(({ call }) => call.part))
  const rest = draft.get(key)?.parts.filter(part => !removed.has(part)) ?? []
  const firsts = [...new Set(copies.map(({ first }) => first.step.message))].slice(0, firstsMax).map(textsOf)
  if (rest.every(part => firsts.some(texts => texts.has(textKey(part))))) draft.remove(key)
  else draft.update(key, message => ({ ...message, parts: rest }))
}

/** A message repeats the calls of one or a few others; comparing its text with more would make the check quadratic. */
const firstsMax = 8

type TextsOf = (message: Message) => ReadonlySet<string | undefined>

/** The texts of messages, each read once. */
function textsByMessage(): TextsOf {
  const known = new Map<Message, Set<string | undefined>>()
  return message => {
    let texts = known.get(message)
    if (!texts) {
      texts = new Set(message.parts.map(textKey).filter(text => text !== undefined))
      known.set(message, texts)
    }
    return texts
  }
}

const textKey = (part: Part): string | undefined =>
  part.kind === 'text' || part.kind === 'reasoning' ? `${part.kind} ${part.text}` : undefined
