import { asRecord, type Fields, isRecord } from '../../core/conversation.ts'
import { baseOf, classOf, kinds } from './classes.ts'
import { formOf, type Kind, kindOf, typeOf } from './form.ts'

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
  const kwargs: Record<string, unknown> = { ...asRecord(raw.lc_kwargs) }
  for (const key of Object.keys(fields)) if (fields[key] !== raw[key]) kwargs[key] = fields[key]
  for (const key of Object.keys(raw)) if (!(key in fields)) delete kwargs[key]
  if (fields.content !== raw.content) delete kwargs.contentBlocks
  return create(raw, { ...fields, lc_kwargs: kwargs })
}

/** Not by a constructor, which is not at hand, and not by assignment, which could meet a setter. */
const create = (raw: Fields, fields: Fields): unknown =>
  Object.create(Object.getPrototypeOf(raw), Object.getOwnPropertyDescriptors(fields))

/** A made-up message in the form of a neighbour. Objects take their class from an earlier one. */
export function makeInFormOf(
  neighbour: Fields | undefined,
  kind: Kind,
  fields: Fields,
  donor: () => Fields | undefined,
): unknown {
  const form = neighbour ? formOf(neighbour) : 'flat'
  const { type, name } = kinds[kind]
  if (form === 'stored') return { type, data: fields }
  if (form === 'constructor') {
    const { lc, type: written, id } = neighbour as { lc: unknown; type: unknown; id: unknown[] }
    return { lc, type: written, id: [...id.slice(0, -1), name], kwargs: fields }
  }
  const made = form === 'instance' ? madeObject(neighbour as Fields, kind, fields, donor()) : undefined
  if (made) return made
  return form === 'flat' && typeof neighbour?.role === 'string' ? { role: kind, ...fields } : { type, ...fields }
}

function madeObject(neighbour: Fields, kind: Kind, fields: Fields, donor: Fields | undefined): unknown {
  if (donor) return ofSameClass(donor, fields)
  const base = baseOf(neighbour)
  return base && new (classOf(base, kind))({ ...fields })
}

/** An object of the same class that has nothing of the other but what marks the class. */
function ofSameClass(donor: Fields, fields: Fields): unknown {
  const own: Record<string, unknown> = { ...donor }
  for (const key of Object.keys(own)) {
    if (key !== 'type' && !key.startsWith('lc_')) own[key] = Array.isArray(own[key]) ? [] : undefined
  }
  const kwargs = { additional_kwargs: {}, response_metadata: {}, ...fields }
  return create(donor, { ...own, ...kwargs, lc_kwargs: kwargs })
}

/**
 * Finds the first object of a kind in a history, which is scanned once, if it is not after `front`: later messages must not
 * change what was made before.
 */
export function firstOfKind(history: readonly unknown[]): (kind: Kind, front: number) => Fields | undefined {
  let first: Map<Kind | 'other', number> | undefined
  return (kind, front) => {
    if (!first) {
      first = new Map()
      for (const [index, raw] of history.entries()) {
        if (!isRecord(raw) || formOf(raw) !== 'instance') continue
        const known = kindOf(typeOf(raw))
        if (!first.has(known)) first.set(known, index)
      }
    }
    const index = first.get(kind) ?? Number.POSITIVE_INFINITY
    return index <= front ? (history[index] as Fields) : undefined
  }
}
