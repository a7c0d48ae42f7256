import { createHash } from 'node:crypto'

/** A deterministic uuid: the same repair gives the same one. */
export function uuidFrom(...seeds: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(seeds)).digest('hex')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, variant + hex.slice(17, 20)]
  return [...groups, hex.slice(20, 32)].join('-')
}
