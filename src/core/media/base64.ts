/** Bytes of base64 text, from the byte `from` on, at most `length` of them. Text that is not base64 ends where it stops being it. */
export function base64Bytes(text: string, from = 0, length = Number.POSITIVE_INFINITY): Uint8Array {
  const start = Math.floor(from / 3) * 4
  const chars = Math.min(text.length - start, Math.ceil((length + 3) / 3) * 4)
  if (!(chars > 0)) return new Uint8Array(0)
  const bytes = new Uint8Array(Math.floor((chars * 3) / 4))
  let [at, buffer, bits] = [0, 0, 0]
  for (let index = start; index < start + chars; index++) {
    const value = values[text.charCodeAt(index)] ?? 255
    if (value === 255) break
    buffer = ((buffer << 6) | value) & 0xffffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = (buffer >> bits) & 255
  }
  return bytes.subarray(from % 3, at)
}

/** Bytes as base64. */
export function base64Text(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 6144) text += btoa(String.fromCharCode(...bytes.subarray(at, at + 6144)))
  return text
}

/** Whether text is base64 as providers take it: its own letters, padded at most at its end. */
export function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (text.length % 4 !== 0) return false
  for (let index = 0; index < text.length - padding; index++)
    if ((values[text.charCodeAt(index)] ?? 255) === 255) return false
  return true
}

/** The value of each letter by its code; 255 for what is not one. */
const values = new Uint8Array(128).fill(255)
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
for (let value = 0; value < letters.length; value++) values[letters.charCodeAt(value)] = value
