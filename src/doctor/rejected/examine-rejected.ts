import { rejectionKinds } from '../../heal/rejections/kinds.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import type { Examination, StoredConversation } from '../system.ts'
import { isOfContent, isOfSettings } from './is-stored.ts'

/**
 * Examines a session after a rejection. Defects of its calls and results are found without it, and are repaired first,
 * because the repair after a rejection relies on that.
 */
export async function examineRejected(conversation: StoredConversation, rejection: Rejection): Promise<Examination> {
  const usual = await conversation.examine()
  if (rejection.kind === 'history') return usual
  const { storeRepair: _, since: __, ...about } = usual
  const empty = { ...about, repairs: [], remaining: [], dropped: [] }
  if (usual.storeRepair)
    return {
      ...empty,
      state: 'broken',
      remaining: usual.repairs,
      notes: [
        ...usual.notes,
        'it also has defects that this error is not about: repair them first, with --fix and without --because',
      ],
    }
  const canHelp = rejection.kind !== 'not-healable' && !isOfSettings(rejection)
  const found = canHelp ? await conversation.examineRejection?.(rejection) : undefined
  if (!found) return { ...empty, state: 'healthy', notes: [...usual.notes, whyNot(conversation, rejection)] }
  const { repairs, remaining, dropped = [], notes = [], storeRepair } = found
  const nothing = repairs.length === 0 && remaining.length === 0 && notes.length === 0
  return {
    ...empty,
    state: repairs.length > 0 || remaining.length > 0 ? 'broken' : 'healthy',
    repairs,
    remaining,
    dropped,
    notes: nothing ? [...usual.notes, nothingFound(rejection)] : [...usual.notes, ...notes],
    ...(storeRepair && repairs.length > 0 && { storeRepair }),
  }
}

const whyNot = (conversation: StoredConversation, rejection: Rejection): string =>
  rejection.kind === 'not-healable'
    ? `no change of a session can help: ${rejectionKinds[rejection.kind].why}`
    : isOfSettings(rejection) || conversation.examineRejection
      ? nothingFound(rejection)
      : 'sessions of this program are not repaired for a rejection; antiphon proxy repairs the requests that it sends'

const nothingFound = (rejection: Rejection): string =>
  isOfSettings(rejection)
    ? 'the rejection is about a setting of the request, which is not stored here; antiphon proxy repairs the requests'
    : isOfContent(rejection)
      ? 'it does not contain what the rejection is about'
      : 'the rejection is about how the request is written, not about what is stored; antiphon proxy repairs the requests'
