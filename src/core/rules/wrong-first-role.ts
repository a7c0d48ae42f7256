import { hasClientCall } from '../conversation.ts'
import { front } from '../edit.ts'
import { bridgeTexts } from '../placeholder.ts'
import { defineRule, type Page, type Scene } from '../rule.ts'

export const wrongFirstRole = defineRule({
  id: 'wrong-first-role',
  appliesTo: facts => facts.firstAssistant !== 'accept',
  check(scene, report) {
    const { messages } = scene
    if (scene.cutBefore || scene.continues) return
    const index = messages.findIndex(message => message.role !== 'system' && message.role !== 'other')
    const message = messages[index]
    if (!message || message.role === 'user' || (message.role === 'tool' && scene.wire.shares)) return
    if (scene.facts.firstAssistant === 'refuse-calls' && !(index === 0 && callsFirst(scene))) return
    report({
      message,
      text: `the first message is of the role ${message.role}`,
      fix: {
        title: 'put a short user message in front',
        class: 'synthetic',
        apply: draft => {
          draft.insert(index === 0 ? front : messages[index - 1].key, {
            role: 'user',
            parts: [{ kind: 'text', text: bridgeTexts.user }],
          })
        },
      },
    })
  },
})

export const page: Page = {
  summary: 'The conversation does not begin with the user.',
  why: 'Its beginning was cut away, and the reader wants a user message first.',
  fix: 'A short user message stands in front: "(continue)".',
}

/** Whether the first message calls; items that stand together are one message. */
function callsFirst({ messages, wire }: Scene): boolean {
  let end = 1
  if (wire.reasoning === 'items') while (messages[end]?.role === 'assistant') end++
  return messages.slice(0, end).some(hasClientCall)
}
