import { decodeBytes } from './decoding.ts'

/** The text of a body, or undefined if it is not text, has an unknown encoding, or is longer than `bytesMax` once decoded. */
export async function bodyText(
  content: string | Uint8Array<ArrayBuffer>,
  encoding: string,
  bytesMax: number,
): Promise<string | undefined> {
  if (typeof content === 'string') return isPlain(encoding) ? content : undefined
  const bytes = isPlain(encoding) ? content : await decodeBytes(content, encoding, bytesMax)
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export const isPlain = (encoding: string): boolean => encoding === '' || /^(identity)?$/i.test(encoding.trim())
