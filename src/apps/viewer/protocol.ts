import type { CodecId } from '../../codecs/index.ts'
import type { Message } from '../../core/conversation.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import type { Repair } from '../../core/rules/repair.ts'
import type { CallCounts } from '../../heal/count.ts'
import type { TapeEntry } from '../../observe/tape/entry.ts'

/**
 * What the server sends to the page as JSON, and what an exported file contains. Only types: the page is built for browsers and the server
 * for Node, and both import this file.
 */

/** An opened file, store, journal or tape. The name is for people: a URL without its password. */
export interface SourceInfo {
  readonly id: string
  readonly kind: 'history' | 'store' | 'journal' | 'tape'
  readonly name: string
}

/** One conversation of a source, as it is listed. */
export interface CatalogueItem {
  readonly source: string
  readonly id: string
  readonly title: string
  readonly state: ItemState
  /** The name of the program that stores it. */
  readonly system?: string
  readonly counts?: CallCounts
  /** One line, such as why it cannot be read. */
  readonly note?: string
  /** When it was last written, in milliseconds. */
  readonly at?: number
  /** The id of the thread that called it, if an agent works in it. */
  readonly parent?: string
}

export type ItemState =
  | 'unknown'
  | 'healthy'
  | 'pending'
  | 'broken'
  | 'busy'
  | 'unreadable'
  // The states of a thread of a journal.
  | 'idle'
  | 'ready'
  | 'running'
  | 'parked'
  // It is idle, and its last turn failed.
  | 'failed'
  | 'kept'
  | 'erased'

/** `GET api/events`, as server-sent events: first everything that is known, then the changes. An item replaces the one with the same ids. */
export type Notice =
  /** The first notice. A page without sources shows its start screen at once. */
  | { readonly kind: 'opened'; readonly sources: number }
  | { readonly kind: 'source'; readonly source: SourceInfo }
  | { readonly kind: 'item'; readonly item: CatalogueItem }
  /** All items of a source have been sent; those of a journal may still change. */
  | { readonly kind: 'listed'; readonly source: string }

/** `GET api/documents/<source>/<item>`: one conversation. With `?head`: only the first messages. */
export type Document = HistoryDocument | StoredDocument | ThreadDocument | TapeDocument

interface AnyDocument {
  readonly name: string
}

/** A list of messages in a known format, or a whole request body. It is decoded and checked in the browser. */
export interface HistoryDocument extends AnyDocument {
  readonly kind: 'history'
  readonly value: unknown
  readonly options?: HistoryOptions
  /** The number of messages, if `value` has only the first ones. */
  readonly total?: number
}

export interface HistoryOptions {
  readonly for?: DialectId
  readonly format?: CodecId
  readonly model?: string
  readonly continues?: boolean
}

/** A conversation in the store of another program, checked by the doctor. */
export interface StoredDocument extends AnyDocument {
  readonly kind: 'stored'
  readonly system: string
  /** Where it is kept: a URL without its password. */
  readonly path: string
  /** When it was last written, in milliseconds. */
  readonly at?: number
  readonly state: ItemState
  readonly notes: readonly string[]
  /** Present if it can be repaired in its store. */
  readonly fix?: { readonly command: string }
  /** Present if it was repaired from this page, and that can be undone. */
  readonly undo?: { readonly backup: string; readonly command: string }
  /** Before the repair. `origin` of a message and `slot` of a part are indexes of `records`. */
  readonly messages: readonly Message[]
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  /** The stored records and their names. */
  readonly records: readonly { readonly at: string; readonly text: string }[]
  readonly total?: number
}

/** A thread of a journal, rendered for its provider, and its state. */
export interface ThreadDocument extends AnyDocument {
  readonly kind: 'thread'
  readonly format: CodecId
  readonly for: DialectId
  readonly history: readonly unknown[]
  readonly thread: ThreadFacts
  readonly total?: number
}

/** `GET api/threads/<source>/<item>/events`, as server-sent events: the state of a thread with every change, and what it streams. */
export type ThreadEvent = ThreadFacts | ThreadWords

/** The words of a response that is not recorded yet; empty if there are none, or if they were retracted. Of a long text only the last words. */
export interface ThreadWords {
  readonly words: string
  /** It was recorded: the words are shown until the document has this entry. */
  readonly recordedAt?: number
}

/** The state of a thread. */
export interface ThreadFacts {
  readonly state: ItemState
  /** The position of its last entry: a document with an older one is out of date. */
  readonly head: number
  readonly updatedAt: number
  readonly turns: number
  /** The turn that runs or waits. */
  readonly turn?: { readonly number: number; readonly startedAt: number; readonly interrupted?: string }
  readonly ended?: { readonly status: string; readonly error?: string }
  readonly lease?: { readonly owner: string; readonly epoch: number; readonly until: number }
  /** Its open calls, each followed by those of its agent. */
  readonly open: readonly OpenCallFacts[]
  /** The last agents of the current branch, in the order of their calls. */
  readonly agents: readonly AgentFacts[]
  /** Its branches, by number, if there are several. */
  readonly branches?: readonly BranchFacts[]
  /** The thread that called it, if an agent works in it. */
  readonly parent?: { readonly item: string; readonly name: string }
  readonly waiting: readonly WaitingInput[]
  /** Results that came too late to be used. */
  readonly notes: readonly { readonly call: string; readonly at: number; readonly text: string }[]
}

export interface OpenCallFacts {
  /** The id in the journal. */
  readonly id: string
  readonly providerId: string
  readonly name: string
  readonly input: string
  /** The length of the whole input, if `input` is only its start. */
  readonly inputLength?: number
  readonly state: 'recorded' | 'started' | 'approval' | 'outside' | 'agent' | 'approved'
  readonly since: number
  /** When the approval expires. */
  readonly until?: number
  /** The names of the agents that led to it, from the outside in; absent for a call of the thread itself. */
  readonly path?: readonly string[]
}

/** A branch of a thread. */
export interface BranchFacts {
  readonly branch: number
  /** The branch that it left; absent for the main branch. */
  readonly from?: number
  /** Its first words that the branch which it left does not have. */
  readonly title: string
  readonly isCurrent: boolean
}

/** An agent that works or worked for a call. */
export interface AgentFacts {
  /** The id of the call in the journal. */
  readonly call: string
  readonly name: string
  /** Its thread, as an item of the same source. */
  readonly item: string
  readonly state: ItemState
}

export interface WaitingInput {
  readonly seq: number
  readonly at: number
  readonly when: string
  readonly text: string
}

/** The body of `POST api/stores/<source>/<item>`: repairs a conversation in its store, or undoes that. Answered as below. */
export interface StoreAction {
  readonly do: 'fix' | 'undo'
}

/** The body of `POST api/threads/<source>/<item>`. The response is `ActionResult`, or 4xx with `{ error, hint? }`. */
export type ThreadAction =
  | { readonly do: 'approve'; readonly call: string }
  | { readonly do: 'deny'; readonly call: string; readonly reason?: string }
  | { readonly do: 'switch'; readonly branch: number }
  | { readonly do: 'interrupt'; readonly reason: string; readonly turn?: number }

export interface ActionResult {
  /** What is stored now, in one line: of two contrary decisions the first wins. */
  readonly message: string
}

/** A recorded tape. */
export interface TapeDocument extends AnyDocument {
  readonly kind: 'tape'
  readonly entries: readonly TapeEntry[]
  readonly redacted: boolean
  /** The lines that could not be read, with the reason. */
  readonly faults: readonly string[]
}

/**
 * An exported file has two script elements of the type `application/json`: `antiphon-head` before the page's own script, and
 * `antiphon-documents` after it, so that the first messages are drawn before the whole file is parsed.
 */
export interface ExportHead {
  readonly sources: readonly SourceInfo[]
  readonly items: readonly CatalogueItem[]
  /** The head of the first document. */
  readonly first?: Document
}
/** Documents by `<source>/<item>`. */
export type ExportDocuments = Readonly<Record<string, Document>>
