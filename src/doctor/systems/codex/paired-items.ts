import type { CallFamily } from './item.ts'

/** The properties of an item that decide whether it fits the items before it. */
export interface ItemKind {
  readonly kind: 'call' | 'result' | 'reasoning' | 'model' | 'user' | 'system' | 'other'
  readonly family?: CallFamily
}

/**
 * Follows items as long as there is surely nothing to repair: a step is calls and then their results, every call and
 * every item has an id of its own, and reasoning leads to something. It may doubt healthy items, but never passes broken
 * ones. Ids are given as bytes of a text.
 */
export class PairedItems {
  calls = 0
  results = 0
  #isLone = false
  #isInCalls = false
  readonly #callIds = new IdSet()
  readonly #itemIds = new IdSet()
  readonly #open = new OpenCalls()

  /** Everything before is replaced by other items, or forgotten but for what the user said: then ids still count. */
  restart(keepsIds: boolean): void {
    this.calls = 0
    this.results = 0
    this.#isLone = false
    this.#isInCalls = false
    this.#open.clear()
    if (keepsIds) return
    this.#callIds.clear()
    this.#itemIds.clear()
  }

  /** Takes an item; false if it may be broken. `callId` is of a call or a result, `itemId` of an item that has an id. */
  take({ kind, family = 'function' }: ItemKind, callId: IdBytes | undefined, itemId: IdBytes | undefined): boolean {
    if (itemId && !this.#itemIds.add(itemId)) return false
    if (kind === 'other') return true
    const wasInCalls = this.#isInCalls
    const wasLone = this.#isLone
    this.#isInCalls = kind === 'call'
    this.#isLone = kind === 'reasoning' && itemId !== undefined
    if (kind === 'result') {
      this.results++
      return callId !== undefined && this.#open.settle(families[family], callId)
    }
    if (kind === 'system') return !wasLone
    if (this.#open.count > 0 && !(wasInCalls && kind === 'call')) return false
    if (kind === 'user') return !wasLone
    if (kind !== 'call') return true
    this.calls++
    // Ids of searches and of other calls never pair, but are doubted if they are the same.
    return (
      callId !== undefined && callId.length > 0 && this.#callIds.add(callId) && this.#open.add(families[family], callId)
    )
  }

  /** Whether nothing is left open. */
  get isComplete(): boolean {
    return !this.#isLone && this.#open.count === 0
  }
}

const families: Readonly<Record<CallFamily, number>> = { function: 0, custom: 1, search: 2 }

/** An id as bytes of a text, without escapes. Used again for the next one. */
export class IdBytes {
  text: Uint8Array = noBytes
  from = 0
  length = 0
  low = 0
  high = 0

  /** False if the bytes may have an escape. */
  set(text: Uint8Array, from: number, to: number): boolean {
    let [low, high] = [0x811c9dc5, 0x2545f491]
    for (let at = from; at < to; at++) {
      const byte = text[at] as number
      if (byte === backslash) return false
      low = Math.imul(low ^ byte, 0x01000193)
      high = Math.imul(high ^ byte ^ (low >>> 15), 0x85ebca6b)
    }
    this.text = text
    this.from = from
    this.length = to - from
    this.low = low
    this.high = high | 1
    return true
  }

  /** False if the text has a backslash, or no bytes of its own because it is not well-formed. */
  setText(text: string): boolean {
    const bytes = Buffer.from(text)
    return this.set(bytes, 0, bytes.length) && bytes.toString() === text
  }
}

const noBytes = new Uint8Array(0)
const backslash = 0x5c

/** A set of hashes of 63 bits: a few bytes for each id. */
class IdSet {
  #count = 0
  /** Pairs of numbers; the second is never 0. */
  #slots = new Int32Array(64)

  /** False if it may be there. */
  add({ low, high }: IdBytes): boolean {
    if (!this.#put(low, high)) return false
    if (++this.#count * 4 > this.#slots.length) this.#grow()
    return true
  }

  clear(): void {
    this.#count = 0
    if (this.#slots.length > keptMax) this.#slots = new Int32Array(64)
    else this.#slots.fill(0)
  }

  #put(low: number, high: number): boolean {
    const slots = this.#slots
    const mask = slots.length / 2 - 1
    for (let at = (low ^ (low >>> 16)) & mask; ; at = (at + 1) & mask) {
      const there = slots[2 * at + 1]
      if (there === high && slots[2 * at] === low) return false
      if (there !== 0) continue
      slots[2 * at] = low
      slots[2 * at + 1] = high
      return true
    }
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Int32Array(before.length * 2)
    for (let at = 0; at < before.length; at += 2)
      if (before[at + 1] !== 0) this.#put(before[at] as number, before[at + 1] as number)
  }
}

/** A longer table is not kept for the next rollout. */
const keptMax = 4096

/** The calls that wait for a result: few, so they are compared one by one. */
class OpenCalls {
  count = 0
  readonly #lows = new Int32Array(openMax)
  readonly #families = new Uint8Array(openMax)
  readonly #lengths = new Uint8Array(openMax)
  readonly #ids = new Uint8Array(openMax * idMax)

  /** False if there is no room. */
  add(family: number, { text, from, length, low }: IdBytes): boolean {
    if (this.count === openMax || length > idMax) return false
    const place = this.count++
    this.#lows[place] = low
    this.#families[place] = family
    this.#lengths[place] = length
    for (let at = 0; at < length; at++) this.#ids[place * idMax + at] = text[from + at] as number
    return true
  }

  /** Removes the call that a result answers; false if there is none. */
  settle(family: number, id: IdBytes): boolean {
    for (let place = 0; place < this.count; place++) {
      if (this.#lows[place] !== id.low || this.#families[place] !== family || !this.#isAt(place, id)) continue
      const last = --this.count
      this.#lows[place] = this.#lows[last] as number
      this.#families[place] = this.#families[last] as number
      this.#lengths[place] = this.#lengths[last] as number
      this.#ids.copyWithin(place * idMax, last * idMax, (last + 1) * idMax)
      return true
    }
    return false
  }

  clear(): void {
    this.count = 0
  }

  #isAt(place: number, { text, from, length }: IdBytes): boolean {
    if (this.#lengths[place] !== length) return false
    for (let at = 0; at < length; at++) if (this.#ids[place * idMax + at] !== text[from + at]) return false
    return true
  }
}

const openMax = 64
const idMax = 128
