import { followsUser, type Message, type Part } from '../../conversation.ts'
import { front } from '../../edit.ts'
import { type Defect, defineRule, type Page, type RuleContext } from '../rule.ts'

export const systemRole = defineRule({
  id: 'system-role',
  check(context, report) {
    if (context.format.system === 'message') {
      if (context.settings && context.settings.system.length > 0) report(fromField(context.settings.system))
      return
    }
    const plain: Message[] = []
    for (const message of misplaced(context)) {
      if (message.directive) report(dropping(message))
      else if (context.settings && isPlain(message)) plain.push(message)
      else report(toUser(message))
    }
    const [first] = plain
    if (first) report(toField(first, plain))
  },
})

export const page: Page = {
  summary: 'A system prompt is where the format does not allow one.',
  why: 'Some formats have a field for the system prompt and reject the role in the list; others require a message and reject the field.',
  fix: 'The text moves to where the format requires it. In a history without a request, a system message that is not allowed becomes a user message with the same text.',
}

/**
 * Where the provider knows the role, a directive may be anywhere, and text only after the user, or after a call that
 * the provider runs.
 */
function* misplaced({ messages, facts }: RuleContext): Generator<Message> {
  const isKnown = facts.systemRole === 'after-user'
  const others = isKnown ? messages.filter(({ directive }) => !directive) : messages
  for (let position = 0; position < others.length; position++) {
    const message = others[position]
    if (message?.role !== 'system') continue
    if (!isKnown || !(followsUser(others, position) || isPaused(others, position))) yield message
  }
}

/** Whether the message before it ends with a provider-run call, and the assistant or nothing follows it. */
function isPaused(messages: readonly Message[], position: number): boolean {
  const last = messages[position - 1]?.parts.at(-1)
  const after = messages[position + 1]?.role
  return last?.kind === 'call' && last.by === 'provider' && (after === undefined || after === 'assistant')
}

const dropping = (message: Message): Defect => ({
  message,
  text: 'the role system is unknown to this provider, and this message only changes a setting',
  fix: { title: 'remove it', class: 'lossy', apply: draft => draft.remove(message.key) },
})

const isPlain = ({ parts }: Message): boolean => parts.every(part => part.kind === 'text')

const toUser = (message: Message): Defect => ({
  message,
  text: 'the role system is unknown to this provider',
  fix: {
    title: 'make it a user message',
    class: 'lossless',
    apply: draft => draft.update(message.key, ({ developer: _, ...now }) => ({ ...now, role: 'user' })),
  },
})

/** All of them in one edit: separate edits would each rewrite the whole field. */
const toField = (first: Message, messages: readonly Message[]): Defect => ({
  message: first,
  text: `the role system is unknown to this provider${messages.length > 1 ? `, and ${messages.length} messages have it` : ''}`,
  fix: {
    title: 'move its text to the field of the request',
    class: 'lossless',
    apply: draft => {
      const texts = messages.flatMap(({ parts }) => parts.map(systemBlock))
      draft.set({ system: [...(draft.settings?.system ?? []), ...texts] })
      for (const { key } of messages) draft.remove(key)
    },
  },
})

/** The block in the source, since it can have more than text. */
const systemBlock = (part: Part): unknown => part.raw ?? (part.kind === 'text' ? part.text : '')

const fromField = (texts: readonly unknown[]): Defect => ({
  text: 'the request has a system prompt in a field that this provider does not know',
  fix: {
    title: 'make it the first message',
    class: 'lossless',
    apply: draft => {
      draft.insert(front, { role: 'system', parts: [{ kind: 'text', text: texts.join('\n\n') }] })
      draft.set({ system: [] })
    },
  },
})
