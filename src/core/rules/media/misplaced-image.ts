import { isRecord } from '../../conversation.ts'
import { asFields, type BodyDraft, type MutableFields, scalarText } from '../../request/body-draft.ts'
import { readMedium } from '../../request/media-parts.ts'
import { opensTurn, type PartPlace, resultIn, rewriteParts, roleOf, textPart } from '../../request/parts.ts'
import { defineLimit } from '../limit-rule.ts'
import type { Page } from '../rule.ts'

export const misplacedImage = defineLimit({
  id: 'misplaced-image',
  appliesTo: facts => facts.assistantImages !== undefined,
  repair(draft) {
    const isMisplaced = ({ role, inResult }: PartPlace): boolean => role === 'assistant' && !inResult
    const misplaced = draft.survey.media.filter(medium => medium.kind === 'image' && isMisplaced(medium))
    if (misplaced.length > 0 && draft.allows('synthetic')) moveImages(draft, isMisplaced)
    else for (const { role, at } of misplaced) draft.change('synthetic', at, movingText(role), () => {})
  },
})

/** Images in messages that may not have them move to a user message after the results. */
export function moveImages(draft: BodyDraft, isMisplaced: (place: PartPlace) => boolean): void {
  const moved = new Map<number, MutableFields[]>()
  rewriteParts(draft, (part, place) => {
    const { role, message, at } = place
    const isImage = readMedium(part)?.kind === 'image'
    if (!isImage || !isMisplaced(place)) return part
    const isMoved = draft.change('synthetic', at, movingText(role), () => {
      const parts = moved.get(message)
      if (parts) parts.push(part)
      else moved.set(message, [textPart(draft, sourceText(role), 'user', false), part])
    })
    return isMoved ? textPart(draft, '[image: see the next user message]', role, false) : part
  })
  let pending: MutableFields[] = []
  const after: unknown[] = []
  const flush = (message: unknown): void => {
    const fields = asFields(message)
    const parts = fields?.content
    if (pending.length === 0) after.push(...(message === undefined ? [] : [message]))
    else if (fields && opensTurn(fields)) {
      const own = Array.isArray(parts) ? parts : [textPart(draft, scalarText(parts ?? ''), 'user', false)]
      const isResult = (part: unknown): boolean => isRecord(part) && resultIn(part as MutableFields) !== undefined
      fields.content = [...own.filter(isResult), ...pending, ...own.filter(part => !isResult(part))]
      after.push(fields)
    } else after.push({ role: 'user', content: pending }, ...(message === undefined ? [] : [message]))
    pending = []
  }
  draft.history.forEach((message, index) => {
    if (roleOf(message) === 'tool' || (roleOf(message) === 'user' && !opensTurn(message))) after.push(message)
    else flush(message)
    for (const part of moved.get(index) ?? []) pending.push(part)
  })
  if (pending.length > 0) flush(undefined)
  if (moved.size > 0) draft.history = after
}

const sourceText = (role: string): string =>
  role === 'assistant' ? '[image from the assistant]' : `[image from a ${role} message]`

const movingText = (role: string): string =>
  `the image moves to a user message: one with the role ${role} may not have it`

export const page: Page = {
  summary: 'An assistant message has an image, and the provider takes images in user messages only.',
  why: 'Another model made the image, or a library put it into the message of the assistant. Every later request is rejected.',
  fix: 'The image moves to the next user message, after the results; a short text takes its place.',
}
