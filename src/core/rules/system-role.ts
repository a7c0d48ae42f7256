import { followsUser, type Message, type Part } from '../conversation.ts'
import { front } from '../edit.ts'
import { defineRule, type Finding, type Page, type Scene } from '../rule.ts'

export const systemRole = defineRule({
  id: 'system-role',
  check(scene, report) {
    if (scene.wire.system === 'message') {
      if (scene.settings && scene.settings.system.length > 0) report(fromField(scene.settings.system))
      return
    }
    const plain: Message[] = []
    for (const message of misplaced(scene)) {
      if (scene.settings && isPlain(message)) plain.push(message)
      else report(toUser(message))
    }
    if (plain.length > 0) report(toField(plain))
  },
})

export const page: Page = {
  summary: 'Words of the system stand where the wire has no place for them.',
  why: 'Some wires have a field for the system prompt and refuse the role in the list; others want a message and refuse the field.',
  fix: 'The words go where the wire wants them. In a history alone, without a request around it, a message that may not stand there becomes one of the user, word for word.',
}

function* misplaced({ messages, facts }: Scene): Generator<Message> {
  for (let position = 0; position < messages.length; position++) {
    const message = messages[position]
    if (message.role !== 'system') continue
    if (facts.systemRole !== 'after-user' || !followsUser(messages, position)) yield message
  }
}

const isPlain = ({ parts }: Message): boolean => parts.every(part => part.kind === 'text')

const toUser = (message: Message): Finding => ({
  message,
  text: 'the role system is not known here',
  fix: {
    title: 'make it a user message',
    class: 'lossless',
    apply: draft => draft.update(message.key, ({ developer: _, ...now }) => ({ ...now, role: 'user' })),
  },
})

/** All of them at once: each by itself would write down the whole field again. */
const toField = (messages: readonly Message[]): Finding => ({
  message: messages[0],
  text: `the role system is not known here${messages.length > 1 ? `, and ${messages.length} messages have it` : ''}`,
  fix: {
    title: 'move its words to the field of the request',
    class: 'lossless',
    apply: draft => {
      const words = messages.flatMap(({ parts }) => parts.map(wordsOf))
      draft.set({ system: [...(draft.settings?.system ?? []), ...words] })
      for (const { key } of messages) draft.remove(key)
    },
  },
})

/** The wire's own block, since more than words can stand in it. */
const wordsOf = (part: Part): unknown => part.raw ?? (part.kind === 'text' ? part.text : '')

const fromField = (words: readonly unknown[]): Finding => ({
  text: 'the request has words of the system in a field that is not known here',
  fix: {
    title: 'make them the first message',
    class: 'lossless',
    apply: draft => {
      draft.insert(front, { role: 'system', parts: [{ kind: 'text', text: words.join('\n\n') }] })
      draft.set({ system: [] })
    },
  },
})
