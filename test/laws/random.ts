/** A small seeded generator: the same seed gives the same values, in every process. */
export class Random {
  #state: number
  #words = 0

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ (seed >>> 16), 0x45d9f3b) | 0
  }

  /** A number from 0 up to, but never, 1 (mulberry32). */
  next(): number {
    return this.#bits() / 4_294_967_296
  }

  int(maxExclusive: number): number {
    return Math.floor(this.next() * maxExclusive)
  }

  /** An integer from `lo` to `hi`, both included. */
  range(lo: number, hi: number): number {
    return lo + this.int(hi - lo + 1)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** Asks for an array that is not empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.int(items.length)] as T
  }

  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = items.slice()
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.int(last + 1)
      const moved = shuffled[last] as T
      shuffled[last] = shuffled[other] as T
      shuffled[other] = moved
    }
    return shuffled
  }

  /** A word that this generator gives once: `w1`, `w2`, ... */
  word(): string {
    this.#words += 1
    return `w${this.#words}`
  }

  /** Some text, sometimes not ASCII, with exactly one unique word in it. */
  sentence(): string {
    const before = this.chance(0.8) ? `${this.pick(phrases)} ` : ''
    const after = this.chance(0.6) ? ` ${this.pick(phrases)}` : ''
    return before + this.word() + after
  }

  /** The prefix and 16 random characters. They never look like a unique word. */
  id(prefix: string): string {
    let id = prefix
    for (let round = 0; round < 4; round++) {
      const bits = this.#bits()
      id +=
        idLetters.charAt(bits & 31) +
        idLetters.charAt((bits >>> 5) & 31) +
        idLetters.charAt((bits >>> 10) & 31) +
        idLetters.charAt((bits >>> 15) & 31)
    }
    return id
  }

  #bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return (bits ^ (bits >>> 14)) >>> 0
  }
}

/** The unique words in any value, in the order of its JSON, repeats included. */
export function wordsIn(value: unknown): string[] {
  return JSON.stringify(value)?.match(/w\d+/g) ?? []
}

const idLetters = 'abcdefghjkmnpqrstvxyzABCDEFGHJ23'

const phrases = [
  'please look at',
  'and then',
  'the flight to Lisbon,',
  'is it done?',
  'Größe prüfen:',
  'naïve café',
  '日本語のテキスト',
  '请检查',
  'مرحبا',
  'שלום',
  'Привет,',
  '👩‍👩‍👧‍👦 🎉',
  'e\u0301 combined',
  'line one\nline two',
  '\ttabbed',
  '"quoted"',
  "it's",
  'back\\slash',
  '<tag attr="x">',
  '{"not": "parsed"}',
  '```ts\nconst x = 1\n```',
  '[link](https://example.test)',
  '\u200b(invisible)',
  '100%',
]
