import type { Message, ResultPart } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { equal } from '../../json/equal.ts'
import type { PairedResult } from '../../pairing/paired-calls.ts'
import { isPlaceholder } from '../../placeholder.ts'
import { callLabel, type Defect, defineRule, type Page } from '../rule.ts'

export const duplicateResult = defineRule({
  id: 'duplicate-result',
  check(context, report) {
    const surplus = new Surplus()
    for (const { results, answer } of context.pairing.calls) {
      if (!answer || results.length < 2) continue
      for (const result of results) if (result !== answer) surplus.add(result, answer)
    }
    if (context.continues) {
      const first = new Map<string, PairedResult>()
      for (const result of context.pairing.results) {
        if (result.call || result.part.id === '') continue
        const answer = first.get(result.part.id)
        if (answer) surplus.add(result, answer)
        else first.set(result.part.id, result)
      }
    }
    for (const group of surplus) report(dropping(group))
  },
})

export const page: Page = {
  summary: 'A call has more than one result.',
  why: 'Every call must be answered once.',
  fix: 'A real result is preferred to a placeholder, and a success to an error if the assistant had not continued; otherwise the first stays.',
}

/** Results of one message that add nothing to those that stay, or all other surplus results of it. */
interface Group {
  readonly message: Message
  readonly wordless: boolean
  readonly parts: [ResultPart, ...ResultPart[]]
}

/** The results to remove, grouped by message: a message is rewritten once, however many it has. */
class Surplus {
  readonly #groups = new Map<string, Group>()

  add({ message, part }: PairedResult, answer: PairedResult): void {
    const wordless =
      (equal(part.content, answer.part.content) || isPlaceholder(part)) &&
      (part.extra === undefined || equal(part.extra, answer.part.extra))
    const key = `${message.key} ${wordless}`
    const group = this.#groups.get(key)
    if (group) group.parts.push(part)
    else this.#groups.set(key, { message, wordless, parts: [part] })
  }

  [Symbol.iterator](): Iterator<Group> {
    return this.#groups.values()
  }
}

const dropping = ({ message, parts, wordless }: Group): Defect => ({
  message,
  part: parts[0],
  callId: parts[0].id,
  text: `${callLabel(parts[0].id)} has another result`,
  fix: {
    title: wordless ? 'remove this one, which adds nothing' : 'remove this one',
    class: wordless ? 'lossless' : 'lossy',
    apply: draft => dropParts(draft, message.key, parts),
  },
})
