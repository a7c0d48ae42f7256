import type { CallPart, Format, Message, Part, ResultPart, Role } from '../core/conversation.ts'
import type { Facts } from '../core/dialect.ts'
import type { DialectId } from '../core/dialects/index.ts'

/**
 * How a system writes a conversation down, record by record (a line, a row, a file), for systems whose records are not the
 * messages of a codec. A record says one thing or several, or nothing that belongs to the conversation.
 */
export interface Script<Entry> {
  readonly wire: Format
  /** Whose words are quoted for a refusal. */
  readonly reader: DialectId
  /** What its program insists on beyond pairing, seating and answering. */
  readonly facts?: Partial<Facts>
  /**
   * What a record says; nothing if it is an aside, which stays where it stands. It may be asked more than once and in any
   * order, so it keeps no state. It must not hold on to large contents: a result needs no more of them than `briefly` gives.
   */
  read(entry: Entry, record: number): readonly Sketch[]
  /**
   * A record as it must be when it holds these parts, which are some of its own, perhaps with other ids. `copy` is 0, or
   * counts on where a record came apart: then it is a new one, and must not have the id of the first.
   */
  write(entry: Entry, parts: readonly Part[], copy: number): Entry
  /** A new record that answers a call for which there is no result. `entry` is the record of the call. */
  answer(call: CallPart, entry: Entry, result: ResultPart): Entry
}

/** What a record says, or one of the things it says: a result is one of its own. */
export interface Sketch {
  readonly role: Role
  readonly parts: readonly Part[]
  /** Neighbouring assistant records with the same mark are one step: their calls were made together. */
  readonly step?: string
}

/** What a place in the conversation says, and the records that say it, in order. */
export interface Passage {
  readonly message: Message
  readonly records: readonly number[]
}

/** A wire for records. What is not said here is common to all stores. */
export const storeWire = (wire: Partial<Format> & Pick<Format, 'root' | 'locate'>): Format => ({
  system: 'message',
  input: 'value',
  contentKey: false,
  shares: false,
  ordered: true,
  reasoning: 'blocks',
  marksErrors: true,
  keepsText: true,
  marksSteps: true,
  ...wire,
})

/**
 * Joins the sketches of records into passages. The slot of a part is its record, so that every part can be found again;
 * `key` counts the messages.
 */
export class Reading {
  readonly passages: Passage[] = []
  #key = 0
  #open: { message: Message; records: number[]; step: string } | undefined

  push(record: number, sketches: readonly Sketch[]): void {
    for (const { role, parts, step } of sketches) {
      const marked = parts.map(part => ({ ...part, slot: record }))
      const open = this.#open
      if (open && role === 'assistant' && step === open.step) {
        open.message = { ...open.message, parts: [...open.message.parts, ...marked] }
        if (marked.length > 0 && open.records.at(-1) !== record) open.records.push(record)
        this.passages[this.passages.length - 1] = { message: open.message, records: open.records }
        continue
      }
      const message: Message = { key: this.#key++, origin: record, role, parts: marked }
      const records = [record]
      this.passages.push({ message, records })
      this.#open = role === 'assistant' && step !== undefined ? { message, records, step } : undefined
    }
  }
}

/** The content of a result, cut to what is needed to tell a placeholder from a result. */
export const briefly = (text: string): string => text.slice(0, 600)
