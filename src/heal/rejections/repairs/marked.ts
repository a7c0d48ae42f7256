import { isRecord } from '../../../core/conversation.ts'
import { asFields, type MutableFields } from '../../../core/request/body-draft.ts'
import { findMedia, replaceMedia } from '../../../core/request/media-parts.ts'
import { markOf } from '../mark-of.ts'
import type { RequestDraft } from '../request-draft.ts'
import { dropItems } from './encrypted.ts'
import { dropReasoning } from './reasoning.ts'
import { dropThoughtSignatures } from './signatures.ts'

/** Removes what was removed from an earlier request, known by its fingerprints. */
export function dropMarked(draft: RequestDraft): void {
  const marks = new Set(draft.rejection.values)
  const isMarked = (text: unknown): boolean => typeof text === 'string' && marks.has(markOf(text))
  const holdsMark = (value: unknown): boolean =>
    isRecord(value) && Object.values(value).some(inner => isMarked(inner) || (isRecord(inner) && holdsMark(inner)))
  dropReasoning(draft, part => holdsMark(part))
  dropItems(
    draft,
    draft.history.filter(item => {
      const { type, id, encrypted_content: sealed } = asFields(item) ?? {}
      return (
        (type === 'reasoning' || type === 'compaction' || type === 'item_reference') &&
        (isMarked(id) || isMarked(sealed))
      )
    }),
  )
  draft.history.forEach((item, index) => {
    const fields = asFields(item)
    if (fields && isMarked(fields.id))
      draft.change(
        'lossless',
        `${draft.root}[${index}].id`,
        'an id that the provider does not know is removed',
        () => delete fields.id,
      )
  })
  const media = findMedia(draft).filter(({ data, url, file, uri }) => [data, url, file, uri].some(isMarked))
  replaceMedia(draft, media, 'the provider rejected it before')
  if (hasMarkedSignature(draft, isMarked)) dropThoughtSignatures(draft, isMarked)
  for (const key of ['previous_response_id', 'conversation', 'cachedContent', 'cached_content'])
    if (isMarked(draft.body[key]))
      draft.change(
        'lossless',
        key,
        'a reference that the provider does not have is removed',
        () => delete draft.body[key],
      )
}

function hasMarkedSignature(draft: RequestDraft, isMarked: (text: unknown) => boolean): boolean {
  const search = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(search)
    if (!isRecord(value)) return false
    const fields = value as MutableFields
    return isMarked(fields.thoughtSignature) || isMarked(fields.thought_signature) || Object.values(fields).some(search)
  }
  return search(draft.history)
}
