import type { Dialect } from '../../../core/dialect.ts'
import { dialects } from '../../../core/dialects/index.ts'
import { pages } from '../../../core/rules/pages.ts'

/** The rules whose rejections have the words of this text, whatever its punctuation, in the order of their pages. */
export function rejectingRules(text: string): string[] {
  const words = ` ${wordsOf(text.slice(0, textMax).replaceAll(/\\[nrt]/g, ' '))} `
  const matching = new Set<string>()
  for (const { refusals } of Object.values<Dialect>(dialects))
    for (const [rule, refusal = ''] of Object.entries(refusals))
      if (!matching.has(rule) && patternOf(refusal).test(words)) matching.add(rule)
  return Object.keys(pages).filter(rule => matching.has(rule))
}

/** The words of a rejection, with anything in place of its ids and positions. */
function patternOf(refusal: string): RegExp {
  const pieces = refusal.split(/\{\w+\}|\[\d+\]/).map(wordsOf)
  return new RegExp(` ${pieces.filter(piece => piece !== '').join(' (?:\\S+ ){0,20}?')} `)
}

const wordsOf = (text: string): string => (text.toLowerCase().match(/[\p{L}\d_]+/gu) ?? []).join(' ')

const textMax = 20_000
