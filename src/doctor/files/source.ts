import { constants, isUtf8 } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { AntiphonError } from '../../core/errors.ts'
import { failureReason, fileError, tooLargeReason } from './file-error.ts'

/** The bytes of a file or of standard input, and their text. */
export interface SourceText {
  /** The name to show. */
  readonly name: string
  /** Absent for standard input. */
  readonly path?: string
  readonly bytes: Buffer
  /** Without the byte order mark. */
  readonly text: string
}

/** Reads a file, or standard input for `-`. Throws a one-line error if it cannot be read. */
export async function readSource(file: string): Promise<SourceText> {
  const name = file === '-' ? '<stdin>' : file
  const bytes = await (file === '-' ? readStandardInput() : readWhole(file)).catch(error => {
    throw AntiphonError.is(error) ? error : fileError(name, failureReason(error))
  })
  return { ...sourceIn(name, bytes), ...(file === '-' ? {} : { path: file }) }
}

/** The same for a stream that was already opened. */
export const sourceOf = async (name: string, chunks: AsyncIterable<Buffer>): Promise<SourceText> =>
  sourceIn(name, await collect(chunks, name))

function sourceIn(name: string, bytes: Buffer): SourceText {
  const text = textOf(bytes, name)
  if (text.trim() === '') throw fileError(name, 'it is empty', 'an empty history is written as []')
  return { name, bytes, text }
}

/** A device may never end. A pipe, such as that of a shell's `<(...)`, is read like standard input. */
async function readWhole(file: string): Promise<Buffer> {
  const stats = await stat(file)
  if (stats.isCharacterDevice() || stats.isBlockDevice())
    throw fileError(file, 'it is a device', 'standard input is written as -')
  if (stats.isFIFO() || stats.isSocket()) return collect(createReadStream(file), file)
  if (stats.size > bytesMax) throw tooLarge(file)
  return readFile(file)
}

async function readStandardInput(): Promise<Buffer> {
  if (process.stdin.isTTY) process.stderr.write('antiphon: reading standard input, until Ctrl-D\n')
  return collect(process.stdin, '<stdin>')
}

async function collect(stream: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    length += chunk.length
    if (length > bytesMax) throw tooLarge(name)
  }
  return Buffer.concat(chunks)
}

/** A longer text does not fit into one string. */
const bytesMax = constants.MAX_STRING_LENGTH

const tooLarge = (name: string): Error => fileError(name, tooLargeReason)

function textOf(bytes: Buffer, name: string): string {
  if (isUtf16(bytes)) throw fileError(`${name}:1:1`, 'it is UTF-16', 'save it as UTF-8')
  if (!isUtf8(bytes)) throw fileError(`${name}:${firstBadLine(bytes)}`, 'it is not UTF-8', 'save it as UTF-8')
  try {
    return bytes.subarray(byteOrderMarkLength(bytes)).toString('utf8')
  } catch (error) {
    throw fileError(name, failureReason(error))
  }
}

/**
 * Detected by its byte order mark, or else by its first character, which is ASCII in any JSON: one of its two bytes is
 * zero.
 */
export const isUtf16 = (bytes: Buffer): boolean =>
  bytes.length % 2 === 0 &&
  (hasMark(bytes, [0xff, 0xfe]) ||
    hasMark(bytes, [0xfe, 0xff]) ||
    /^(\0[[{"\s]|[[{"\s]\0)/.test(bytes.toString('latin1', 0, 2)))

/** The length of the byte order mark in bytes. */
export const byteOrderMarkLength = (bytes: Buffer): number => (hasMark(bytes, [0xef, 0xbb, 0xbf]) ? 3 : 0)

const hasMark = (bytes: Buffer, mark: readonly number[]): boolean => mark.every((byte, index) => bytes[index] === byte)

function firstBadLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start)
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
}
