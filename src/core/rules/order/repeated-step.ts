import type { Message, Part } from '../../conversation.ts'
import type { Draft } from '../../edit.ts'
import { equal } from '../../json/equal.ts'
import type { Call, Result } from '../../pairing/pairs.ts'
import { isPlaceholder } from '../../placeholder.ts'
import { callOf, defineRule, type Finding, type Page } from '../rule.ts'

export const repeatedStep = defineRule({
  id: 'repeated-step',
  appliesTo: (_, wire) => wire.callsOnce === true || wire.fused === true,
  check(scene, report) {
    const { messages, pairing, wire } = scene
    const turns = new Int32Array(messages.length + 1)
    for (let position = 0; position < messages.length; position++) {
      turns[position + 1] = turns[position] + (messages[position].role === 'user' ? 1 : 0)
    }
    const known = new Map<string, Call>()
    const open = new Map<Message, Copy[]>()
    const said = wordsByMessage()
    for (const step of pairing.steps) {
      const copies: Copy[] = []
      for (const call of step.calls) {
        const first = known.get(call.part.id)
        if (first?.step === step) continue
        const isAgain = first && turns[first.step.position] === turns[step.position] && isSame(first, call)
        if (isAgain && wire.callsOnce && isCopy(first, call)) copies.push({ call, first })
        else if (call.part.id !== '') known.set(call.part.id, call)
        if (!isAgain || !wire.fused || first.answer || !isAnswered(call)) continue
        const copy = { call: first, first: call }
        const others = open.get(first.step.message)
        if (others) others.push(copy)
        else open.set(first.step.message, [copy])
      }
      if (copies.length > 0) report(dropping(step.message, copies, said))
    }
    for (const [message, copies] of open) report(dropping(message, copies, said))
  },
})

export const page: Page = {
  summary: 'A call appears twice in one turn.',
  why: 'A client sent part of its history twice. A call id identifies one call, and the provider rejects the second.',
  fix: 'The first copy stays. The later call is removed, with a result that is equal; the only real result moves to the first copy. Where a call and its result are one part, an open copy is removed and the answered one after it stays.',
}

/** A call that goes, and the one that stays for both. */
interface Copy {
  readonly call: Call
  readonly first: Call
}

const dropping = (message: Message, copies: readonly Copy[], said: WordsOf): Finding => ({
  message,
  part: copies[0].call.part,
  callId: copies[0].call.part.id,
  text: `${callOf(copies[0].call.part.id)} appears in this turn ${isOpenCopy(copies[0]) ? 'again, with its result' : 'already'}`,
  fix: {
    title: `drop the ${isOpenCopy(copies[0]) ? 'open' : 'later'} copy`,
    class: 'lossless',
    apply: draft => drop(draft, message.key, copies, said),
  },
})

const isOpenCopy = ({ call, first }: Copy): boolean => call.step.position < first.step.position

const isSame = ({ part }: Call, again: Call): boolean =>
  part.name === again.part.name && equal(part.input, again.part.input)

/** Whether there is a result that says something. */
const isAnswered = ({ answer }: Call): boolean => answer !== undefined && !isPlaceholder(answer.part)

/** Its results say nothing new, or are the first that is real. */
const isCopy = (first: Call, again: Call): boolean =>
  !isAnswered(first) || again.results.every(result => isKnown(first, result))

const isKnown = ({ answer }: Call, { part }: Result): boolean =>
  answer !== undefined && (isPlaceholder(part) || equal(answer.part.content, part.content))

/** Results that are new stay: with their call gone they answer the first one. What the first copy says too goes. */
function drop(draft: Draft, key: number, copies: readonly Copy[], said: WordsOf): void {
  for (const { call, first } of copies) {
    for (const result of call.results) if (isKnown(first, result)) draft.remove(result.message.key)
  }
  const gone = new Set<Part>(copies.map(({ call }) => call.part))
  const rest = draft.get(key)?.parts.filter(part => !gone.has(part)) ?? []
  const firsts = [...new Set(copies.map(({ first }) => first.step.message))].slice(0, firstsMax).map(said)
  if (rest.every(part => firsts.some(texts => texts.has(words(part))))) draft.remove(key)
  else draft.update(key, message => ({ ...message, parts: rest }))
}

/** A message repeats the calls of one other, or of a few: to look for its words in more would not be linear. */
const firstsMax = 8

type WordsOf = (message: Message) => ReadonlySet<string | undefined>

/** What messages say, each read once. */
function wordsByMessage(): WordsOf {
  const known = new Map<Message, Set<string | undefined>>()
  return message => {
    let texts = known.get(message)
    if (!texts) {
      texts = new Set(message.parts.map(words).filter(text => text !== undefined))
      known.set(message, texts)
    }
    return texts
  }
}

const words = (part: Part): string | undefined =>
  part.kind === 'text' || part.kind === 'reasoning' ? `${part.kind} ${part.text}` : undefined
