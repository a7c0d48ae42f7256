import { isRecord } from '../../conversation.ts'
import { isTooDeep } from '../../json/nesting.ts'
import type { BodyDraft, MutableFields } from '../../request/body-draft.ts'
import { pathText } from '../../request/path-text.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const brokenCharacter = defineLimit({
  id: 'broken-character',
  ofMessages: true,
  appliesTo: facts => facts.loneSurrogates !== undefined,
  repair(draft) {
    if (!isWellFormed(draft.body) && !isTooDeep(draft.body)) replaceLoneSurrogates(draft)
  },
})

/** Whether all strings of a value are well-formed. Objects are visited without recursion, and if there are very many, each once: a value may contain itself. */
export function isWellFormed(value: unknown): boolean {
  const open: unknown[] = [value]
  const seen = new Set<unknown>()
  for (let next = open.pop(), count = 0; next !== undefined; next = open.pop(), count++) {
    if (ArrayBuffer.isView(next) || seen.has(next)) continue
    if (count > 10_000) seen.add(next)
    for (const inner of Array.isArray(next) ? next : Object.values(next as object)) {
      if (typeof inner === 'string') {
        if (hasHalf(inner)) return false
      } else if (typeof inner === 'object' && inner !== null) open.push(inner)
    }
  }
  return true
}

/** Whether a text has half a character. Node 18 cannot tell by itself. */
const hasHalf = (text: string): boolean => (text.isWellFormed ? !text.isWellFormed() : /\p{Surrogate}/u.test(text))

/** Strings with half a character: it becomes the replacement character. */
export function replaceLoneSurrogates(draft: BodyDraft): void {
  const repair = (
    holder: MutableFields | unknown[],
    key: string | number,
    path: readonly (string | number)[],
  ): void => {
    const text = (holder as MutableFields)[key]
    if (typeof text !== 'string' || !hasHalf(text)) return
    draft.change('lossy', pathText(path), 'half a character (a lone surrogate) becomes U+FFFD', () => {
      ;(holder as MutableFields)[key] = text.replace(/\p{Surrogate}/gu, '\uFFFD')
    })
  }
  const walk = (value: unknown, path: readonly (string | number)[]): void => {
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        repair(value, index, [...path, index])
        walk(value[index], [...path, index])
      }
    } else if (isRecord(value) && !ArrayBuffer.isView(value)) {
      for (const key of Object.keys(value)) {
        repair(value as MutableFields, key, [...path, key])
        walk(value[key], [...path, key])
      }
    }
  }
  walk(draft.body, [])
}

export const page: Page = {
  summary: 'A string has half a character: a surrogate without its other half.',
  why: 'A text was cut between the two halves of an emoji, most often a long result. The provider rejects the whole body as invalid JSON, at every turn.',
  fix: 'The half becomes U+FFFD, the replacement character.',
}
