import { base64Bytes, isBase64 } from './base64.ts'

/** Media as a request holds them: base64 text, or bytes. */
export type MediaData = string | Uint8Array

/** How long media are as base64, which is what most providers measure. */
export const base64Length = (data: MediaData): number =>
  typeof data === 'string' ? data.length : Math.ceil(data.length / 3) * 4

export const byteLength = (data: MediaData): number =>
  typeof data === 'string'
    ? Math.floor((data.length * 3) / 4) - (/={0,2}$/.exec(data.slice(-2))?.[0].length ?? 0)
    : data.length

/** Some bytes of media. */
export const bytesAt = (data: MediaData, from: number, length: number): Uint8Array =>
  typeof data === 'string' ? base64Bytes(data, from, length).subarray(0, length) : data.subarray(from, from + length)

export const isReadableText = (data: MediaData): boolean => typeof data !== 'string' || isBase64(data)

/** Bytes as text, one character a byte. */
export function latin1(bytes: Uint8Array): string {
  let text = ''
  // Spreading the bytes into arguments would take many times as long.
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + 8192) as unknown as number[])
  return text
}
