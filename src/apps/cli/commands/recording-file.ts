import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { clearDrafts, draftFor } from '../../../doctor/files/drafts.ts'
import { failureReason, fileError } from '../../../doctor/files/file-error.ts'

/**
 * A JSON list in a file that is complete after every value. Only its owner can read it. A value is written at its place
 * without writing those before it again, unless the file was changed by another program.
 */
export class RecordingFile {
  readonly #path: string
  readonly #named: string
  /** The text of each value; undefined while it is awaited. */
  readonly #texts: (string | undefined)[] = []
  /** The file as it was written. */
  #written: { readonly inode: bigint; readonly size: number } | undefined

  /** `named` is the path for messages. */
  constructor(path: string, named: string) {
    this.#path = path
    this.#named = named
  }

  /** Writes an empty list. */
  begin(): void {
    clearDrafts(dirname(this.#path), basename(this.#path))
    this.#writeAll()
  }

  /** Reserves the next place. */
  reserve(): number {
    return this.#texts.push(undefined) - 1
  }

  set(place: number, value: unknown): void {
    const tail = this.#tailFrom(place + 1)
    this.#texts[place] = JSON.stringify([value], undefined, 2).slice('[\n'.length, -'\n]'.length)
    if (!this.#writeFrom(place, tail)) this.#writeAll()
  }

  /** Writes a value and all after it over what is there. False if the file is not as it was left, or cannot be written. */
  #writeFrom(place: number, before: string): boolean {
    const { inode, size } = this.#written ?? {}
    const isFirst = this.#texts.findIndex(text => text !== undefined) === place
    if (size === undefined || isFirst) return false
    let handle: number | undefined
    try {
      handle = openSync(this.#path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
      const found = fstatSync(handle, { bigint: true })
      if (found.ino !== inode || Number(found.size) !== size) return false
      const at = size - Buffer.byteLength(before)
      const bytes = Buffer.from(this.#tailFrom(place))
      if (!writeAt(handle, bytes, at)) {
        writeAt(handle, Buffer.from(before), at)
        ftruncateSync(handle, size)
        return false
      }
      this.#written = { inode: found.ino, size: at + bytes.length }
      return true
    } catch {
      return false
    } finally {
      if (handle !== undefined) closeSync(handle)
    }
  }

  /** What follows the values before a place. Values that are awaited at the same time are few. */
  #tailFrom(place: number): string {
    const texts = this.#texts.slice(place).filter(text => text !== undefined)
    return `${texts.map(text => `,\n${text}`).join('')}\n]\n`
  }

  #writeAll(): void {
    const draft = draftFor(this.#path)
    const texts = this.#texts.filter(text => text !== undefined)
    const list = texts.length === 0 ? '[]\n' : `[\n${texts.join(',\n')}\n]\n`
    try {
      rmSync(draft, { force: true })
      // Only its owner reads what was said. A link in place of the draft is not followed.
      const handle = openSync(draft, 'wx', 0o600)
      try {
        writeFileSync(handle, list)
        this.#written = { inode: fstatSync(handle, { bigint: true }).ino, size: Buffer.byteLength(list) }
      } finally {
        closeSync(handle)
      }
      renameSync(draft, this.#path)
    } catch (error) {
      this.#written = undefined
      rmSync(draft, { force: true })
      throw fileError(this.#named, `the reply cannot be recorded: ${failureReason(error)}`)
    }
  }
}

/** Whether all bytes could be written, for example not on a full disk. */
function writeAt(handle: number, bytes: Buffer, at: number): boolean {
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done, bytes.length - done, at + done)
    return true
  } catch {
    return false
  }
}
