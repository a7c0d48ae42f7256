import type { CodecId } from '../../codecs/index.ts'
import type { Message } from '../../core/conversation.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import type { Repair } from '../../core/rules/repair.ts'
import type { CallCounts } from '../../heal/count.ts'
import type { TapeEntry } from '../../observe/tape/entry.ts'

/**
 * What the server tells the page, as JSON, and what an exported file holds. Types alone: the page is built for browsers
 * and the server for Node, and both read this file.
 */

/** Something that was opened. Its name is what people may read: an address without its password. */
export interface Source {
  readonly id: string
  readonly kind: 'history' | 'store' | 'journal' | 'tape'
  readonly name: string
}

/** One conversation of a source, as it stands in the list. */
export interface Item {
  readonly source: string
  readonly id: string
  readonly title: string
  readonly state: ItemState
  /** The system that keeps it, for people. */
  readonly system?: string
  readonly counts?: CallCounts
  /** Why it cannot be read, or what else is worth a line. */
  readonly note?: string
}

export type ItemState =
  | 'unknown'
  | 'healthy'
  | 'pending'
  | 'broken'
  | 'busy'
  | 'unreadable'
  // What a thread of a journal does.
  | 'idle'
  | 'ready'
  | 'running'
  | 'parked'
  | 'kept'

/** `GET api/events`, as server-sent events: first what there is, then what changes. An item with the same names replaces. */
export type Notice =
  | { readonly kind: 'source'; readonly source: Source }
  | { readonly kind: 'item'; readonly item: Item }
  /** All items of a source have been told; those of a journal may still change. */
  | { readonly kind: 'listed'; readonly source: string }

/** `GET api/documents/<source>/<item>`: one conversation, whole. With `?head`: only what the first screen needs. */
export type Document = HistoryDocument | StoredDocument | ThreadDocument | TapeDocument

interface AnyDocument {
  readonly name: string
}

/** A list of messages in a known shape, or a whole request body: read and judged in the browser. */
export interface HistoryDocument extends AnyDocument {
  readonly kind: 'history'
  readonly value: unknown
  readonly options?: HistoryOptions
  /** How many messages there are, if `value` is a list of the first ones alone. */
  readonly total?: number
}

export interface HistoryOptions {
  readonly for?: DialectId
  readonly format?: CodecId
  readonly model?: string
  readonly continues?: boolean
}

/** A conversation of another system's store, judged as the doctor judges it. */
export interface StoredDocument extends AnyDocument {
  readonly kind: 'stored'
  readonly system: string
  readonly state: ItemState
  readonly notes: readonly string[]
  /** Before healing. `origin` of a message and `slot` of a part are indexes of `records`. */
  readonly messages: readonly Message[]
  readonly repairs: readonly Repair[]
  readonly remaining: readonly Diagnostic[]
  /** Each record as its system wrote it, and its name there. */
  readonly records: readonly { readonly at: string; readonly text: string }[]
  readonly total?: number
}

/** A thread of a journal, drawn for its reader, and what is going on in it. */
export interface ThreadDocument extends AnyDocument {
  readonly kind: 'thread'
  readonly format: CodecId
  readonly for: DialectId
  readonly history: readonly unknown[]
  readonly thread: ThreadFacts
  readonly total?: number
}

/** `GET api/threads/<source>/<item>/events` sends these, as server-sent events, whenever something changes. */
export interface ThreadFacts {
  readonly state: ItemState
  /** The position of its last entry: a document with another one is out of date. */
  readonly head: number
  readonly updatedAt: number
  readonly turns: number
  /** The turn that runs or waits. */
  readonly turn?: { readonly number: number; readonly startedAt: number; readonly interrupted?: string }
  readonly ended?: { readonly status: string; readonly error?: string }
  readonly lease?: { readonly owner: string; readonly epoch: number; readonly until: number }
  readonly open: readonly OpenCall[]
  readonly waiting: readonly WaitingInput[]
  /** Results that came too late to take their place. */
  readonly notes: readonly { readonly call: string; readonly at: number; readonly text: string }[]
}

export interface OpenCall {
  /** The journal's own id. */
  readonly id: string
  readonly providerId: string
  readonly name: string
  readonly input: string
  readonly state: 'recorded' | 'started' | 'approval' | 'outside' | 'approved'
  readonly since: number
  /** When the wait for a decision ends by itself. */
  readonly until?: number
}

export interface WaitingInput {
  readonly seq: number
  readonly at: number
  readonly when: string
  readonly text: string
}

/** `POST api/threads/<source>/<item>` with one of these; answered by `Done`, or 4xx with `{ error, hint? }`. */
export type Deed =
  | { readonly do: 'approve'; readonly call: string }
  | { readonly do: 'deny'; readonly call: string; readonly reason?: string }
  | { readonly do: 'interrupt'; readonly reason: string; readonly turn?: number }

export interface Done {
  /** What is stored now, in a line: of two contrary decisions the first wins. */
  readonly said: string
}

/** What a flight recorder saw. */
export interface TapeDocument extends AnyDocument {
  readonly kind: 'tape'
  readonly entries: readonly TapeEntry[]
  readonly redacted: boolean
  /** Lines that could not be read, each in a line. */
  readonly faults: readonly string[]
}

/**
 * What an exported file holds, in two script elements of the type `application/json`: `antiphon-head` before the page's
 * own script, `antiphon-documents` after it, so that a long history is drawn before all of it has been read.
 */
export interface ExportHead {
  readonly sources: readonly Source[]
  readonly items: readonly Item[]
  /** The head of the first document. */
  readonly first?: Document
}
/** `<source>/<item>` to its document. */
export type ExportDocuments = Readonly<Record<string, Document>>
