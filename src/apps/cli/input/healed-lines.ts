import { once } from 'node:events'
import type { RepairResult } from '../../../core/report.ts'
import { replaceFileWithBackup } from '../../../doctor/files/replace-file.ts'
import { plural } from '../counts.ts'
import { PrintedRecords } from '../output/printed-records.ts'
import { plain } from '../plain.ts'
import type { EndedLine } from './request-lines.ts'
import { toStderr } from './subject.ts'

interface LineOutput {
  /** The file is replaced at its end, so all lines are kept until then. */
  readonly isWritten: boolean
  readonly isPrinted: boolean
  readonly json: boolean
}

/** Writes JSONL with repaired requests: to standard output line by line, or into the file as a whole. */
export class HealedLines {
  readonly #output: LineOutput
  readonly #printed = new PrintedRecords()
  #before: Buffer[] = []
  #after: Buffer[] = []
  #requests = 0
  #repairs = 0
  #lines = 0
  #unreadable = 0

  constructor(output: LineOutput) {
    this.#output = output
  }

  add({ repairs }: RepairResult<readonly unknown[]>): void {
    this.#requests++
    this.#repairs += repairs.length
  }

  /** Prints a file that is not JSONL with requests. */
  print(bytes: Buffer): void {
    process.stdout.write(this.#printed.printable(bytes))
  }

  async line({ bytes, original, error }: EndedLine): Promise<void> {
    this.#lines++
    if (error !== undefined) this.#unreadable++
    if (this.#output.isWritten) {
      this.#before.push(original)
      this.#after.push(bytes)
    } else if (this.#output.isPrinted) {
      const shown = this.#printed.printable(bytes, error === undefined)
      if (!process.stdout.write(shown)) await once(process.stdout, 'drain')
    }
  }

  /** A file with a line that cannot be read is not replaced. */
  end(file: string, isWhole: boolean): void {
    const note = this.#printed.note(file, this.#output.json)
    if (note !== undefined) toStderr(note)
    if (this.#lines > 0 && isWhole) this.#report(file)
    this.#before = []
    this.#after = []
    this.#requests = 0
    this.#repairs = 0
    this.#lines = 0
    this.#unreadable = 0
  }

  #report(file: string): void {
    const isReplaced = this.#output.isWritten && this.#repairs > 0 && this.#unreadable === 0
    const backup = isReplaced
      ? replaceFileWithBackup(file, Buffer.concat(this.#before), Buffer.concat(this.#after))
      : undefined
    if (this.#output.json) return
    const left = this.#unreadable === 0 ? '' : `, ${plural(this.#unreadable, 'line')} unreadable`
    const kept = this.#output.isWritten && this.#unreadable > 0 ? '; nothing was written' : ''
    const ending = backup === undefined ? kept : `, backup in ${plain(backup)}`
    const name = plain(file === '-' ? '<stdin>' : file)
    toStderr(
      `${name}: ${plural(this.#requests, 'request')} in JSON lines, ${plural(this.#repairs, 'repair')}${left}${ending}\n`,
    )
  }
}
