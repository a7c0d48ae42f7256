import { type Format, judge } from '../../../oracle/judge.ts'
import { type Reader, readers, refusal } from '../../../strict/readers.ts'
import { isUnknowable } from '../../../strict/unknowable.ts'

/** The messages of a plain file: all that is sent of it. */
export function messagesIn(bytes: Buffer): unknown[] {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (isLines(text))
    return text
      .split('\n')
      .filter(line => line.trim() !== '')
      .map(line => JSON.parse(line))
  const value = JSON.parse(text)
  if (Array.isArray(value)) return value
  return value.messages ?? value.contents ?? value.input ?? [value]
}

function isLines(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

/**
 * Why the provider of a codec would reject the messages; a gateway translates those of frameworks for OpenAI. Calls at
 * the end may wait for an approval.
 */
export function refusalOf(messages: readonly unknown[], codec: Format): string | undefined {
  const home = homeOf(codec)
  if (home) {
    const refused = messages.length === 0 ? undefined : refusal(messages, home)
    return refused && !isUnknowable(refused) ? `${refused.fact}: ${refused.message}` : undefined
  }
  const isDecided = !JSON.stringify(messages.slice(-2)).includes('approval')
  const objection = judge([...messages], codec, 'openai').find(
    ({ fact }) => !ofOneReader.has(fact) && (isDecided || fact !== 'oc-trailing-call'),
  )
  return objection && JSON.stringify(objection)
}

/** The provider whose own shape a codec is; frameworks have none. */
export const homeOf = (codec: Format): Reader | undefined =>
  readers.find(({ format, dialect }) => format === codec && homes[codec] === dialect)

const homes: Partial<Record<Format, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai-responses',
  anthropic: 'anthropic',
  gemini: 'gemini',
  bedrock: 'bedrock',
  ollama: 'ollama',
  'gemini-interactions': 'gemini-interactions',
}

/** What only OpenAI requires. A framework's file does not name its provider. */
const ofOneReader = new Set(['oc-id-too-long', 'oc-empty-name', 'oc-empty-messages'])
