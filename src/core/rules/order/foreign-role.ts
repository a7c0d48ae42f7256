import type { Message } from '../../conversation.ts'
import { type Defect, defineRule, type Page, type RuleContext } from '../rule.ts'

export const foreignRole = defineRule({
  id: 'foreign-role',
  appliesTo: (facts, format) => refusesDeveloper({ facts, format }) || facts.roleNames !== 'any',
  check(context, report) {
    if (refusesDeveloper(context)) {
      for (const message of context.messages) if (message.developer) report(notDeveloper(message))
    }
    for (const [first, ...others] of misnamed(context)) report(renaming(first, others))
  },
})

export const page: Page = {
  summary: 'A role is missing, or the provider does not know it.',
  why: 'Each format has its own role names, and few providers accept those of others.',
  fix: 'The role gets the name that the provider knows: system instead of developer, and the role names of the format instead of any others.',
}

const refusesDeveloper = ({ facts, format }: Pick<RuleContext, 'facts' | 'format'>): boolean =>
  facts.developer === 'refuse' && format.system === 'message'

/** The messages whose role has a wrong name, grouped by source message. */
function misnamed({ messages, facts }: RuleContext): Iterable<[Message, ...Message[]]> {
  const found = new Map<number | undefined, [Message, ...Message[]]>()
  if (facts.roleNames === 'any') return []
  for (const message of messages) {
    const { roleName, origin } = message
    if (roleName === undefined || (roleName === 'tolerated' && facts.roleNames !== 'own')) continue
    const known = found.get(origin)
    if (known) known.push(message)
    else found.set(origin, [message])
  }
  return found.values()
}

const notDeveloper = (message: Message): Defect => ({
  message,
  text: 'the role developer is unknown to this provider',
  fix: {
    title: 'call it system',
    class: 'lossless',
    apply: draft => draft.update(message.key, ({ developer: _, ...now }) => now),
  },
})

const renaming = (first: Message, others: readonly Message[]): Defect => ({
  message: first,
  text: `the role of this ${first.role} message is missing or unknown`,
  fix: {
    title: 'use the known role name',
    class: 'lossless',
    apply: draft => {
      for (const { key } of [first, ...others]) draft.update(key, ({ roleName: _, ...now }) => now)
    },
  },
})
