/** Stands for a value that the text names, cuts or prints without its content. */
export class LeftOut {
  readonly #at: number
  readonly #reason: string
  readonly #name: string
  constructor(at: number, reason: string, name = '') {
    this.#at = at
    this.#reason = reason
    this.#name = name
  }
  static place(one: LeftOut): number {
    return one.#at
  }
  static reason(one: LeftOut): string {
    return one.#reason
  }
  static isUtc(one: unknown): boolean {
    return one instanceof LeftOut && /(?:^|\.)utc$/i.test(one.#name)
  }
}

/** The first part of a value that the text does not contain. */
export function firstLeftOut(value: unknown): LeftOut | undefined {
  if (value instanceof LeftOut) return value
  if (value === null || typeof value !== 'object') return undefined
  for (const one of Object.values(value)) {
    const found = firstLeftOut(one)
    if (found) return found
  }
  return undefined
}
