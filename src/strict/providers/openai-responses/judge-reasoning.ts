import { isReference } from '../../answers/reference.ts'
import { type JsonObject, stringOf } from '../../json.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'
import { readContent } from '../../judge/readers/content.ts'
import type { Wire } from '../../judge/validator.ts'
import type { State } from '../../server/state.ts'
import { placeOf } from './judge-input.ts'

/** A reasoning item and what it was produced with are halves of one whole, as long as they have their ids. */
export const reasoningHalves = ({ messages, state }: Wire, start: number): Objection[] => {
  const seen = new Set<unknown>()
  return messages.flatMap((item, index) => {
    seen.add(item.id)
    if (index < start) return []
    const at = placeOf(index, start)
    return [...follower(item, messages[index + 1], at, state), ...reason(item, seen, at, state)]
  })
}

/** Reasoning that has its id must be followed by what it was produced with. */
function follower(
  { id, type }: JsonObject,
  next: JsonObject | undefined,
  at: string,
  state: State | undefined,
): Objection[] {
  if (type !== 'reasoning' || typeof id !== 'string') return []
  const message = `Item '${id}' of type 'reasoning' was provided without its required following item.`
  const refused = [refuse('or-reasoning-no-follow', message, at, { param: 'input' })]
  if (!next || isOfCaller(next)) return refused
  if (isReference(next)) return []
  if (typeof next.id === 'string') return isStranger(next.id, id, state) ? refused : []
  return isEmptyMessage(next)
    ? refused
    : [refusePedantically('or-reasoning-no-follow', message, at, { param: 'input' })]
}

/** This server produced the reasoning with something else. */
function isStranger(next: string, id: string, state: State | undefined): boolean {
  const own = state?.around(id).after ?? []
  return own.length > 0 && !own.some(item => item.id === next)
}

/** An item that this server gave right behind reasoning needs that reasoning in front of it. */
function reason({ id, type }: JsonObject, seen: Set<unknown>, at: string, state: State | undefined): Objection[] {
  const fact = facts.get(type)
  const before = typeof id === 'string' ? state?.around(id).before.at(-1) : undefined
  if (fact === undefined || before?.type !== 'reasoning' || seen.has(before.id)) return []
  const message = `Item '${id}' of type '${type}' was provided without its required 'reasoning' item: '${before.id}'.`
  return [refuse(fact, message, at, { param: 'input' })]
}

/** That other types are bound to their reasoning as well is only inferred. */
const facts = new Map<unknown, string>([
  ['function_call', 'or-fc-no-reasoning'],
  ['message', 'or-msg-no-reasoning'],
])

/** Nothing that the model can have said. */
const isOfCaller = ({ type, role }: JsonObject): boolean =>
  ['user', 'system', 'developer'].includes(stringOf(role) ?? '') ||
  ((stringOf(type) ?? '').endsWith('_call_output') && role === undefined)

function isEmptyMessage(item: JsonObject): boolean {
  if (typeof item.role !== 'string') return false
  const { texts, media } = readContent(item.content)
  return !media && texts.join('') === ''
}
