import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import type { TextSpan } from '../core/json/json-spans.ts'
import { fileError } from './files/file-error.ts'
import { type Fingerprint, fingerprint } from './files/fingerprint.ts'
import { parseJson } from './files/parse-json.ts'
import { printLike } from './files/print-like.ts'
import { readRegularFile } from './files/regular-file.ts'
import { byteOrderMarkLength, isUtf16 } from './files/source.ts'
import { type AssertUnused, swapFile } from './files/swap-file.ts'
import type { StoreRepair } from './system.ts'

/** A file that is one JSON document. */
export interface JsonDocument {
  readonly path: string
  /** Without the byte order mark. */
  readonly text: string
  readonly mark: Buffer
  readonly value: unknown
  readonly fingerprint: Fingerprint
}

/** Reads a document. Throws a one-line error if it is not one. */
export function readDocument(path: string): JsonDocument {
  if (statSync(path).size > jsonDocumentBytesMax)
    throw fileError(
      path,
      'it is one JSON document of more than 256 MB',
      'larger files are read only if they are JSONL, with one value per line',
    )
  const before = fingerprint(path)
  const bytes = readRegularFile(path)
  if (isUtf16(bytes)) throw fileError(path, 'it is UTF-16', 'save it as UTF-8')
  if (!isUtf8(bytes)) throw fileError(path, 'it is not UTF-8')
  const mark = bytes.subarray(0, byteOrderMarkLength(bytes))
  const text = bytes.subarray(mark.length).toString()
  if (text.trim() === '') throw fileError(path, 'the file is empty')
  return { path, text, mark: Buffer.from(mark), value: parseJson(text, path, JSON.parse), fingerprint: before }
}

/** A document must be held as a whole. */
export const jsonDocumentBytesMax = 256 * 1024 * 1024

/** Replaces the elements of a list in a document; everything that is not new is written as it was. */
export function repairListIn(
  document: JsonDocument,
  { start, end }: TextSpan,
  before: readonly unknown[],
  after: readonly unknown[],
): StoreRepair {
  const { path, text, mark } = document
  const apply = async (assertUnused: AssertUnused | undefined): Promise<void> => {
    const list = printLike({ text: text.slice(start, end), value: before }, after)
    const healed = text.slice(0, start) + list + text.slice(end)
    await swapFile(path, document.fingerprint, [mark, Buffer.from(healed)], assertUnused)
  }
  return { files: [path], apply }
}
