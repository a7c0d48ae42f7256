import { type ResultPart, resultText } from './conversation.ts'
import { placeholdersOfOthers } from './placeholders-of-others.ts'

/** What is known about a call that has no result. */
export type CallState = 'unknown' | 'interrupted' | 'not-started' | 'denied' | 'expired' | 'running'

/** The text of a placeholder: that no result was recorded, and whether the call may have run. */
export const placeholderTexts: Readonly<Record<CallState, string>> = {
  unknown: '[no result] No result of this call was recorded. Whether it ran is not known.',
  interrupted: '[no result] This call was interrupted before its result was recorded. It may have run in part.',
  'not-started': '[no result] This call was never started.',
  denied: '[no result] This call was denied and did not run.',
  expired: '[no result] This call waited for an approval that expired. It did not run.',
  running: '[no result] This call is still running. Its result is not known yet.',
}

/** Texts for messages that a provider requires and that were never written. */
export const bridgeTexts = {
  user: '(continue)',
  assistant: '(no reply was recorded)',
  reasoning: '(no reasoning was recorded)',
  result: '(no output)',
} as const

/** Whether a result is a placeholder: ours, or one of the texts that other programs write. */
export function isPlaceholder(result: ResultPart): boolean {
  if (typeof result.content === 'string') return isPlaceholderText(resultText(result))
  let known = otherResults.get(result)
  if (known === undefined) {
    known = isPlaceholderText(resultText(result))
    otherResults.set(result, known)
  }
  return known
}

/** A result whose text has to be put together is tested once: many results may be compared with the same one. */
const otherResults = new WeakMap<ResultPart, boolean>()

function isPlaceholderText(content: string): boolean {
  const text = content
    .slice(0, 2 * lengthMax)
    .trim()
    .slice(0, lengthMax)
    .replace(dashes, '-')
  if (text === '') return false
  return text.startsWith('[no result] ') || anyPlaceholder.test(text)
}

/** One combined pattern: every result is tested, and testing pattern by pattern is many times slower. */
const anyPlaceholder = new RegExp(placeholdersOfOthers.map(({ source }) => source).join('|'), 'i')

/** No placeholder is recognised by more than this many characters, after at most as many spaces. */
const lengthMax = 600

const dashes = /[\u2010-\u2015\u2212]/g

/** The text in place of a file that only other providers store. */
export const storedElsewhere = (by: readonly string[]): string =>
  `[file left out: it is stored at ${by.length > 0 ? by.join(', ') : 'another provider'}]`
