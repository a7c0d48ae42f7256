import type { Part } from '../../core/conversation.ts'
import type { Repair } from '../../core/rules/repair.ts'
import type { Waiting } from '../judge.ts'
import type { RecordContent, RecordFields, RecordFormat } from '../record-format.ts'
import type { LinkedTree, LinkKeys } from './linked-tree.ts'

/** How a program stores a conversation as lines that are linked by their ids. */
export interface LinkedFormat extends Omit<RecordFormat<RecordFields>, 'format' | 'read'> {
  readonly keys: LinkKeys
  /** An id for a new record, made from what it belongs to: the same repair gives the same one. */
  newId?(...seeds: readonly string[]): string
  /** Reads the records of a path, in order. */
  readPath(path: PathRecords): PathReading
  /** A part with its full content for display, where `contents` leaves something out. */
  fill?(entry: RecordFields, part: Part): Part | readonly Part[]
  /** The node that the program continues from; the last one of the file by default. */
  leaf?(tree: LinkedTree, value: (node: number) => RecordFields): number
  /** Every record follows the line before it, whatever its link says. By default the links decide. */
  readonly isList?: true
  /** The program itself takes the record before in the file for a parent that is missing. */
  readonly followsLost?: true
  /** A record without its content, where others name its id, so that it cannot be removed. */
  emptied?(entry: RecordFields): RecordFields
}

/** The records from the first one to the one that the program continues from. */
export interface PathRecords {
  readonly count: number
  value(record: number): RecordFields
}

/** What a program sends of a path. */
export interface PathReading extends Pick<RecordFormat<RecordFields>, 'facts'> {
  /** The contents of a record; empty if it is not sent. */
  contents(entry: RecordFields, record: number): readonly RecordContent[]
  readonly waiting?: Waiting
  /** Records that need another value, besides the repairs of the conversation. */
  readonly corrections?: readonly Correction[]
  /** A summary that is sent before the first record. */
  readonly summary?: string
}

export interface Correction {
  readonly record: number
  entry?(entry: RecordFields): RecordFields
  /** A new record before it. */
  before?(entry: RecordFields): RecordFields
  repair(at: string): Repair
}
