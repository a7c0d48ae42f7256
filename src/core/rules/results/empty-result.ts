import { isRecord, type ResultPart, resultOf, type Wire } from '../../conversation.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { callOf, defineRule, type Page } from '../rule.ts'

export const emptyResult = defineRule({
  id: 'empty-result',
  appliesTo: (facts, wire) => facts.emptyResult !== 'accept' || (facts.emptyMessage !== 'accept' && !wire.shares),
  check(scene, report) {
    const { facts, wire } = scene
    for (const message of scene.messages) {
      const result = resultOf(message)
      if (!result || result.by === 'provider' || !textual.has(result.sort) || isValue(result, wire)) continue
      const text = nothingAsText(result, wire)
      const content = facts.emptyResult === 'accept' ? text : withWords(text, facts.emptyResult, result.error)
      if (content === result.content) continue
      const isSaid = content === bridgeTexts.result
      report({
        message,
        part: result,
        callId: result.id,
        text: `the result of ${callOf(result.id)} has no content`,
        fix: {
          title: isSaid
            ? `let it say "${content}"`
            : content === ''
              ? 'make it an empty text'
              : content === result.copy
                ? 'use its other content'
                : 'leave the empty text out',
          class: isSaid ? 'synthetic' : 'lossless',
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

/** Nothing is what the tool gave back, where a result is a value of its call: it is sent as null. */
const isValue = ({ content, error }: ResultPart, wire: Wire): boolean =>
  wire.fused === true && !error && isNothing(content)

/** An empty text where nothing stands, on wires that want a text, or what the result says elsewhere. */
const nothingAsText = ({ content, copy = '' }: ResultPart, wire: Wire): unknown =>
  !wire.shares && (isNothing(content) || (isEmptyList(content) && countsBlocks(wire))) ? copy : content

/** Results are messages whose content is a text or blocks of it: a list is none unless it holds one. */
const countsBlocks = ({ fused, formsResults, reasoning }: Wire): boolean =>
  !fused && !formsResults && reasoning !== 'items'

/** Content that a reader takes who wants words: none is missing, or none of its blocks is blank. */
function withWords(content: unknown, wanted: 'refuse' | 'refuse-blank', error = false): unknown {
  const isEmpty = isNothing(content) || content === '' || isEmptyList(content)
  if (wanted === 'refuse') return isEmpty || isHollowList(content) ? bridgeTexts.result : content
  if (isEmpty) return error || content === '' ? bridgeTexts.result : content
  if (typeof content === 'string') return content.trim() === '' ? bridgeTexts.result : content
  if (!Array.isArray(content)) return content
  const said = content.filter(block => !isBlank(block))
  if (said.length === content.length) return content
  return said.length === 0 ? bridgeTexts.result : said
}

/** A block of text without words; a bare text under the key of a value is one too. */
function isBlank(block: unknown): boolean {
  const words = isRecord(block) ? (block.text ?? block.json) : undefined
  return typeof words === 'string' && words.trim() === ''
}

const isEmptyList = (content: unknown): boolean => Array.isArray(content) && content.length === 0

/** Nothing but blocks of text without any. */
const isHollowList = (content: unknown): boolean => Array.isArray(content) && content.every(block => block?.text === '')

const isNothing = (content: unknown): boolean => content === undefined || content === null

/** Results of other sorts have a shape of their own. */
const textual = new Set(['function', 'custom', 'local-shell', 'legacy'])
