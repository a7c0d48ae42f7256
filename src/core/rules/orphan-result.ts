import type { Choices, EditClass } from '../choices.ts'
import {
  isRecord,
  type Message,
  madeUpCall,
  type Part,
  type ResultPart,
  resultText,
  type Wire,
} from '../conversation.ts'
import type { Draft } from '../edit.ts'
import { mintId } from '../ids.ts'
import { jsonText } from '../json-text.ts'
import { bridgeTexts } from '../placeholder.ts'
import { defineRule, type Page, type Scene, shown } from '../rule.ts'

export const orphanResult = defineRule({
  id: 'orphan-result',
  check(scene, report) {
    const way = ways[scene.choices.orphans]
    const last = way === ways.drop ? lastOfAll(scene) : undefined
    for (const { message, part, call } of scene.pairing.results) {
      if (call || message.role !== 'tool' || (scene.continues && mayAnswer(part, scene.wire))) continue
      report({
        message,
        part,
        callId: part.id,
        text:
          part.id === ''
            ? 'a result without an id answers no call'
            : `no call has the id ${shown(part.id)} of this result`,
        fix: {
          title: message === last ? `${way.title}, and let the user say "${bridgeTexts.user}"` : way.title,
          class: way.class,
          apply: draft => {
            if (message === last) draft.insert(draft.before(message.key), { role: 'user', parts: [continuing] })
            way.apply(draft, message.key, part, scene)
          },
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A result answers no call.',
  why: 'Its call was cut away or never stored, and every request that carries it is refused.',
  fix: 'The result is dropped, or, by the option `orphans`, gets a call made up in front of it, or becomes quoted text. If nothing else is left, the user says "(continue)" instead.',
}

const continuing: Part = { kind: 'text', text: bridgeTexts.user }

/** The last message, if every message is such a result: a history with nothing in it is refused as well. */
function lastOfAll({ messages, pairing, cutBefore, cutAfter, continues }: Scene): Message | undefined {
  if (cutBefore || cutAfter || continues) return undefined
  const isAll = messages.every(({ role }) => role === 'tool') && !pairing.results.some(result => result.call)
  return isAll ? messages.at(-1) : undefined
}

/** Whether a call that the provider holds may be meant: not where ids tie, and there is none. */
const mayAnswer = ({ id, sort }: ResultPart, { idless }: Wire): boolean =>
  id !== '' || sort === 'legacy' || idless === true

interface Way {
  readonly title: string
  readonly class: EditClass
  apply(draft: Draft, key: number, part: ResultPart, scene: Scene): void
}

const ways: Record<Choices['orphans'], Way> = {
  drop: { title: 'drop the result', class: 'lossy', apply: (draft, key) => draft.remove(key) },
  revive: {
    title: 'put a call in front of it',
    class: 'synthetic',
    apply(draft, key, part, scene) {
      const taken = scene.callIds
      const clashes = part.id === '' || (scene.facts.uniqueIds === 'history' && taken.has(part.id))
      const id = clashes ? mintId(`revived ${key}`, scene.facts.ids, taken) : part.id
      taken.add(id)
      draft.insert(draft.before(key), { role: 'assistant', parts: [madeUpCall(scene.wire, part, id)] })
      if (id !== part.id) draft.rewrite(key, 0, { ...part, id })
    },
  },
  quote: {
    title: 'quote it as text',
    class: 'elevating',
    apply(draft, key, part, { wire }) {
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
