/** A text, or the empty one for anything else. */
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')
