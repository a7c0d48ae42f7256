import { type Format, isRecord, type ResultPart, resultOf } from '../../conversation.ts'
import type { Facts } from '../../dialect.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { callLabel, defineRule, type Page } from '../rule.ts'

export const emptyResult = defineRule({
  id: 'empty-result',
  appliesTo: (facts, format) => facts.emptyResult !== 'accept' || (facts.emptyMessage !== 'accept' && !format.shares),
  check(context, report) {
    const { facts, format } = context
    for (const message of context.messages) {
      const result = resultOf(message)
      if (!result || result.by === 'provider' || !textual.has(result.callKind) || isValue(result, format)) continue
      const text = nothingAsText(result, format)
      const content = facts.emptyResult === 'accept' ? text : withWords(text, facts.emptyResult, result.error)
      if (content === result.content) continue
      const isMadeUp = content === bridgeTexts.result
      report({
        message,
        part: result,
        callId: result.id,
        text: `the result of ${callLabel(result.id)} has no content`,
        fix: {
          title: isMadeUp
            ? `let it say "${content}"`
            : content === ''
              ? 'make it an empty text'
              : content === result.copy
                ? 'use its other content'
                : 'leave the empty text out',
          class: isMadeUp ? 'synthetic' : 'lossless',
          apply: draft => {
            const { malformed: _, ...rest } = result
            draft.update(message.key, now => ({ ...now, parts: [{ ...rest, content }] }))
          },
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A result has no content.',
  why: 'Providers require a string; some also reject an empty one.',
  fix: 'Content that is null, absent or an empty list becomes an empty string, or "(no output)" where that is rejected.',
}

/** Where results are values, an empty value is what the tool returned: it is sent as null. */
const isValue = ({ content, error }: ResultPart, format: Format): boolean =>
  format.fused === true && !error && isNothing(content)

/** An empty string in place of missing content, in formats that want a string; or the content of another field. */
const nothingAsText = ({ content, copy = '' }: ResultPart, format: Format): unknown =>
  !format.shares && (isNothing(content) || (isEmptyList(content) && countsBlocks(format))) ? copy : content

/** Formats whose results are messages with a string or text blocks: a list without blocks has no content. */
const countsBlocks = ({ fused, formsResults, reasoning }: Format): boolean =>
  !fused && !formsResults && reasoning !== 'items'

/** Content with text for a provider that requires it: missing text is added, and empty blocks are removed. */
function withWords(content: unknown, wanted: Exclude<Facts['emptyResult'], 'accept'>, error = false): unknown {
  const isEmpty = isNothing(content) || content === '' || isEmptyList(content)
  if (wanted === 'refuse-failed') return isEmpty && error ? bridgeTexts.result : content
  if (wanted === 'refuse') return isEmpty || isHollowList(content) ? bridgeTexts.result : content
  if (isEmpty) return error || content === '' ? bridgeTexts.result : content
  if (typeof content === 'string') return content.trim() === '' ? bridgeTexts.result : content
  if (!Array.isArray(content)) return content
  const filled = content.filter(block => !isBlank(block))
  if (filled.length === content.length) return content
  return filled.length === 0 ? bridgeTexts.result : filled
}

/** An empty text block or an empty string in its place; an empty string under the key of a value counts too. */
function isBlank(block: unknown): boolean {
  const text = isRecord(block) ? (block.text ?? block.json) : block
  return typeof text === 'string' && text.trim() === ''
}

const isEmptyList = (content: unknown): boolean => Array.isArray(content) && content.length === 0

/** A list of empty text blocks only. */
const isHollowList = (content: unknown): boolean =>
  Array.isArray(content) && content.every(block => (block?.text ?? block) === '')

const isNothing = (content: unknown): boolean => content === undefined || content === null

/** Results of other kinds of calls have a different form. */
const textual = new Set(['function', 'custom', 'local-shell', 'legacy'])
