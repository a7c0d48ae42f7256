import type { Choices, EditClass } from '../../choices.ts'
import {
  type Format,
  isRecord,
  type Message,
  madeUpCall,
  type Part,
  type ResultPart,
  resultText,
} from '../../conversation.ts'
import type { Draft } from '../../edit.ts'
import { mintId } from '../../ids.ts'
import { equal } from '../../json/equal.ts'
import { jsonText } from '../../json/json-text.ts'
import type { PairedResult } from '../../pairing/paired-calls.ts'
import { isPlaceholder } from '../../placeholder.ts'
import { quoteLabel, quoteLines } from '../../quote.ts'
import { defineRule, type Page, type RuleContext, shortenId } from '../rule.ts'

export const orphanResult = defineRule({
  id: 'orphan-result',
  check(context, report) {
    const revived = new Map<string, unknown>()
    let revival: Revival | undefined
    for (const result of context.pairing.results) {
      const { message, part, call } = result
      if (call || message.role !== 'tool' || (context.continues && mayAnswerStoredCall(part, context.format))) continue
      const isRepeat = part.id !== '' && equal(revived.get(part.id), part.content)
      const orphanFix = isPlaceholder(part) || isRepeat ? dropWordless : ways[context.choices.orphans]
      if (orphanFix === ways.revive) revived.set(part.id, part.content)
      report({
        message,
        part,
        callId: part.id,
        text:
          part.id === ''
            ? 'a result without an id answers no call'
            : `no call has the id ${shortenId(part.id)} of this result`,
        fix: {
          title: orphanFix.title,
          class: orphanFix.class,
          apply: draft => {
            revival ??= new Revival(context)
            orphanFix.apply(draft, result, context, revival)
          },
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A result answers no call.',
  why: 'Its call was removed or never stored, and every request with this result is rejected.',
  fix: 'The result stays, with a call made up for it; with the option `orphans` it becomes quoted text or is removed. A placeholder is removed: it carries no information.',
}

/** Whether it may answer a call that the provider stores: not if it has no id where ids are required. */
const mayAnswerStoredCall = ({ id, callKind }: ResultPart, { idless }: Format): boolean =>
  id !== '' || callKind === 'legacy' || idless === true

interface OrphanFix {
  readonly title: string
  readonly class: EditClass
  apply(draft: Draft, result: PairedResult, context: RuleContext, revival: Revival): void
}

/** What the fixes of one check share. */
class Revival {
  /** The ids of all calls, and those that were made for revived results. */
  readonly taken: Set<string>
  readonly #messages: readonly Message[]
  /** For each position in a run of results, the last one of the run that answers a call. Empty if results have ids. */
  readonly #lastAnswers: number[] = []
  readonly #lastMoved = new Map<number, number>()

  constructor(context: RuleContext) {
    const { messages, pairing, format } = context
    this.taken = context.takenIds()
    this.#messages = messages
    if (!format.idless) return
    const answers = new Set(pairing.results.filter(({ call }) => call).map(({ position }) => position))
    let last = -1
    for (let position = messages.length - 1; position >= 0; position--) {
      if (messages[position]?.role !== 'tool') last = -1
      else if (last < 0 && answers.has(position)) last = position
      this.#lastAnswers[position] = last
    }
  }

  /**
   * Moves an orphan after the results that follow it directly. Results without ids are paired by position, so a call that is made up before
   * them would take the place of theirs.
   */
  moveOut(draft: Draft, key: number, position: number): void {
    const last = this.#lastAnswers[position] ?? -1
    const anchor = last > position ? this.#messages[last]?.key : undefined
    if (anchor === undefined) return
    draft.move(key, this.#lastMoved.get(anchor) ?? anchor)
    this.#lastMoved.set(anchor, key)
  }
}

const drop: OrphanFix = {
  title: 'remove the result',
  class: 'lossy',
  apply: (draft, { message }) => draft.remove(message.key),
}

const dropWordless: OrphanFix = { ...drop, title: 'remove it: it adds nothing', class: 'lossless' }

const ways: Record<Choices['orphans'], OrphanFix> = {
  drop,
  revive: {
    title: 'insert a call before it',
    class: 'synthetic',
    apply(draft, { message: { key }, part, position }, context, revival) {
      const { taken } = revival
      revival.moveOut(draft, key, position)
      const isMissing = part.id === '' && !context.format.idless
      const clashes =
        isMissing || ((context.facts.uniqueIds === 'history' || context.format.callsOnce) && taken.has(part.id))
      const id = clashes ? mintId(`revived ${position}`, context.facts.ids, taken) : part.id
      taken.add(id)
      draft.insert(draft.before(key), { role: 'assistant', parts: [madeUpCall(context.format, part, id)] })
      if (id !== part.id) draft.rewrite(key, 0, { ...part, id })
    },
  },
  quote: {
    title: 'quote it as text',
    class: 'elevating',
    apply(draft, { message: { key }, part }, { format }) {
      const name = part.name ? `the tool ${quoteLabel(part.name)}` : 'a tool'
      const { content } = part
      const single = isRecord(content) && !format.formsResults ? [content] : []
      const entries = (Array.isArray(content) ? content : single).filter(
        entry => !isRecord(entry) || !('text' in entry),
      )
      const values = entries.filter(entry => !isBlock(entry))
      const plainText = resultText(part)
      const quoted = plainText === '' && values.length === entries.length ? [content ?? ''] : [plainText, ...values]
      const words = quoted.filter(word => word !== '').map(asText)
      const text = [`[result of ${name}, quoted]`, ...words.map(quoteLines)].join('\n')
      const blocks = entries.filter(isBlock).map((raw): Part => ({ kind: 'other', raw }))
      const parts: Part[] = [{ kind: 'text', text }, ...blocks]
      draft.insert(draft.before(key), { role: 'user', parts })
      draft.remove(key)
    },
  },
}

/** A block such as an image or a file that can be next to user text; not a value that a tool returned. */
const isBlock = (entry: unknown): boolean =>
  isRecord(entry) &&
  (typeof entry.type === 'string' ? Object.keys(entry).length > 1 : Object.values(entry).some(value => isRecord(value)))

const asText = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value))
