/** Twelve letters and digits that say nothing. */
export const randomUid = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => alphabet[byte % alphabet.length]).join('')

/** Without those that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
