import type { CodecId } from '../../codecs/index.ts'
import type { EditClass } from '../../core/choices.ts'
import type { Role } from '../../core/conversation.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { Inspection } from '../../observe/tape/inspect.ts'
import type { Document } from './protocol.ts'

/**
 * Decodes and checks the open document. It runs in a web worker, so that the page stays responsive. The worker holds the document; the
 * page only gets the rows on the screen, so a history of 100,000 messages is never copied as a whole.
 */
export interface DocumentService {
  /** Opens a document in place of the last one: as a value, or as JSON text, which is then parsed here and not by the page. */
  open(document: Document | string, choices?: OpenChoices): Promise<OpenedDocument>
  /** The rows from `from` up to `to` after the first `step` edits, and the arcs that cross them. */
  window(step: number, from: number, to: number): Promise<MessageWindow>
  /** The whole content of a row, for unfolding. */
  content(step: number, row: number): Promise<MessageContent>
  /** The rows that contain the words, ignoring case, in order. */
  search(step: number, words: string): Promise<readonly number[]>
  /** The row that a message of one step has in another step; undefined if it is not there. */
  follow(step: number, row: number, to: number): Promise<number | undefined>
  /** Checks this history for every provider and reports each verdict. Ends early when another document is opened. */
  verdicts(onVerdict: (verdict: ProviderVerdict) => void): Promise<void>
  /** The repaired history as JSON text, to be saved; undefined for stores and tapes. */
  healed(): Promise<string | undefined>
  /** The analysis of a tape, without the bodies of its requests. Only for tapes. */
  inspection(): Promise<Inspection>
  /** A request of a tape as a separate document. Numbers count from 1. */
  request(number: number): Promise<Document | undefined>
}

export interface OpenChoices {
  readonly for?: DialectId
  /** The model, instead of that of the request. */
  readonly model?: string
}

/** What is known of a document as soon as it is decoded. */
export interface OpenedDocument {
  /** Why it cannot be drawn. Everything else is empty then. */
  readonly unsupported?: string
  readonly format?: CodecId
  readonly dialect?: DialectId
  /** The dialects that accept this format. Empty for stores, which only their own program reads. */
  readonly dialects: readonly DialectId[]
  /** The number of rows before the repair. */
  readonly rows: number
  /** The number of rows after the repair. */
  readonly healedRows: number
  /** Every edit, in order. */
  readonly steps: readonly EditStep[]
  readonly diagnostics: readonly DiagnosticView[]
  readonly counts: MessageCounts
}

export interface MessageCounts {
  readonly messages: number
  readonly calls: number
  readonly results: number
  readonly orphans: number
  readonly unanswered: number
}

/** One edit, as the slider shows it. Step n shows the history after the first n edits. */
export interface EditStep {
  /** The diagnostic that it repairs: an index of `OpenedDocument.diagnostics`. */
  readonly diagnostic: number
  /** What this edit does, such as "Move the result of get_weather after its call". */
  readonly description: string
  readonly kind: 'insert' | 'remove' | 'move' | 'replace' | 'rewrite' | 'set'
  /** The row it acts on: its index before the edit (remove, move, replace, rewrite), and after it (all but remove). */
  readonly before?: number
  readonly after?: number
  /** The number of rows after it. */
  readonly rows: number
}

/** A diagnostic as it is shown in the margin. */
export interface DiagnosticView {
  readonly rule: string
  readonly severity: 'error' | 'warning'
  readonly at: string
  readonly message: string
  readonly help: string
  readonly why: string
  /** The provider's error message, if known. */
  readonly refusal?: string
  readonly callId?: string
  /** The class of the edits that repair it; absent if it remains. */
  readonly class?: EditClass
  /** The range of its edits: the first step, and the step after the last. */
  readonly steps?: readonly [number, number]
  /** The rows that it is about, before the repair; the first is the row it is shown at. */
  readonly rows: readonly number[]
}

export interface MessageWindow {
  readonly rows: readonly MessageRow[]
  readonly arcs: readonly Arc[]
}

/** A message in the list. */
export interface MessageRow {
  readonly index: number
  /** The same message has the same key in every step. */
  readonly key: number
  readonly role: Role
  /** Its path in the history, or the name of its record; absent if an edit added it. */
  readonly at?: string
  /** The start of its text, on one line. */
  readonly words: string
  readonly pieces: readonly PartLabel[]
  /** The number of characters of its content. */
  readonly size: number
  /** Added, moved or changed by the edits up to this step. */
  readonly touched?: 'new' | 'moved' | 'changed'
  /** Indexes of `OpenedDocument.diagnostics`; only in the first step, and for what remains in the last step. */
  readonly diagnostics: readonly number[]
}

export interface PartLabel {
  readonly kind: 'text' | 'call' | 'result' | 'reasoning' | 'image' | 'other'
  /** The name of the tool, or the kind of content. */
  readonly label: string
  readonly id?: string
  readonly error?: true
  readonly denied?: true
  /** A made-up result: the real one does not exist. */
  readonly placeholder?: true
}

/** The line from a call to its result. */
export interface Arc {
  readonly kind: ArcKind
  readonly name: string
  readonly id: string
  /** The row of the call; absent for an orphan. */
  readonly from?: number
  /** The row of the result; absent if there is none. */
  readonly to?: number
  /** Which of the calls of its row, from 0, so that the lines of parallel calls do not overlap. */
  readonly lane: number
}

/**
 * - `paired`: the result follows its call.
 * - `misplaced`: the result is elsewhere.
 * - `duplicate`: one more result of a call.
 * - `orphan`: a result without a call.
 * - `open`: a call without a result.
 * - `waiting`: a call that may still be open: it waits for an approval, or its tool is running.
 */
export type ArcKind = 'paired' | 'misplaced' | 'duplicate' | 'orphan' | 'open' | 'waiting'

/** The whole content of a message. */
export interface MessageContent {
  readonly blocks: readonly ContentBlock[]
}

export type ContentBlock =
  | { readonly kind: 'text'; readonly title: string; readonly text: string }
  /** A JSON value, shown as a tree. */
  | { readonly kind: 'json'; readonly title: string; readonly value: unknown }
  /** An image inside the history: a data URL of a known raster type, never a link. */
  | { readonly kind: 'image'; readonly title: string; readonly url: string }

/** What one provider would do with the history. */
export interface ProviderVerdict {
  readonly dialect: DialectId
  readonly title: string
  /** The number of errors and warnings per rule. Empty: accepted. */
  readonly rules: Readonly<Record<string, { readonly errors: number; readonly warnings: number }>>
  readonly rejected: boolean
}
