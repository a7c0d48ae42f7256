import { isRecord } from '../../../core/conversation.ts'
import { asFields, asList, type MutableFields } from '../../../core/request/body-draft.ts'
import { opensTurn, removeMessages, roleOf } from '../../../core/request/parts.ts'
import { withoutQuotes } from '../rejection-texts.ts'
import type { RequestDraft } from '../request-draft.ts'
import { dropAllReasoning } from './reasoning.ts'

const isReasoningItem = (item: unknown): item is MutableFields => isRecord(item) && item.type === 'reasoning'

/** Gateways write an empty string where there is no encrypted content. */
const isEncrypted = (item: unknown): item is MutableFields =>
  isRecord(item) && typeof item.encrypted_content === 'string' && item.encrypted_content !== ''

/** The named blob, and all reasoning: it was most likely encrypted for the same account, and there is only one more request. */
export function dropEncryptedBlob(draft: RequestDraft): void {
  const { first = '', last = '' } = draft.rejection
  const fits = (text: unknown): boolean =>
    typeof text === 'string' && withoutQuotes(text).startsWith(first) && withoutQuotes(text).endsWith(last)
  const named = new Set(
    draft.history.filter(
      item =>
        isRecord(item) &&
        (fits(item.encrypted_content) ||
          asList(item.summary).some(part => fits(asFields(part)?.text)) ||
          fits(summaryOf(item))),
    ),
  )
  if (named.size === 0) {
    dropAllEncrypted(draft)
    return
  }
  dropItems(
    draft,
    draft.history.filter(item => named.has(item) || isReasoningItem(item)),
  )
}

const summaryOf = (item: Readonly<MutableFields>): string =>
  asList(item.summary)
    .map(part => asFields(part)?.text ?? '')
    .join('\n')

/** The named item, and all reasoning, as for encrypted content. Another compaction is kept: its content would be lost. */
export function dropEncryptedItem(draft: RequestDraft): void {
  const isNamed = (item: unknown): boolean => asFields(item)?.id === draft.rejection.item
  if (!draft.history.some(isNamed)) dropAllEncrypted(draft)
  else
    dropItems(
      draft,
      draft.history.filter(item => isNamed(item) || isReasoningItem(item)),
    )
}

/** All encrypted items, and all reasoning, encrypted or not. */
export function dropAllEncrypted(draft: RequestDraft): void {
  if (draft.format !== 'openai-responses') {
    dropAllReasoning(draft)
    return
  }
  dropItems(
    draft,
    draft.history.filter(item => isReasoningItem(item) || isEncrypted(item)),
  )
}

/** Removes items. The ids of the items that they led to are removed too, since those depend on them. */
export function dropItems(draft: RequestDraft, items: readonly unknown[]): void {
  if (items.length === 0) return
  const places = new Map(draft.history.map((item, index) => [item, index]))
  for (const item of items) {
    const { type } = item as MutableFields
    const what =
      type === 'reasoning' ? 'reasoning' : type === 'compaction' ? 'a compaction and what it summarised' : `a ${type}`
    const at = `${draft.root}[${places.get(item)}]`
    if (!draft.change('lossy', at, `${what} that the provider cannot read is removed`, () => {})) return
  }
  const gone = new Set(items)
  let isBound = false
  for (const item of draft.history) {
    if (opensTurn(item)) isBound = false
    if (gone.has(item)) isBound = true
    else if (isBound && isRecord(item) && roleOf(item) === 'assistant' && item.type !== 'item_reference')
      delete (item as MutableFields).id
  }
  removeMessages(draft, gone)
}

/** An item that the provider no longer has: its id is removed if the request contains its content, else the reference is. */
export function dropItemGone(draft: RequestDraft): void {
  const { item: id } = draft.rejection
  const gone: unknown[] = []
  draft.history.forEach((item, index) => {
    if (!isRecord(item)) return
    const isNamed = item.id === id
    const isReference = item.type === 'item_reference'
    // Without its encrypted content the provider can only look it up, as it did with the named item.
    const isLookedUp = isReference || (isReasoningItem(item) && !isEncrypted(item))
    if (isLookedUp || (isNamed && isReasoningItem(item))) gone.push(item)
    else if (isNamed)
      draft.change('lossless', `${draft.root}[${index}].id`, 'an id that the provider does not know is removed', () => {
        delete (item as MutableFields).id
      })
  })
  dropItems(draft, gone)
}

/** A response that the provider no longer has: the reference is removed if the request contains the whole conversation. */
export function dropResponseGone(draft: RequestDraft): void {
  if (!isSelfContained(draft)) return
  for (const key of ['previous_response_id', 'conversation']) {
    if (draft.body[key] === undefined) continue
    draft.change('lossless', key, 'the reference to a response that the provider does not have is removed', () => {
      delete draft.body[key]
    })
  }
}

/** Whether a request shows a whole conversation: it begins with a user message, has an answer, and every result has its call. */
function isSelfContained(draft: RequestDraft): boolean {
  const items = draft.history.filter(item => !['system', 'developer'].includes(roleOf(item)))
  if (!opensTurn(items[0]) || !items.some(item => roleOf(item) === 'assistant')) return false
  const calls = new Set(items.filter(item => roleOf(item) === 'assistant').map(item => asFields(item)?.call_id))
  return items.every(item => roleOf(item) !== 'tool' || calls.has(asFields(item)?.call_id))
}

/** Cached content that the provider no longer has. */
export function dropCachedContent(draft: RequestDraft): void {
  for (const key of ['cachedContent', 'cached_content']) {
    if (draft.body[key] === undefined) continue
    draft.change('lossy', key, 'the reference to cached content that the provider does not have is removed', () => {
      delete draft.body[key]
    })
  }
}
