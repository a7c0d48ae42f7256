import { type Message, textOf } from '../conversation.ts'
import { front } from '../edit.ts'
import { defineRule, type Finding, type Scene } from '../rule.ts'

export const systemRole = defineRule({
  id: 'system-role',
  severity: 'error',
  summary: 'Words of the system stand where the wire has no place for them.',
  why: 'Some wires have a field for the system prompt and refuse the role in the list; others want a message and refuse the field.',
  fix: 'The words go where the wire wants them. In a history alone, without a request around it, a message that may not stand there becomes one of the user, word for word.',
  appliesTo: () => true,
  check(scene, report) {
    if (scene.wire.system === 'message') {
      if (scene.settings && scene.settings.system.length > 0) report(fromField(scene.settings.system))
      return
    }
    for (const message of misplaced(scene))
      report(scene.settings && isPlain(message) ? toField(message) : toUser(message))
  },
})

function* misplaced({ messages, facts }: Scene): Generator<Message> {
  for (let position = 0; position < messages.length; position++) {
    const message = messages[position]
    if (message.role !== 'system') continue
    const before = messages[position - 1]?.role
    const after = messages[position + 1]?.role
    const follows = (before === 'user' || before === 'tool') && (after === undefined || after === 'assistant')
    if (facts.systemRole !== 'after-user' || !follows) yield message
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

const toField = (message: Message): Finding => ({
  message,
  text: 'the role system is not known here',
  fix: {
    title: 'move its words to the field of the request',
    class: 'lossless',
    apply: draft => {
      draft.set({ system: [...(draft.settings?.system ?? []), textOf(message)] })
      draft.remove(message.key)
    },
  },
})

const fromField = (words: readonly string[]): Finding => ({
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
