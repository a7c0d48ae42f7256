import { type DialectId, dialects } from '../../../core/dialects/index.ts'
import type { StoredMessage } from './records.ts'

/** The provider that a message was sent to, as far as its ids show: its error messages are quoted. */
export function messageProvider({ value = {} }: StoredMessage): DialectId {
  const provider = String(value.providerID ?? '')
  if (Object.hasOwn(dialects, provider)) return provider as DialectId
  const found = known.find(([name]) => name.test(`${provider} ${String(value.modelID ?? '')}`))
  return found?.[1] ?? 'openai'
}

const known: readonly [RegExp, DialectId][] = [
  [/^amazon-bedrock /, 'bedrock'],
  [/^google-vertex /, 'vertex'],
  [/^google /, 'gemini'],
  [/claude/, 'anthropic'],
  [/gemini/, 'gemini'],
  [/mistral|devstral|codestral/, 'mistral'],
]
