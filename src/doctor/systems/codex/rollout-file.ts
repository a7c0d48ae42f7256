import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants } from 'node:zlib'
import { zstd } from '../../../journal/stores/node-modules.ts'
import { fileError } from '../../files/file-error.ts'
import { type Fingerprint, fingerprint } from '../../files/fingerprint.ts'
import { linesOf, rawLines } from '../../files/raw-lines.ts'
import { openRegularFile, readRegularFile } from '../../files/regular-file.ts'
import { type LineFile, plainLineFile } from '../../line-file.ts'
import { damaged, type Frame, framesOf } from './frames.ts'

/** A rollout that can be read as lines, and its cleanup. */
export interface RolloutFile extends LineFile {
  /** Its state when it was opened. */
  readonly fingerprint: Fingerprint
  close(): void
}

export const isPacked = (path: string): boolean => path.endsWith('.zst')

/** Opens a rollout. A compressed one is decompressed: in memory if it is small, else into a temporary folder. */
export async function openRollout(path: string): Promise<RolloutFile> {
  const before = fingerprint(path)
  if (!isPacked(path)) return { ...plainLineFile(path), fingerprint: before, close: () => {} }
  try {
    const isSmall = statSync(path).size < smallBytes
    return { path, pack, fingerprint: before, ...(await (isSmall ? unpackInMemory(path) : unpackAside(path))) }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('Z')) throw damaged(path)
    throw error
  }
}

/** The text in the first bytes of a compressed file; empty if there is none. */
export function unpackedHead(head: Buffer): string {
  try {
    const options = { finishFlush: constants.ZSTD_e_flush, maxOutputLength: memoryBytes }
    return zstd.zstdDecompressSync(head, options).toString()
  } catch {
    return ''
  }
}

type Unpacked = Pick<RolloutFile, 'lines' | 'close'>

/** Whether a small file decompresses to too much for memory. */
const isTooLarge = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'

async function unpackInMemory(path: string): Promise<Unpacked> {
  try {
    const packed = readRegularFile(path)
    let left = memoryBytes
    const blocks = framesOf(path).map(({ start, end }) => {
      const block = zstd.zstdDecompressSync(packed.subarray(start, end), { maxOutputLength: Math.max(left, 1) })
      left -= block.length
      return block
    })
    return { lines: () => linesOf(blocks), close: () => {} }
  } catch (error) {
    if (isTooLarge(error)) return unpackAside(path)
    throw error
  }
}

async function unpackAside(path: string): Promise<Unpacked> {
  let left = statSync(path).size * foldMax
  // That much was already decompressed in memory.
  if (left <= memoryBytes) throw tooMuch(path)
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-'))
  const close = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    const plain = join(folder, 'rollout.jsonl')
    const handle = openSync(plain, 'wx', 0o600)
    try {
      for (const frame of framesOf(path)) {
        await pipeline(bytesOf(path, frame), zstd.createZstdDecompress(), async blocks => {
          for await (const block of blocks) {
            left -= block.length
            if (left < 0) throw tooMuch(path)
            for (let at = 0; at < block.length; ) at += writeSync(handle, block, at)
          }
        })
      }
    } finally {
      closeSync(handle)
    }
    return { lines: () => rawLines(plain), close }
  } catch (error) {
    close()
    throw error
  }
}

function* bytesOf(path: string, { start, end }: Frame): Generator<Buffer> {
  const handle = openRegularFile(path)
  try {
    for (let at = start; at < end; ) {
      const block = Buffer.allocUnsafe(Math.min(end - at, blockBytes))
      const length = readSync(handle, block, 0, block.length, at)
      if (length === 0) return
      yield block.subarray(0, length)
      at += length
    }
  } finally {
    closeSync(handle)
  }
}

/** A few bytes can decompress to any number of bytes, and fill the disk. */
const tooMuch = (path: string): Error =>
  fileError(path, `it unpacks to more than ${foldMax} times its size, so it was left as it is`)

/** Compresses as Codex does. */
const pack = (blocks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => {
  const packed = zstd.createZstdCompress()
  Readable.from(blocks)
    .on('error', error => packed.destroy(error))
    .pipe(packed)
  return packed
}

const foldMax = 1000
const blockBytes = 64 * 1024
const smallBytes = 8 * 1024 * 1024
const memoryBytes = 256 * 1024 * 1024
