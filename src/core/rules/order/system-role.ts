import { followsUser, type Message, type Part } from '../../conversation.ts'
import { front } from '../../edit.ts'
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
      if (message.directive) report(dropping(message))
      else if (scene.settings && isPlain(message)) plain.push(message)
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

/** Where the role is known at all, a directive may stand anywhere, and words after the user, or after a call that the provider runs. */
function* misplaced({ messages, facts }: Scene): Generator<Message> {
  const isKnown = facts.systemRole === 'after-user'
  const others = isKnown ? messages.filter(({ directive }) => !directive) : messages
  for (let position = 0; position < others.length; position++) {
    const message = others[position]
    if (message.role !== 'system') continue
    if (!isKnown || !(followsUser(others, position) || isPaused(others, position))) yield message
  }
}

/** Whether the message before it ends in a call that the provider runs, and the assistant or nothing comes after it. */
function isPaused(messages: readonly Message[], position: number): boolean {
  const last = messages[position - 1]?.parts.at(-1)
  const after = messages[position + 1]?.role
  return last?.kind === 'call' && last.by === 'provider' && (after === undefined || after === 'assistant')
}

const dropping = (message: Message): Finding => ({
  message,
  text: 'the role system is not known here, and this message only sets something',
  fix: { title: 'leave it out', class: 'lossy', apply: draft => draft.remove(message.key) },
})

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
