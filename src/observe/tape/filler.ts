/**
 * Replaces content with filler. Equal values get equal filler and different values different filler: rules compare messages, so a
 * redacted history must not repeat itself where the original did not. The filler depends only on the order and the equality of the
 * values, so a longer history starts with the same filler as a shorter one.
 *
 * `#texts` has the filler of every text that was seen, `#maskCounts` how many texts had each mask so far.
 */
export class Filler {
  readonly #texts = new Map<string, string>()
  readonly #maskCounts = new Map<string, number>()
  readonly #numbers = new Map<string, number>()
  #firstBoolean: boolean | undefined
  readonly #fieldNames: ReadonlySet<string>

  /** `fieldNames`: the names of fields in arguments that tools declare. */
  constructor(fieldNames: ReadonlySet<string> = new Set()) {
    this.#fieldNames = fieldNames
  }

  /** The name of a field in arguments. A model chooses it, so that only a declared one is kept. */
  fieldName(name: string): string {
    return this.#fieldNames.has(name) ? name : this.text(name)
  }

  /** Filler of the same length, with the same white space and punctuation. The prefix `head`, if given, is kept. */
  text(text: string, head = ''): string {
    if (text === head) return text
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const mask = head + maskText(text.slice(head.length))
    const count = this.#maskCounts.get(mask) ?? 0
    this.#maskCounts.set(mask, count + 1)
    const filled = head + numbered(mask.slice(head.length), count)
    this.#texts.set(text, filled)
    return filled
  }

  /** Distinct numbers are counted: 0 for the first, 1 for the second. */
  number(source: string): number {
    const known = this.#numbers.get(source) ?? this.#numbers.size
    this.#numbers.set(source, known)
    return known
  }

  /** The first value becomes false, the other one true. */
  boolean(value: boolean): boolean {
    this.#firstBoolean ??= value
    return value !== this.#firstBoolean
  }
}

/** The text with every letter replaced by x and every digit by 0. */
export const maskText = (text: string): string =>
  text.replace(wordy, run => 'x'.repeat(run.length)).replace(/\d{1,1000}/g, run => '0'.repeat(run.length))

/**
 * Everything outside of ASCII that is not white space counts as a letter, emoji included. Runs are bounded, since the regular
 * expression engine may keep each character of a run on its stack.
 */
const wordy = /[A-Za-z]{1,1000}|[^\s\p{ASCII}]{1,1000}/gu

/** A mask with a number in its last letters, or in its last digits if it has no letter. */
function numbered(mask: string, number: number): string {
  const [zero, digits] = mask.includes('x') ? ['x', alphabet] : ['0', '0123456789']
  let filled = mask
  let rest = number
  let at = mask.lastIndexOf(zero)
  while (rest > 0 && at >= 0) {
    filled = filled.slice(0, at) + digits[rest % digits.length] + filled.slice(at + 1)
    rest = Math.floor(rest / digits.length)
    at = at === 0 ? -1 : mask.lastIndexOf(zero, at - 1)
  }
  return filled
}

/** No letter that has a meaning in JSON (escapes, numbers, literals): filler must not make invalid JSON valid. */
const alphabet = 'xyzacdghijkmopqsv'

/** Whether a field holds a URL or encrypted content, whose prefix a provider checks. */
export const isLink = (key: string): boolean => links.has(key)

const links = new Set([
  ...['url', 'uri', 'image_url', 'imageUrl', 'file_url', 'file_data', 'fileUri', 'file_uri', 'server_url', 'fileData'],
  'encrypted_content',
])

/** Filler for a URL or encrypted content that keeps its prefix. */
export const fillLink = (link: string, filler: Filler): string => filler.text(link, linkPrefix.exec(link)?.[0])

const linkPrefix = /^(?:data:[\w/+.-]{0,100}(?:;base64)?,|https?:\/\/|gs:\/\/|s3:\/\/|gAAAA)/
