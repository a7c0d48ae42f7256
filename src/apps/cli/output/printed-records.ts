import { plural } from '../counts.ts'
import { plain } from '../plain.ts'
import { redacted, withoutSecretHeaders, withoutSecretWords } from './secret-headers.ts'

/** What is printed of a file: its records without the values of secret headers. */
export class PrintedRecords {
  #count = 0

  /** As they are printed; the same bytes if nothing in them is secret. */
  printable(bytes: Buffer, isReadable = true): Buffer {
    if (!bytes.includes('eader') && !bytes.includes('EADER')) return bytes
    const { text, count } = (isReadable ? withoutSecretHeaders : withoutSecretWords)(bytes.toString('utf8'))
    this.#count += count
    return count === 0 ? bytes : Buffer.from(text)
  }

  /** The line that says what was replaced, once; undefined if nothing was. */
  note(file: string, json: boolean): string | undefined {
    const count = this.#count
    this.#count = 0
    if (count === 0) return undefined
    if (json) return `${JSON.stringify({ file, redactedHeaders: count })}\n`
    const name = plain(file === '-' ? '<stdin>' : file)
    return `${name}: ${plural(count, 'secret header')} printed as ${redacted}\n`
  }
}
