/** A text that arrives in pieces, joined when it is read. */
export class GrowingText {
  #pieces: string[] = []

  constructor(start: unknown = '') {
    this.add(start)
  }

  /** The piece that was added; the empty text for anything that is none. */
  add(piece: unknown): string {
    if (typeof piece !== 'string' || piece === '') return ''
    this.#pieces.push(piece)
    return piece
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  get text(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join('')]
    return this.#pieces[0] ?? ''
  }
}
