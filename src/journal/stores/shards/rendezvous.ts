import { shortHash } from '../../../core/ids.ts'

/** Rendezvous hashing: each owner ranks all items by its own hash. */
export const rendezvousWeight = (owner: string, item: string): string => shortHash(`${owner} ${item}`)
