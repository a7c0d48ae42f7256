import { isRecord } from '../../core/conversation.ts'
import { type Body, type Envelope, systemBlocks, unknownSettings } from '../shared/envelope.ts'
import { isThere } from './keys.ts'

/** The system prompt is a turn in a separate field; clients put that field, and others, into a config. */
export const envelope: Envelope = {
  read: () => unknownSettings,
  write(body, before, after) {
    if (after.system === before.system) return body
    if (!isRecord(body.config)) return instructed(body, after.system)
    return { ...body, config: instructed(body.config, after.system) }
  },
  continues: body => holdsCache(body) || (isRecord(body.config) && holdsCache(body.config)),
}

const holdsCache = (fields: Body): boolean => isThere(fields.cachedContent ?? fields.cached_content)

function instructed(fields: Body, words: readonly unknown[]): Body {
  const key = isThere(fields.system_instruction) ? 'system_instruction' : 'systemInstruction'
  return { ...fields, [key]: addTexts(fields[key], words) }
}

function addTexts(before: unknown, words: readonly unknown[]): unknown {
  const texts = systemBlocks(words, text => ({ text }))
  if (Array.isArray(before)) return [...before, ...texts]
  if (!isRecord(before)) return { parts: [...partsOf(before), ...texts] }
  return 'parts' in before ? { ...before, parts: [...partsOf(before.parts), ...texts] } : { parts: [before, ...texts] }
}

function partsOf(value: unknown): unknown[] {
  if (typeof value === 'string') return value === '' ? [] : [{ text: value }]
  return Array.isArray(value) ? value : isThere(value) ? [value] : []
}
