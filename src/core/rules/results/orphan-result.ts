import type { Choices, EditClass } from '../../choices.ts'
import { isRecord, madeUpCall, type Part, type ResultPart, resultText, type Wire } from '../../conversation.ts'
import type { Draft } from '../../edit.ts'
import { mintId } from '../../ids.ts'
import { equal } from '../../json/equal.ts'
import { jsonText } from '../../json/json-text.ts'
import type { Result } from '../../pairing/pairs.ts'
import { isPlaceholder } from '../../placeholder.ts'
import { defineRule, type Page, type Scene, shown } from '../rule.ts'

export const orphanResult = defineRule({
  id: 'orphan-result',
  check(scene, report) {
    const revived = new Map<string, unknown>()
    for (const result of scene.pairing.results) {
      const { message, part, call } = result
      if (call || message.role !== 'tool' || (scene.continues && mayAnswer(part, scene.wire))) continue
      const isRepeat = part.id !== '' && equal(revived.get(part.id), part.content)
      const way = isPlaceholder(part) || isRepeat ? dropWordless : ways[scene.choices.orphans]
      if (way === ways.revive) revived.set(part.id, part.content)
      report({
        message,
        part,
        callId: part.id,
        text:
          part.id === ''
            ? 'a result without an id answers no call'
            : `no call has the id ${shown(part.id)} of this result`,
        fix: {
          title: way.title,
          class: way.class,
          apply: draft => way.apply(draft, result, scene),
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

/** Whether a call that the provider holds may be meant: not where ids tie, and there is none. */
const mayAnswer = ({ id, sort }: ResultPart, { idless }: Wire): boolean =>
  id !== '' || sort === 'legacy' || idless === true

interface Way {
  readonly title: string
  readonly class: EditClass
  apply(draft: Draft, result: Result, scene: Scene): void
}

const drop: Way = {
  title: 'remove the result',
  class: 'lossy',
  apply: (draft, { message }) => draft.remove(message.key),
}

const dropWordless: Way = { ...drop, title: 'remove it: it adds nothing', class: 'lossless' }

const ways: Record<Choices['orphans'], Way> = {
  drop,
  revive: {
    title: 'insert a call before it',
    class: 'synthetic',
    apply(draft, { message: { key }, part, position }, scene) {
      const taken = scene.callIds
      const isMissing = part.id === '' && !scene.wire.idless
      const clashes = isMissing || ((scene.facts.uniqueIds === 'history' || scene.wire.callsOnce) && taken.has(part.id))
      const id = clashes ? mintId(`revived ${position}`, scene.facts.ids, taken) : part.id
      taken.add(id)
      draft.insert(draft.before(key), { role: 'assistant', parts: [madeUpCall(scene.wire, part, id)] })
      if (id !== part.id) draft.rewrite(key, 0, { ...part, id })
    },
  },
  quote: {
    title: 'quote it as text',
    class: 'elevating',
    apply(draft, { message: { key }, part }, { wire }) {
      const name = part.name ? `the tool ${part.name}` : 'a tool'
      const { content } = part
      const single = isRecord(content) && !wire.formsResults ? [content] : []
      const entries = (Array.isArray(content) ? content : single).filter(
        entry => !isRecord(entry) || !('text' in entry),
      )
      const values = entries.filter(entry => !isBlock(entry))
      const said = resultText(part)
      const words = said === '' && values.length === entries.length ? [content ?? ''] : [said, ...values]
      const text = [`[result of ${name}, quoted]`, ...words.filter(word => word !== '').map(asText)].join('\n')
      const blocks = entries.filter(isBlock).map((raw): Part => ({ kind: 'other', raw }))
      const parts: Part[] = [{ kind: 'text', text }, ...blocks]
      draft.insert(draft.before(key), { role: 'user', parts })
      draft.remove(key)
    },
  },
}

/** An image or a file, say, that can stand beside the words of a user, and no value that a tool gave back. */
const isBlock = (entry: unknown): boolean =>
  isRecord(entry) &&
  (typeof entry.type === 'string' ? Object.keys(entry).length > 1 : Object.values(entry).some(value => isRecord(value)))

const asText = (value: unknown): string => (typeof value === 'string' ? value : jsonText(value))
