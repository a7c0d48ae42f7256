/** A random 12-character id. */
export const randomUid = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => alphabet[byte % alphabet.length]).join('')

/** Without characters that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
