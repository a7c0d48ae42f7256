import type { CodecId } from '../../codecs/index.ts'
import type { EditClass } from '../../core/choices.ts'
import type { Role } from '../../core/conversation.ts'
import type { DialectId } from '../../core/dialects/index.ts'
import type { Inspection } from '../../observe/tape/inspect.ts'
import type { Document } from './protocol.ts'

/**
 * What the page asks of the one who reads: a worker in the browser, so that the page never waits. It holds the open
 * document; the page holds what is on the screen. A history of 100,000 messages is never sent over as a whole.
 */
export interface Desk {
  /** Opens a document in place of the last one: as it is, or as JSON text, which is then parsed here and not by the page. */
  open(document: Document | string, reading?: ReadingChoices): Promise<Opened>
  /** What stands on the sheet after the first `step` edits, from a row on, up to another; and the arcs that cross it. */
  window(step: number, from: number, to: number): Promise<SheetWindow>
  /** All of what a row holds, for unfolding. */
  content(step: number, row: number): Promise<Content>
  /** The rows that hold the words, whatever their case, in order. */
  search(step: number, words: string): Promise<readonly number[]>
  /** Where a row goes: the row that a message of one step has in another, or undefined if it is not there. */
  follow(step: number, row: number, to: number): Promise<number | undefined>
  /** What every reader says of this history, one after the other; `tell` hears each. Ends early when another document is opened. */
  verdicts(tell: (verdict: Verdict) => void): Promise<void>
  /** The healed history as JSON text, to be saved; undefined for stores and tapes. */
  healed(): Promise<string | undefined>
  /** What a tape tells, without the bodies of its requests. Only for tapes. */
  inspection(): Promise<Inspection>
  /** A request of a tape, as a document of its own. Its number counts from 1. */
  request(number: number): Promise<Document | undefined>
}

export interface ReadingChoices {
  readonly for?: DialectId
}

/** What is known of a document as soon as it is read. */
export interface Opened {
  /** Why it is no history that can be drawn. All the rest is empty then. */
  readonly foreign?: string
  readonly shape?: CodecId
  readonly reader?: DialectId
  /** Who could read this shape. Empty for stores, whose own program reads them. */
  readonly readers: readonly DialectId[]
  /** The rows of the sheet as it was found. */
  readonly rows: number
  /** The rows at the end, healed. */
  readonly healedRows: number
  /** Every edit, in order. */
  readonly steps: readonly Step[]
  readonly marks: readonly Mark[]
  readonly counts: Tally
}

export interface Tally {
  readonly messages: number
  readonly calls: number
  readonly results: number
  readonly orphans: number
  readonly unanswered: number
}

/** One edit, as the slider shows it. Step n of the sheet is the sheet after the first n edits. */
export interface Step {
  /** The mark that it mends: an index of `Opened.marks`. */
  readonly mark: number
  /** In words: what this edit does, as in "move the result of get_weather behind its call". */
  readonly says: string
  readonly kind: 'insert' | 'remove' | 'move' | 'replace' | 'rewrite' | 'set'
  /** The row it acts on: in the sheet before it (remove, move, replace, rewrite), and in the sheet after it (all but remove). */
  readonly before?: number
  readonly after?: number
  /** How many rows there are after it. */
  readonly rows: number
}

/** A diagnostic in the margin. */
export interface Mark {
  readonly rule: string
  readonly severity: 'error' | 'warning'
  readonly at: string
  readonly message: string
  readonly help: string
  readonly why: string
  /** The provider's own words, where known. */
  readonly refusal?: string
  readonly callId?: string
  /** The class of the edits that mend it; absent if it remains. */
  readonly class?: EditClass
  /** Its edits are the steps from here on, up to there. */
  readonly steps?: readonly [number, number]
  /** The rows that it is about, in the sheet as it was found; the first is where it stands. */
  readonly rows: readonly number[]
}

export interface SheetWindow {
  readonly rows: readonly Row[]
  readonly arcs: readonly Arc[]
}

/** A message of the model, as it stands on the sheet. */
export interface Row {
  readonly index: number
  /** The same message has the same key in every step. */
  readonly key: number
  readonly role: Role
  /** Its path in its own wire, or the name of its record; of one that was made up, none. */
  readonly at?: string
  /** Its first words, on one line. */
  readonly words: string
  readonly pieces: readonly Piece[]
  /** How many characters it holds in all. */
  readonly size: number
  /** Made up, moved or changed by the edits up to this step. */
  readonly touched?: 'new' | 'moved' | 'changed'
  /** Indexes of `Opened.marks` that stand here; only in the sheet as it was found, and for what remains at the end. */
  readonly marks: readonly number[]
}

export interface Piece {
  readonly kind: 'text' | 'call' | 'result' | 'reasoning' | 'image' | 'other'
  /** The name of the tool, or the sort of content. */
  readonly label: string
  readonly id?: string
  readonly error?: true
  readonly denied?: true
  /** It answers in place of a result that does not exist. */
  readonly placeholder?: true
}

/** A call and its result, joined. */
export interface Arc {
  readonly kind: ArcKind
  readonly name: string
  readonly id: string
  /** The row of the call; absent for an orphan. */
  readonly from?: number
  /** The row of the result; absent if there is none. */
  readonly to?: number
  /** Which of the calls of its row, from 0, so that parallel calls do not lie on each other. */
  readonly lane: number
}

/**
 * - `seated`: short and calm.
 * - `misplaced`: its result stands elsewhere.
 * - `duplicate`: a result of a call that has another.
 * - `orphan`: a result without a call.
 * - `open`: a call without a result.
 * - `waiting`: a call without a result that may wait: an approval, a tool at work.
 */
export type ArcKind = 'seated' | 'misplaced' | 'duplicate' | 'orphan' | 'open' | 'waiting'

/** What unfolds. */
export interface Content {
  readonly blocks: readonly Block[]
}

export type Block =
  | { readonly kind: 'text'; readonly title: string; readonly text: string }
  /** A JSON value, to be drawn as a tree. */
  | { readonly kind: 'json'; readonly title: string; readonly value: unknown }
  /** A picture that is in the history itself: a data URL of a known raster type, never an address. */
  | { readonly kind: 'image'; readonly title: string; readonly url: string }

/** What one reader says. */
export interface Verdict {
  readonly reader: DialectId
  readonly title: string
  /** How many errors and warnings by rule. Empty: accepted. */
  readonly rules: Readonly<Record<string, { readonly errors: number; readonly warnings: number }>>
  readonly refused: boolean
}
