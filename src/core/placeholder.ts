import { type ResultPart, resultText } from './conversation.ts'
import { placeholdersOfOthers } from './placeholders-of-others.ts'

/** What is known of a call that has no result. */
export type CallState = 'unknown' | 'interrupted' | 'not-started' | 'denied' | 'expired' | 'running'

/** What a placeholder says: that no result was recorded, and whether the call may have run. */
export const placeholderTexts: Readonly<Record<CallState, string>> = {
  unknown: '[no result] No result of this call was recorded. Whether it ran is not known.',
  interrupted: '[no result] This call was interrupted before its result was recorded. It may have run in part.',
  'not-started': '[no result] This call was never started.',
  denied: '[no result] This call was denied and did not run.',
  expired: '[no result] This call waited for an approval that expired. It did not run.',
  running: '[no result] This call is still running. Its result is not known yet.',
}

/** Words for the places where a reader insists on a message that nobody wrote. */
export const bridgeTexts = {
  user: '(continue)',
  assistant: '(no reply was recorded)',
  reasoning: '(no reasoning was recorded)',
  result: '(no output)',
} as const

/** Whether a result says no more than that there is none: ours, or one of the texts that other systems write. */
export function isPlaceholder(result: ResultPart): boolean {
  const { content } = result
  if (typeof content === 'string' && content.length <= lengthMax) return saysNothing(result)
  let known = long.get(result)
  if (known === undefined) {
    known = saysNothing(result)
    long.set(result, known)
  }
  return known
}

/** What is long is read once: many results may be compared with the same one. */
const long = new WeakMap<ResultPart, boolean>()

function saysNothing(result: ResultPart): boolean {
  const text = resultText(result).trim().slice(0, lengthMax).replace(dashes, '-')
  if (text === '') return false
  return text.startsWith('[no result] ') || anyOfOthers.test(text)
}

/** All of them in one: every result is asked, and to ask pattern by pattern costs many times as much. */
const anyOfOthers = new RegExp(placeholdersOfOthers.map(({ source }) => source).join('|'), 'i')

/** No placeholder needs more of a text to be told. */
const lengthMax = 600

const dashes = /[\u2010-\u2015\u2212]/g
