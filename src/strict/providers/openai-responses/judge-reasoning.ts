import { isReference } from '../../answers/reference.ts'
import { type JsonObject, stringOf } from '../../json.ts'
import { contentTexts } from '../../judge/readers/content.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import type { RawRequest } from '../../judge/validator.ts'
import type { ServerState } from '../../server/state.ts'
import { placeOf } from './judge-input.ts'

/** A reasoning item and the item it was produced with belong together, as long as they have their ids. */
export const reasoningPairs = ({ messages, state }: RawRequest, start: number): RejectionReason[] => {
  const seen = new Set<unknown>()
  return messages.flatMap((item, index) => {
    seen.add(item.id)
    if (index < start) return []
    const at = placeOf(index, start)
    return [...follower(item, messages[index + 1], at, state), ...missingReasoning(item, seen, at, state)]
  })
}

/** Reasoning with an id must be followed by the item it was produced with. */
function follower(
  { id, type }: JsonObject,
  next: JsonObject | undefined,
  at: string,
  state: ServerState | undefined,
): RejectionReason[] {
  if (type !== 'reasoning' || typeof id !== 'string') return []
  const message = `Item '${id}' of type 'reasoning' was provided without its required following item.`
  const rejected = [reject('or-reasoning-no-follow', message, at, { param: 'input' })]
  if (!next || isOfCaller(next)) return rejected
  if (isReference(next)) return []
  if (typeof next.id === 'string') return isStranger(next.id, id, state) ? rejected : []
  return isEmptyMessage(next)
    ? rejected
    : [rejectPedantically('or-reasoning-no-follow', message, at, { param: 'input' })]
}

/** This server produced the reasoning with another item. */
function isStranger(next: string, id: string, state: ServerState | undefined): boolean {
  const own = state?.around(id).after ?? []
  return own.length > 0 && !own.some(item => item.id === next)
}

/** An item that this server sent directly after reasoning requires that reasoning before it. */
function missingReasoning(
  { id, type }: JsonObject,
  seen: Set<unknown>,
  at: string,
  state: ServerState | undefined,
): RejectionReason[] {
  const fact = facts.get(type)
  const before = typeof id === 'string' ? state?.around(id).before.at(-1) : undefined
  if (fact === undefined || before?.type !== 'reasoning' || seen.has(before.id)) return []
  const message = `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${before.id}'.`
  return [reject(fact, message, at, { param: 'input' })]
}

/** That other types require their reasoning as well is only inferred. */
const facts = new Map<unknown, string>([
  ['function_call', 'or-fc-no-reasoning'],
  ['message', 'or-msg-no-reasoning'],
])

/** Items that the model cannot have produced. */
const isOfCaller = ({ type, role }: JsonObject): boolean =>
  ['user', 'system', 'developer'].includes(stringOf(role) ?? '') ||
  ((stringOf(type) ?? '').endsWith('_call_output') && role === undefined)

function isEmptyMessage(item: JsonObject): boolean {
  if (typeof item.role !== 'string') return false
  const { texts, media } = contentTexts(item.content)
  return !media && texts.join('') === ''
}
