import { rejectionKinds } from '../../heal/rejections/kinds.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'
import type { Examination, StoredConversation } from '../system.ts'

/**
 * Examines a session for a rejection. What is wrong with its calls and results is found without one, and is repaired first: a
 * repair after a rejection relies on it.
 */
export async function examineRejected(conversation: StoredConversation, rejection: Rejection): Promise<Examination> {
  const usual = await conversation.examine()
  if (rejection.kind === 'history') return usual
  const { treatment: _, since: __, ...about } = usual
  const empty = { ...about, repairs: [], remaining: [], dropped: [] }
  if (usual.treatment)
    return {
      ...empty,
      state: 'broken',
      remaining: usual.repairs,
      notes: [...usual.notes, 'it is broken without this rejection too: antiphon doctor --fix repairs that first'],
    }
  const found = rejection.kind === 'not-healable' ? undefined : await conversation.examineRejection?.(rejection)
  if (!found) return { ...empty, state: 'healthy', notes: [...usual.notes, whyNot(conversation, rejection)] }
  const { repairs, remaining, dropped = [], notes = [], treatment } = found
  const nothing = repairs.length === 0 && remaining.length === 0 && notes.length === 0
  return {
    ...empty,
    state: repairs.length > 0 || remaining.length > 0 ? 'broken' : 'healthy',
    repairs,
    remaining,
    dropped,
    notes: nothing ? [...usual.notes, nothingFound(rejection)] : [...usual.notes, ...notes],
    ...(treatment && repairs.length > 0 && { treatment }),
  }
}

const whyNot = (conversation: StoredConversation, { kind }: Rejection): string =>
  kind === 'not-healable'
    ? `nothing in a session can help: ${rejectionKinds[kind].why}`
    : conversation.examineRejection
      ? nothingFound({ kind })
      : 'sessions of this program are not repaired for a rejection; antiphon proxy repairs the requests that it sends'

const nothingFound = ({ kind }: Pick<Rejection, 'kind'>): string =>
  aboutRequest.has(kind)
    ? 'the rejection is about a setting of the request, which is not stored here; antiphon proxy repairs the requests'
    : 'it has nothing that the rejection is about'

/** Kinds whose repair changes settings of a request rather than its history. */
const aboutRequest: ReadonlySet<Rejection['kind']> = new Set([
  'parameter',
  'output-budget',
  'tool-schema',
  'tool-count',
])
