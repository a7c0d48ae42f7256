import { randomBytes, randomUUID } from 'node:crypto'

/** A UUIDv7, as Codex and pi use. */
export function timeUuid(time: number): string {
  const hex = time.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`
}

export const randomHex = (count: number): string => randomBytes(count).toString('hex').slice(0, count)

/** Random letters and digits. */
export function randomLetters(count: number): string {
  return Array.from(randomBytes(count), byte => letters[byte % letters.length]).join('')
}

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
