import type { Document } from '../../protocol.ts'
import { readTexts } from './read-text.ts'

/** Reads a file that was dropped or chosen. Throws an Error with one line if it cannot be read. */
export async function readFile(file: File): Promise<Document[]> {
  const { name, size } = file
  if (size > fileBytesMax)
    throw new Error(`${name} is larger than ${fileBytesMax / 2 ** 20} MB: open it with antiphon view`)
  const bytes = await bytesOf(file)
  if (beginsWith(bytes, 'SQLite format 3\0')) throw new Error(`${name} is a database: open it with antiphon view`)
  return readTexts(name, textOf(name, bytes))
}

export const fileBytesMax = 256 * 2 ** 20

async function bytesOf(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer())
  } catch {
    throw new Error(`${file.name} cannot be read: it is a folder or does not exist any more`)
  }
}

function textOf(name: string, bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new Error(`${name} is UTF-16: save it as UTF-8`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error(`${name} is not text in UTF-8`)
  }
}

const beginsWith = (bytes: Uint8Array, text: string): boolean =>
  [...text].every((character, index) => bytes[index] === character.charCodeAt(0))
