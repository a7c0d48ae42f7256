/** Random numbers are made in batches: one at a time would slow down every write measurably. */
const tokens = new BigInt64Array(256)
let used = tokens.length

/** A random 64-bit integer, as decimal digits. */
export function randomToken(): string {
  if (used === tokens.length) {
    crypto.getRandomValues(tokens)
    used = 0
  }
  return String(tokens[used++])
}
