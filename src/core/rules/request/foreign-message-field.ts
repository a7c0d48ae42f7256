import { isRecord } from '../../conversation.ts'
import type { MutableFields } from '../../request/body-draft.ts'
import { roleOf } from '../../request/parts.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const foreignMessageField = defineLimit({
  id: 'foreign-message-field',
  appliesTo: facts => facts.foreignFields !== undefined || facts.foreignBlockFields !== undefined,
  repair(draft, { foreignFields = [], foreignBlockFields = [] }) {
    const drop = (fields: MutableFields, key: string, at: string): void => {
      const isReasoning = /reason|think/.test(key) && hasWords(fields[key])
      draft.change(
        isReasoning ? 'lossy' : 'lossless',
        `${at}.${key}`,
        `the field ${key}, which the provider does not know, is removed`,
        () => delete fields[key],
      )
    }
    draft.history.forEach((message, index) => {
      if (!isRecord(message)) return
      const at = `${draft.root}[${index}]`
      for (const name of foreignFields) {
        const key = name.slice(name.indexOf('.') + 1)
        if (key in message && (key === name || name.startsWith(`${roleOf(message)}.`)))
          drop(message as MutableFields, key, at)
      }
      if (foreignBlockFields.length === 0 || !Array.isArray(message.content)) return
      message.content.forEach((block: unknown, place: number) => {
        if (!isRecord(block)) return
        for (const key of foreignBlockFields)
          if (key in block) drop(block as MutableFields, key, `${at}.content[${place}]`)
      })
    })
  },
})

const hasWords = (value: unknown): boolean =>
  typeof value === 'string' ? value.trim() !== '' : Array.isArray(value) && value.length > 0

export const page: Page = {
  summary: 'A message has a field of another provider or of a library, which this provider rejects.',
  why: 'The history came from another model, or a library stored what it needs for itself. The provider accepts only the fields that it knows.',
  fix: 'The field is removed. Reasoning in it is in the report as lost; everything else of the message stays.',
}
