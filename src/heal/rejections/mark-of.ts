import { hash } from '../../core/ids.ts'

/** A fingerprint of a text: its length and a hash. */
export const markOf = (text: string): string => `${text.length.toString(36)}${hash(text)}`
