import type { Message } from '../core/conversation.ts'
import type { Diagnostic } from '../core/rules/check.ts'
import type { Repair } from '../core/rules/repair.ts'
import type { CallCounts } from '../heal/count.ts'
import type { Rejection } from '../heal/rejections/rejection.ts'
import type { Backup } from './backup/backup.ts'
import type { AssertUnused } from './files/swap-file.ts'
import type { Peek } from './peek.ts'
import type { BrokenSince } from './since.ts'

/** A program that stores conversations, and how to repair them. One folder per system. */
export interface System {
  /** The name of its folder, and the value for `--system`. */
  readonly id: string
  /** The name that its users know. */
  readonly title: string
  /** Where it keeps the conversations of this user. Missing places are skipped. */
  places(user: StoreUser): readonly string[]
  /**
   * Whether a path is a store of this system, judged by its structure. Cheap: it looks at names and at the head of
   * files.
   */
  recognises(peek: Peek): boolean
  /** The tables by which it is recognised in the database of a server; absent if it has no stores there. */
  readonly tables?: readonly string[]
  /**
   * Opens a store for reading. Nothing is changed, not even a time stamp. Throws a one-line error if it cannot be read.
   */
  open(path: string, options: StoreOpenOptions): Promise<ConversationStore>
  /**
   * Restores what a backup holds in addition to files: rows of a database server. The present content, if different, is
   * passed to `keep` first, in the same form.
   */
  restore?(data: Uint8Array, path: string, keep: (present: Uint8Array) => void): Promise<void>
  /** Its files are of no particular program: what lies where a program keeps its sessions is not changed. */
  readonly isOfNoProgram?: true
  /** How to detect that its program is running and uses a store. Without it, only open files count. */
  readonly program?: Program
}

/** How to detect that a program is running and uses a conversation. `place` is where the conversation is kept. */
export interface Program {
  /** How its processes are recognised. */
  readonly processes: readonly ProcessPattern[]
  /** Files next to those of the conversation that it keeps open while it uses the conversation. */
  keepsOpen?(place: string): readonly string[]
  /** How to end it, where closing its window does not. */
  readonly advice?: string
  /** Its own records of which process uses which conversation. */
  owners?(place: string, now: number): readonly RecordedOwner[]
}

/** Processes that may use a conversation without keeping a file of it open: programs that open, append and close. */
export interface ProcessPattern {
  /** Names of programs, of their packages, or of Python modules. */
  readonly names: readonly string[]
  /**
   * The names are those of runtimes, which run any program: only the folder is evidence, and the ancestors of this
   * process do not count.
   */
  readonly isRuntime?: true
  /** It counts only if the repair would answer a call, because the result may still come. */
  readonly isOfOpenCalls?: true
  /**
   * Whether it keeps the files of the conversation open while it uses it: then only a process whose open files are not
   * visible counts.
   */
  holds?(place: string): boolean
  /**
   * Whether such a process with this working directory would use the conversation; absent if it may use all of them.
   */
  worksIn?(place: string): (folder: string) => boolean
}

/** A process that is recorded as using this conversation, or another one. */
export interface RecordedOwner {
  /** Absent for a process on another machine. */
  readonly pid?: number
  /** When the process started, if that is recorded. */
  readonly start?: string
  /** It uses this conversation, not another one. */
  readonly isThis: boolean
  /** The record is current, so the name of the process is not checked. */
  readonly isCurrent?: true
  readonly why?: string
  /** What to do about it, where there is no program to close. */
  readonly advice?: string
}

export interface StoreUser {
  readonly home: string
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: string
}

export interface StoreOpenOptions {
  /** The current time in milliseconds: what was written a moment ago may still be in progress. */
  readonly now: number
}

/** What a system keeps at one path: one conversation, or many. */
export interface ConversationStore {
  /** One at a time, so that a large store needs no more memory than its largest conversation. */
  conversations(): AsyncIterable<StoredConversation> | Iterable<StoredConversation>
  /** The path of the store that this one continues, such as the parent of a fork: it is repaired first. */
  parent?(): string | undefined
  close(): Promise<void> | void
}

export interface StoredConversation {
  /** Its id in its own system. */
  readonly id: string
  /** The title that users know, if the store has one. */
  readonly title?: string
  examine(): Promise<Examination>
  /** What would be repaired after a provider's rejection; absent if its system does not support that. */
  examineRejection?(rejection: Rejection): Promise<RejectionExamination>
}

/**
 * - `healthy`: it can continue.
 * - `pending`: it waits for something valid, such as an approval, and can continue after that.
 * - `broken`: the provider would reject it.
 * - `busy`: its program is working on it, so it is left alone.
 */
export type ConversationState = 'healthy' | 'pending' | 'broken' | 'busy'

/** The result for a provider's rejection of a session. */
export interface RejectionExamination {
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly dropped?: readonly DroppedRecord[]
  readonly notes?: readonly string[]
  /** Absent if nothing is changed. */
  readonly storeRepair?: StoreRepair
}

/** What was found in a conversation, and what would be done. */
export interface Examination {
  readonly state: ConversationState
  /** Its title, if it is in what was examined. */
  readonly title?: string
  readonly counts: CallCounts
  /** Where it starts to be broken. */
  readonly since?: BrokenSince
  /** The defects that would be repaired, each with its edits. */
  readonly repairs: readonly Repair[]
  /** The defects that remain, and warnings. */
  readonly remaining: readonly Diagnostic[]
  /** What would be removed from the store: each record as its system wrote it. */
  readonly dropped: readonly DroppedRecord[]
  /** Why it is left alone, or what else the user should know. */
  readonly notes: readonly string[]
  /** Performs the repair; absent if there is nothing to repair, or if the conversation must be left alone. */
  readonly storeRepair?: StoreRepair
  /** The whole conversation for display, created on demand. Throws a one-line error if that fails. */
  readonly draw?: () => Drawing
}

/** A conversation as it is stored, its repairs, and the records it was read from. */
export interface Drawing {
  /** Before the repair. `origin` of a message and `slot` of a part are indexes of `records`. */
  readonly messages: readonly Message[]
  /** Applied in order, their edits turn `messages` into the repaired conversation. */
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  readonly records: readonly DrawnRecord[]
  /** A summary that the program sends before the messages, but stores after them. */
  readonly summary?: string
}

/** A record with its name in its system, as that system wrote it. */
export interface DrawnRecord {
  readonly at: string
  readonly text: string
}

export interface DroppedRecord {
  readonly at: string
  /** The rule that removed it. */
  readonly rule: string
  readonly content: string
}

export interface StoreRepair {
  /** The files that will be changed, removed or created: they are backed up first. */
  readonly files: readonly string[]
  /** The store has its own locking, so other programs may have it open. */
  readonly isShared?: true
  /** Where the conversation is kept, if that is not the path of the store. */
  readonly place?: string
  /** Who else uses a store that is not a file, as its server reports; undefined if it is not in use. */
  users?(): Promise<string | undefined>
  /** Adds to the backup what is not in files. */
  keep?(backup: Backup): Promise<void>
  /**
   * Performs the repair, all or nothing. Throws a one-line error, with everything as it was, if the store changed since
   * it was examined or is being written to. `assertUnused` throws if a program uses the store by
   * now. It is called before the last step, with the files that are about to lose their names.
   */
  apply(assertUnused?: AssertUnused): Promise<void>
}
