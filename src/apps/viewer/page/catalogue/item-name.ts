import type { Item } from '../../protocol.ts'

/** A name for an item that no other one has. */
export const itemName = ({ source, id }: Pick<Item, 'source' | 'id'>): string => JSON.stringify([source, id])
