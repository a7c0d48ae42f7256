import type { Message } from '../core/conversation.ts'
import type { Diagnostic } from '../core/rules/check.ts'
import type { Repair } from '../core/rules/repair.ts'
import type { CallCounts } from '../heal/count.ts'
import type { Rejection } from '../heal/rejections/rejection.ts'
import type { Backup } from './backup/backup.ts'
import type { LastLook } from './files/swap-file.ts'
import type { Peek } from './peek.ts'
import type { Since } from './since.ts'

/** Another program's way of keeping conversations, and how to mend them there. One folder a system. */
export interface System {
  /** The name of its folder, and of the option `--system`. */
  readonly id: string
  /** What its users call it. */
  readonly title: string
  /** Where it keeps the conversations of this user. Places that do not exist are passed over. */
  places(user: User): readonly string[]
  /** Whether a store of this system stands at a path, told by its structure. Cheap: it looks at names and at the head of files. */
  recognises(peek: Peek): boolean
  /** Opens a store to look at it. Nothing is changed, not even a time stamp. Throws in one clear line if it cannot be read. */
  open(path: string, options: OpenOptions): Promise<Store>
  /**
   * Puts back what a backup holds beyond files: rows of a database server. What stands there until then is given to `keep`
   * first, in the same form, if it is something else.
   */
  restore?(data: Uint8Array, path: string, keep: (present: Uint8Array) => void): Promise<void>
  /** How to tell that its program is running and uses a store. Without it, only open files tell. */
  readonly program?: Program
}

/** What tells that a program is running and uses a conversation. `place` is where the conversation is kept. */
export interface Program {
  /** Its processes. */
  readonly marks: readonly ProcessMark[]
  /** Files beside those of the conversation that it has open for as long as it uses the conversation. */
  keepsOpen?(place: string): readonly string[]
  /** What it has written down about who uses which conversation. */
  owners?(place: string, now: number): readonly Owner[]
}

/** Processes that may use a conversation without a file of it open: programs that open, append and close. */
export interface ProcessMark {
  /** Names of programs, of packages they come in, or of Python modules. */
  readonly names: readonly string[]
  /** The names are those of runtimes, which run any program: only the folder tells, and what started this process does not count. */
  readonly isRuntime?: true
  /** It counts only where a repair would answer a call: the result may still come. */
  readonly isOfOpenCalls?: true
  /** Whether it has the files of the conversation open for as long as it uses it: then only a process whose open files are not shown counts. */
  holds?(place: string): boolean
  /** Whether such a process with this working directory would use the conversation; absent if it may use all of them. */
  worksIn?(place: string): (folder: string) => boolean
}

/** A process that is written down as using this conversation, or another one. */
export interface Owner {
  /** Absent if it is a process of another machine. */
  readonly pid?: number
  /** When the process started, if that is written down. */
  readonly start?: string
  readonly isThis: boolean
  /** It is written down for now, so the name of the process need not tell. */
  readonly isCurrent?: true
  readonly why?: string
}

export interface User {
  readonly home: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: string
}

export interface OpenOptions {
  /** The time now, in milliseconds: what was written a moment ago may still be written to. */
  readonly now: number
}

/** What a system keeps at one path: one conversation, or many. */
export interface Store {
  /** One at a time, so that a large store costs no more than its largest conversation. */
  conversations(): AsyncIterable<StoredConversation> | Iterable<StoredConversation>
  /** The path of the store that this one continues, such as the parent of a fork: it is healed first. */
  parent?(): string | undefined
  close(): Promise<void> | void
}

export interface StoredConversation {
  /** Its name in its own system. */
  readonly id: string
  /** What people know it by, if the store says so. */
  readonly title?: string
  examine(): Promise<Examination>
  /** What would be repaired after a rejection of a provider; absent if its system does not support that. */
  examineRejection?(rejection: Rejection): Promise<RejectedFound>
}

/**
 * - `healthy`: it can go on.
 * - `pending`: it waits for something legal, such as an approval, and can go on when that comes.
 * - `broken`: the provider would refuse it.
 * - `busy`: its program is at work on it, so it is left alone.
 */
export type State = 'healthy' | 'pending' | 'broken' | 'busy'

/** What a rejection of a provider leads to in a session. */
export interface RejectedFound {
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly dropped?: readonly Dropped[]
  readonly notes?: readonly string[]
  /** Absent if nothing is changed. */
  readonly treatment?: Treatment
}

/** What was found in a conversation, and what would be done. */
export interface Examination {
  readonly state: State
  readonly counts: CallCounts
  /** From where on it is broken. */
  readonly since?: Since
  /** What is wrong and would be mended, each with its edits. */
  readonly repairs: readonly Repair[]
  /** What is wrong and stays so, and what is only worth a look. */
  readonly remaining: readonly Diagnostic[]
  /** What would no longer be in the store: each record as its system wrote it. */
  readonly dropped: readonly Dropped[]
  /** Why it is left alone, or what else its owner should know. */
  readonly notes: readonly string[]
  /** Mends it; absent if there is nothing to mend, or if it must be left alone. */
  readonly treatment?: Treatment
  /** All of it, for people to look at. It is made only when somebody asks. Throws in one clear line if it cannot be. */
  readonly draw?: () => Drawing
}

/** A conversation as it stands in the store, what would become of it, and the records that it was read from. */
export interface Drawing {
  /** Before healing. `origin` of a message and `slot` of a part are indexes of `records`. */
  readonly messages: readonly Message[]
  /** Their edits, one after the other, make the healed conversation of `messages`. */
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly records: readonly DrawnRecord[]
}

/** A record by its name in its system, and as that wrote it. */
export interface DrawnRecord {
  readonly at: string
  readonly text: string
}

export interface Dropped {
  readonly at: string
  /** The rule that was broken there. */
  readonly rule: string
  readonly content: string
}

export interface Treatment {
  /** The files that will be changed, removed or made: a backup of them is made first. */
  readonly files: readonly string[]
  /** The store has locks of its own, so other programs may have it open. */
  readonly isShared?: true
  /** Where the conversation is kept, if that is not the path of the store. */
  readonly place?: string
  /** Who else uses a store that is no file, as its server tells; undefined if nobody does. */
  users?(): Promise<string | undefined>
  /** Adds what a backup of files does not hold. */
  keep?(backup: Backup): Promise<void>
  /**
   * Does it, all or nothing. Throws in one clear line, with everything as it was, if the store has changed since it was
   * examined or somebody else is writing to it. `last` looks once more whether a program uses the store, and throws if one
   * does: it is called when all is prepared and only the last step is left, with files that are about to lose their names.
   */
  apply(last?: LastLook): Promise<void>
}
