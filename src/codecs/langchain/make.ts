import type { Role } from '../../core/conversation.ts'
import { type Fields, formOf, record, roleOf, typeOf } from './form.ts'

/** The same message with other fields, in its own form. */
export function withFields(raw: Fields, fields: Fields): unknown {
  switch (formOf(raw)) {
    case 'instance':
      return withOwnFields(raw, fields)
    case 'constructor':
      return { ...raw, kwargs: fields }
    case 'stored':
      return { ...raw, data: fields }
    case 'flat':
      return fields
  }
}

/** `lc_kwargs` names what an object writes of itself as JSON, so it is kept in step. */
function withOwnFields(raw: Fields, fields: Fields): unknown {
  const kwargs: Record<string, unknown> = { ...record(raw.lc_kwargs) }
  for (const key of Object.keys(fields)) if (fields[key] !== raw[key]) kwargs[key] = fields[key]
  for (const key of Object.keys(raw)) if (!(key in fields)) delete kwargs[key]
  return create(raw, { ...fields, lc_kwargs: kwargs })
}

/** Not by a constructor, which is not at hand, and not by assignment, which could meet a setter. */
const create = (raw: Fields, fields: Fields): unknown =>
  Object.create(Object.getPrototypeOf(raw), Object.getOwnPropertyDescriptors(fields))

export type Speaker = Exclude<Role, 'other'>

/** A message that nobody wrote, in the form of a neighbour. Objects take their class from one of the same role. */
export function madeLike(
  neighbour: Fields | undefined,
  role: Speaker,
  fields: Fields,
  donors: (role: Speaker) => Fields | undefined,
): unknown {
  const form = neighbour ? formOf(neighbour) : 'flat'
  const { type, name } = names[role]
  if (form === 'stored') return { type, data: fields }
  if (form === 'constructor') {
    const { lc, type: kind, id } = neighbour as { lc: unknown; type: unknown; id: unknown[] }
    return { lc, type: kind, id: [...id.slice(0, -1), name], kwargs: fields }
  }
  const donor = form === 'instance' ? donors(role) : undefined
  if (donor) return bornOf(donor, fields)
  return form === 'flat' && typeof neighbour?.role === 'string' ? { role, ...fields } : { type, ...fields }
}

const names: Readonly<Record<Speaker, { readonly type: string; readonly name: string }>> = {
  user: { type: 'human', name: 'HumanMessage' },
  assistant: { type: 'ai', name: 'AIMessage' },
  system: { type: 'system', name: 'SystemMessage' },
  tool: { type: 'tool', name: 'ToolMessage' },
}

/** An object of the same class that has nothing of the other but what marks the class. */
function bornOf(donor: Fields, fields: Fields): unknown {
  const own: Record<string, unknown> = { ...donor }
  for (const key of Object.keys(own)) {
    if (key !== 'type' && !key.startsWith('lc_')) own[key] = Array.isArray(own[key]) ? [] : undefined
  }
  const kwargs = { additional_kwargs: {}, response_metadata: {}, ...fields }
  return create(donor, { ...own, ...kwargs, lc_kwargs: kwargs })
}

/** Finds the first object of each role in a history, which is looked through once. */
export function donorsOf(history: readonly unknown[]): (role: Speaker) => Fields | undefined {
  let found: Map<Role, Fields> | undefined
  return role => {
    if (!found) {
      found = new Map()
      for (const raw of history as readonly Fields[]) {
        if (typeof raw !== 'object' || raw === null || formOf(raw) !== 'instance') continue
        const speaker = roleOf(typeOf(raw))
        if (!found.has(speaker)) found.set(speaker, raw)
      }
    }
    return found.get(role)
  }
}
