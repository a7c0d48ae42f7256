import { isUtf8 } from 'node:buffer'
import { fileError } from '../../../doctor/files/file-error.ts'
import { withMessages } from '../../../doctor/files/output.ts'
import { type Parse, parseJson } from '../../../doctor/files/parse-json.ts'
import type { ReadHistory } from '../../../doctor/files/read-history.ts'
import type { HealOptions } from '../../../heal/options.ts'
import { type FoundHistory, findHistories, isBody, isHistory, mapTexts } from '../../unwrap/find-histories.ts'
import { describeContainer, foundSubject, type Subject } from './found-subject.ts'
import type { LineStream, StreamLine } from './open-input.ts'

/** The end of a line: its new bytes, or why it could not be read. It follows the histories in the line. */
export interface EndedLine {
  readonly bytes: Buffer
  /** As it was read. */
  readonly original: Buffer
  readonly bytesRead: number
  /** The size of the file, if it is one. */
  readonly bytesTotal?: number
  readonly hasHistory: boolean
  readonly error?: unknown
}

/** The histories of JSONL with requests, line by line. */
export async function* requestsIn(
  { name, path, bytesTotal, lines }: LineStream,
  chosen: HealOptions,
  parse: Parse,
): AsyncGenerator<Subject | EndedLine> {
  for await (const line of lines) {
    const { bytes: original } = line
    const read = { original, bytesRead: line.bytesRead, ...(bytesTotal === undefined ? {} : { bytesTotal }) }
    const place = { name: `${name}:${line.number}`, ...(path === undefined ? {} : { path }) }
    try {
      const draft = new LineDraft(line, name, parse)
      const found = draft.histories()
      for (const [index, one] of found.entries()) {
        const at = one.at === '' ? `line ${line.number}` : `line ${line.number}, ${one.at}`
        const text = draft.texts()[index] ?? ''
        const subject = foundSubject({ ...place, text }, one, chosen, parse)
        const note = `taken out of ${describeContainer(kind, { ...one, at })}`
        yield {
          ...subject,
          foundIn: { kind, note, at, isSeries: true, replace: messages => draft.replace(index, subject, messages) },
        }
      }
      yield { ...read, bytes: draft.bytes(), hasHistory: found.length > 0 }
    } catch (error) {
      yield { ...read, bytes: original, hasHistory: false, error }
    }
  }
}

const kind = 'JSON lines'

/** A line and what has been replaced in it. Without a change it is written byte for byte. */
class LineDraft {
  readonly text: string
  readonly #line: StreamLine
  readonly #parse: Parse
  readonly #record: unknown
  #paths: FoundHistory['path'][] = []
  #texts: readonly string[] | undefined
  readonly #changes = new Map<number, string>()

  constructor(line: StreamLine, name: string, parse: Parse) {
    this.#line = line
    this.#parse = parse
    if (!isUtf8(line.bytes)) throw fileError(`${name}:${line.number}`, 'it is not UTF-8', 'save it as UTF-8')
    this.text = line.bytes
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trim()
    this.#record = this.text === '' ? undefined : parseJson(this.text, name, parse, line.number)
  }

  histories(): readonly FoundHistory[] {
    const value = this.#record
    const isWhole = isBody(value) || isHistory(value)
    const found = isWhole ? [{ value, at: '', path: [] }] : findHistories(value, this.#parse)
    this.#paths = found.map(({ path }) => path)
    return found
  }

  /** The text of each history. */
  texts(): readonly string[] {
    if (this.#texts) return this.#texts
    const texts: string[] = []
    mapTexts(this.text, this.#paths, (text, index) => {
      texts[index] = text
      return text
    })
    this.#texts = texts
    return texts
  }

  /** Everything around the messages that were changed stays as it was written. */
  replace(index: number, { input }: ReadHistory, messages: readonly unknown[]): void {
    this.#changes.set(index, withMessages(input, messages).toString('utf8'))
  }

  bytes(): Buffer {
    if (this.#changes.size === 0) return this.#line.bytes
    const changed = mapTexts(this.text, this.#paths, (text, index) => this.#changes.get(index) ?? text)
    const whole = this.#line.bytes.toString('utf8')
    const start = whole.indexOf(this.text)
    return Buffer.from(whole.slice(0, start) + changed + whole.slice(start + this.text.length))
  }
}
