import assert from 'node:assert/strict'
import { type CodecId, codecs } from '../../../src/codecs/index.ts'
import type { Entry } from '../../../src/journal/index.ts'
import { closesResponse, type LiveItem } from '../../../src/journal/live/live-reader.ts'

/**
 * What a reader shows, and the law of it: between two entries that end a response, what was shown and not retracted is nothing, or the text that is
 * recorded next. Entries come once and in order, and the epoch of what is shown never decreases.
 */
export class ShownScreen {
  readonly entries: Entry[] = []
  /** How often text was shown and then recorded, and how often it was retracted. */
  readonly counts = { deltas: 0, completed: 0, retracted: 0 }
  #text = ''
  #hasOther = false
  #epoch = 0
  /** Where to continue. */
  after: number | string

  constructor(after: number | string = 0) {
    this.after = after
  }

  get text(): string {
    return this.#text
  }

  take(item: LiveItem): void {
    if (item.kind === 'delta') {
      this.counts.deltas++
      const epoch = Number(/:(\d+)\./.exec(item.offset)?.[1])
      assert(epoch >= this.#epoch, 'text of an owner that lost its lease')
      this.#epoch = epoch
      if (item.delta.kind === 'text') this.#text += item.delta.text
      else this.#hasOther = true
      this.after = item.offset
    } else if (item.kind === 'response-retract') {
      this.counts.retracted++
      this.#clear()
      this.after = item.offset
    } else {
      assert.equal(item.seq, (this.entries.at(-1)?.seq ?? 0) + 1)
      this.#epoch = Math.max(this.#epoch, item.epoch)
      if (closesResponse(item)) {
        if (item.kind === 'response-record' && this.#text !== '') {
          this.counts.completed++
          assert.equal(this.#text, textOf(item))
        } else assert.equal(this.#text, '', `text before ${item.kind} ${item.seq}`)
        if (item.kind !== 'response-record') assert(!this.#hasOther)
        this.#clear()
      }
      this.entries.push(item)
      this.after = item.seq
    }
  }

  #clear(): void {
    this.#text = ''
    this.#hasOther = false
  }
}

export const textOf = ({ format, messages }: Extract<Entry, { kind: 'response-record' }>): string =>
  codecs[format as CodecId]
    .decode(messages)
    .messages.flatMap(({ parts }) => parts.map(part => (part.kind === 'text' ? part.text : '')))
    .join('')
