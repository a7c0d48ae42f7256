import type { DatabaseSync } from 'node:sqlite'
import type { CallPart, Part, ResultPart } from '../../core/conversation.ts'
import type { JudgeFormat } from '../judge.ts'
import type { RecordContent, RecordFields } from '../record-format.ts'

/** A conversation whose rows are read in the order of their times, and of their numbers within a second. */
export interface TimedRows extends Pick<JudgeFormat, 'dialect' | 'facts'> {
  /** The columns of the table `messages`, with the conversation in `session_id` and blocks of JSON in `content`. */
  readonly columns: {
    readonly number: string
    readonly time: string
    readonly content: string
    readonly more: readonly string[]
  }
  /**
   * The contents of a row, with the index of its block as `raw` of each part. Blocks without a part stay in the row as
   * long as it exists. With `isWhole` nothing is cut.
   */
  read(blocks: readonly RecordFields[], row: RecordFields, isWhole: boolean): readonly RecordContent[]
  /** Whether a row with these blocks asks the user whether a call may run: then the calls before it wait. */
  asks?(blocks: readonly RecordFields[]): boolean
  /** A block that answers a call without a result. */
  answer(call: CallPart, result: ResultPart): RecordFields
  /** The arguments of its calls are JSON text, and are kept as such in `input`. */
  readonly hasTextInput?: true
  /** The block of a call or a result with another id, and with the arguments of its part if its own cannot be sent. */
  withId(block: RecordFields, id: string, part: Part): RecordFields
  /** Adds a row with these blocks, at a time and with what it has in common with another row. */
  insert(database: DatabaseSync, blocks: readonly RecordFields[], like: TimedRow, time: number, seed: string): void
  /** Brings what the program counts in line with the rows. */
  settle?(database: DatabaseSync): void
}

export interface TimedRow {
  readonly number: number
  readonly time: number
  /** The other columns. */
  readonly fields: RecordFields
  readonly contents: readonly RecordContent[]
  readonly asks: boolean
  /** The length of its content, to notice changes. */
  readonly length: number
}

/** The parts of a row. */
export const partsOf = ({ contents }: TimedRow): readonly Part[] => contents.flatMap(({ parts }) => parts)
