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
  summary: 'A system prompt is where the format does not allow one.',
  why: 'Some formats have a field for the system prompt and reject the role in the list; others require a message and reject the field.',
  fix: 'The text moves to where the format requires it. In a history without a request, a system message that is not allowed becomes a user message with the same text.',
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
  text: 'the role system is unknown to this provider, and this message only changes a setting',
  fix: { title: 'remove it', class: 'lossy', apply: draft => draft.remove(message.key) },
})

const isPlain = ({ parts }: Message): boolean => parts.every(part => part.kind === 'text')

const toUser = (message: Message): Finding => ({
  message,
  text: 'the role system is unknown to this provider',
  fix: {
    title: 'make it a user message',
    class: 'lossless',
    apply: draft => draft.update(message.key, ({ developer: _, ...now }) => ({ ...now, role: 'user' })),
  },
})

/** All of them at once: each by itself would write down the whole field again. */
const toField = (messages: readonly Message[]): Finding => ({
  message: messages[0],
  text: `the role system is unknown to this provider${messages.length > 1 ? `, and ${messages.length} messages have it` : ''}`,
  fix: {
    title: 'move its text to the field of the request',
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
  text: 'the request has a system prompt in a field that this provider does not know',
  fix: {
    title: 'make it the first message',
    class: 'lossless',
    apply: draft => {
      draft.insert(front, { role: 'system', parts: [{ kind: 'text', text: words.join('\n\n') }] })
      draft.set({ system: [] })
    },
  },
})
