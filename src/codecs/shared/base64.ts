/** Bytes as base64 text; undefined if the value is neither an array of them nor base64 already. */
export function base64(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (!ArrayBuffer.isView(value)) return undefined
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  let binary = ''
  for (let from = 0; from < bytes.length; from += stride)
    binary += String.fromCharCode(...bytes.subarray(from, from + stride))
  return btoa(binary)
}

/** The number of arguments that a function call accepts on every engine. */
const stride = 8_192
