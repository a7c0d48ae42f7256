import type { JsonObject } from '../json.ts'

/** An item that is named by its id alone. The type is optional. */
export const isReference = (item: JsonObject): boolean =>
  item.type === 'item_reference' ||
  (typeof item.id === 'string' && (item.type ?? null) === null && Object.keys(item).every(key => known.has(key)))

const known = new Set(['id', 'type'])
