import { closeSync, readSync } from 'node:fs'
import { isRecord } from '../../core/conversation.ts'
import { valueAt } from '../../core/invariant.ts'
import { openRegularFile } from '../files/regular-file.ts'
import { withEscapedBreaks } from './split-records.ts'

/** The bytes of each record in a file. */
export interface RecordRanges {
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Reads single records of a session by position. Adjacent ones cost one read, and others little more than their length. */
export class RecordReader {
  readonly #ranges: RecordRanges
  readonly #file: number
  #block: Buffer<ArrayBufferLike> = Buffer.alloc(0)
  #from = 0
  /** How many bytes of the block were asked for. */
  #used = 0
  /** The record that was parsed last: a repair may need it for each of its calls. */
  #last: { readonly node: number; readonly value: Record<string, unknown> } | undefined

  constructor(path: string, ranges: RecordRanges) {
    this.#ranges = ranges
    this.#file = openRegularFile(path)
  }

  text(node: number): string {
    return withEscapedBreaks(this.between(valueAt(this.#ranges.starts, node), valueAt(this.#ranges.ends, node)))
  }

  value(node: number): Record<string, unknown> {
    if (this.#last?.node === node) return this.#last.value
    const value: unknown = JSON.parse(this.text(node))
    this.#last = { node, value: isRecord(value) ? value : {} }
    return this.#last.value
  }

  between(start: number, end: number): string {
    if (start < this.#from || end > this.#from + this.#block.length) this.#load(start, end)
    this.#used += end - start
    return this.#block.toString('utf8', start - this.#from, end - this.#from)
  }

  close(): void {
    closeSync(this.#file)
  }

  #load(start: number, end: number): void {
    const isRead = this.#used >= this.#block.length / 4
    const size = isRead ? this.#block.length * 2 : this.#block.length / 2
    const block = Buffer.allocUnsafe(Math.max(end - start, Math.min(Math.max(size | 0, blockBytes), blockBytesMax)))
    let length = 0
    for (let read = 1; read > 0 && length < block.length; length += read)
      read = readSync(this.#file, block, length, block.length - length, start + length)
    this.#block = block.subarray(0, length)
    this.#from = start
    this.#used = 0
  }
}

const [blockBytes, blockBytesMax] = [4 * 1024, 1024 * 1024]
