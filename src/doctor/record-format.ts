import {
  type CallPart,
  type Format,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
  type Role,
} from '../core/conversation.ts'
import type { Facts } from '../core/dialect.ts'
import type { DialectId } from '../core/dialects/index.ts'

/** The fields of a stored record, or of something in it. */
export type RecordFields = Readonly<Record<string, unknown>>

/**
 * How a system stores a conversation, record by record (a line, a row, a file), for systems whose records are not the
 * messages of a codec. A record holds one or several contents, or nothing that belongs to the conversation.
 */
export interface RecordFormat<Entry> {
  readonly format: Format
  /** The dialect whose error messages are quoted. */
  readonly dialect: DialectId
  /** What its program requires in addition to pairing, placement and answers. */
  readonly facts?: Partial<Facts>
  /** Some of the conversation is not here, so a result without a call is not an orphan. */
  readonly isPartial?: boolean
  /**
   * The new id of a call that has none or that of another call, if the system prescribes its form: always the same for
   * the same record. Without one the defect remains.
   */
  readonly freshId?: (call: CallPart) => string | undefined
  /** Whether a part is stored elsewhere, such as in the parent of a fork: it counts, but cannot be changed here. */
  readonly isFixed?: (part: Part) => boolean
  /**
   * The contents of a record; empty if it does not belong to the conversation, and then it stays in place. It may be
   * called more than once and in any order, so it keeps no state. It must not keep large contents: of a result it needs
   * no more than `shortContent` returns.
   */
  read(entry: Entry, record: number): readonly RecordContent[]
  /**
   * A record that holds these parts, which are some of its own, perhaps with other ids. `copy` is 0, or counts up if a
   * record was split: then it is a new record, and must not have the id of the first.
   */
  write(entry: Entry, parts: readonly Part[], copy: number): Entry
  /** A new record that answers a call without a result. `entry` is the record of the call. */
  answer(call: CallPart, entry: Entry, result: ResultPart): Entry
}

/** The content of a record, or one of several: each result is a content of its own. */
export interface RecordContent {
  readonly role: Role
  readonly parts: readonly Part[]
  /** Adjacent assistant records with the same step were made together, calls included. */
  readonly step?: string
}

/** A message of the conversation, and the records that hold it, in order. */
export interface MessageRecords {
  readonly message: Message
  readonly records: readonly number[]
}

/** A format for records, with the defaults that all stores share. */
export const storeFormat = (format: Partial<Format> & Pick<Format, 'root' | 'locate'>): Format => ({
  system: 'message',
  input: 'value',
  contentKey: false,
  shares: false,
  ordered: true,
  reasoning: 'blocks',
  marksErrors: true,
  keepsText: true,
  marksSteps: true,
  ...format,
})

/**
 * Assembles the contents of records into messages. The slot of a part is its record, so that every part can be found
 * again; `key` counts the messages.
 */
export class MessageAssembler {
  readonly messageRecords: MessageRecords[] = []
  #open: { readonly parts: Part[]; readonly records: number[]; readonly step: string } | undefined

  push(record: number, contents: readonly RecordContent[]): void {
    for (const { role, parts, step } of contents) {
      const marked = parts.map(part => ({ ...part, slot: record }))
      const open = this.#open
      if (open && role === 'assistant' && step === open.step) {
        for (const part of marked) open.parts.push(part)
        if (marked.length > 0 && open.records.at(-1) !== record) open.records.push(record)
        continue
      }
      const message: Message = { key: this.messageRecords.length, origin: record, role, parts: marked }
      const records = [record]
      this.messageRecords.push({ message, records })
      this.#open = role === 'assistant' && step !== undefined ? { parts: marked, records, step } : undefined
    }
  }
}

/** The content of a result, cut to what is needed to tell a placeholder from a real result. */
export const shortContent = (text: string): string =>
  isWhole || text.length <= shortMax ? text : copied(text.slice(0, shortMax))

let isWhole = false

/** Reads records with all of their text, for display. */
export function withWholeContents<T>(read: () => T): T {
  const before = isWhole
  isWhole = true
  try {
    return read()
  } finally {
    isWhole = before
  }
}

const shortMax = 600

/** A part of a text keeps the whole text in memory, unless it is copied. */
const copied = (part: string): string => Buffer.from(part, 'utf16le').toString('utf16le')

/**
 * The objects in a list of a record, such as its calls. The list is filtered once: a record may have thousands of calls, and
 * each of them is looked up in it.
 */
export function objectsIn(list: unknown): readonly RecordFields[] {
  if (!Array.isArray(list)) return []
  const objects = knownObjects.get(list) ?? list.filter(isRecord)
  knownObjects.set(list, objects)
  return objects
}

const knownObjects = new WeakMap<readonly unknown[], readonly RecordFields[]>()
