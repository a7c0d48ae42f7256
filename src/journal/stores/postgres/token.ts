/** Asking for many at once costs little more than asking for one, which would be felt in every write. */
const tokens = new BigInt64Array(256)
let used = tokens.length

/** A random number of 64 bits, in digits. */
export function randomToken(): string {
  if (used === tokens.length) {
    crypto.getRandomValues(tokens)
    used = 0
  }
  return String(tokens[used++])
}
