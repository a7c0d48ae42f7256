import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Write, WriteResult } from '../../src/journal/stores/store.ts'

/** What a process has seen of the world outside the journal, in the order in which it happened. */
export type Line =
  /** A tool has had its effect. */
  | {
      readonly kind: 'effect'
      readonly tool: string
      readonly key: string
      readonly process: number
      readonly input: object
    }
  /** A service was asked whether a tool has had its effect. */
  | { readonly kind: 'probe'; readonly key: string; readonly isDone: boolean }
  /** The store has acknowledged a write; nobody has heard of it yet. */
  | {
      readonly kind: 'written'
      readonly write: Pick<Write, 'thread' | 'entries'>
      readonly written: Extract<WriteResult, { ok: true }>
    }
  /** The store has refused one. */
  | { readonly kind: 'refused'; readonly why: string; readonly write: string }
  /** Somebody was told that his input is accepted. */
  | {
      readonly kind: 'receipt'
      readonly receipt: { readonly thread: string; readonly key: string; readonly seq: number }
      readonly content: string
    }
  /** A named point was reached for the first time. */
  | { readonly kind: 'point'; readonly point: string }

/** A file outside the journal that several processes add to. A line is one write, so that it is there whole or not at all. */
export class Ledger {
  readonly #file: number

  constructor(path: string) {
    this.#file = openSync(path, 'a')
  }

  add(line: Line): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`)
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** The lines so far. One that is being written while the file is read may end in the middle: it is not there yet. */
export const readLedger = (path: string): Line[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map(text => JSON.parse(text) as Line)
    : []

export const linesOf = <Kind extends Line['kind']>(lines: readonly Line[], kind: Kind) =>
  lines.filter((line): line is Extract<Line, { kind: Kind }> => line.kind === kind)
