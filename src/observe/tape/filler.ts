/**
 * Puts filler in the place of what was said. Equal things get equal filler and different things different filler, in the
 * order in which they come: rules compare messages, so a redacted history must not repeat itself where the original did
 * not. A longer history begins with the same filler as a shorter one. Nothing but order and equality decides what is put.
 *
 * `#texts` has the filler of every text that was seen, `#shapes` how many texts had each shape so far.
 */
export class Filler {
  readonly #texts = new Map<string, string>()
  readonly #shapes = new Map<string, number>()
  readonly #numbers = new Map<string, number>()
  #firstBoolean: boolean | undefined

  /** As long as the text, with its white space and its punctuation. What begins it may be given, and stays. */
  text(text: string, head = ''): string {
    if (text === head) return text
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const shape = head + shapeOf(text.slice(head.length))
    const count = this.#shapes.get(shape) ?? 0
    this.#shapes.set(shape, count + 1)
    const filled = head + numbered(shape.slice(head.length), count)
    this.#texts.set(text, filled)
    return filled
  }

  /** Numbers are counted: 0 for the first, 1 for the next that is another. */
  number(source: string): number {
    const known = this.#numbers.get(source) ?? this.#numbers.size
    this.#numbers.set(source, known)
    return known
  }

  /** The first that comes is false. */
  boolean(value: boolean): boolean {
    this.#firstBoolean ??= value
    return value !== this.#firstBoolean
  }
}

/** A text without its letters and digits: x and 0 stand for them. */
export const shapeOf = (text: string): string =>
  text.replace(wordy, run => 'x'.repeat(run.length)).replace(/\d+/g, run => '0'.repeat(run.length))

/**
 * Whatever is no white space and not ASCII counts as a letter: a picture says something too. Runs of characters that can be
 * pairs are bounded, since the engine keeps each of them on its stack.
 */
const wordy = /[A-Za-z]+|[^\s\p{ASCII}]{1,1000}/gu

/** A shape with a number in its last letters, or in its last digits if it has no letter. */
function numbered(shape: string, number: number): string {
  const [zero, digits] = shape.includes('x') ? ['x', alphabet] : ['0', '0123456789']
  let filled = shape
  let rest = number
  let at = shape.lastIndexOf(zero)
  while (rest > 0 && at >= 0) {
    filled = filled.slice(0, at) + digits[rest % digits.length] + filled.slice(at + 1)
    rest = Math.floor(rest / digits.length)
    at = at === 0 ? -1 : shape.lastIndexOf(zero, at - 1)
  }
  return filled
}

/** None that JSON has a meaning for, in an escape, a number or a word of its own: what is broken must stay broken. */
const alphabet = 'xyzacdghijkmopqsv'
