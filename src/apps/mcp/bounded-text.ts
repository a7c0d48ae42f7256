/** Text of any length in a bounded space: of a long one the beginning and the end are kept. */
export class BoundedText {
  readonly #headMax: number
  readonly #tailMax: number
  #head = ''
  #tail = ''
  #omitted = 0

  constructor(charactersMax: number) {
    this.#tailMax = Math.floor(charactersMax / 4)
    this.#headMax = charactersMax - this.#tailMax
  }

  get isCut(): boolean {
    return this.#omitted > 0
  }

  add(text: string): void {
    const room = this.#headMax - this.#head.length
    this.#head += text.slice(0, room)
    const tail = this.#tail + text.slice(Math.max(room, 0))
    const omitted = Math.max(tail.length - this.#tailMax, 0)
    this.#omitted += omitted
    this.#tail = tail.slice(omitted)
  }

  toString(): string {
    if (!this.isCut) return this.#head + this.#tail
    return `${this.#head.toWellFormed()}\n... ${this.#omitted} characters omitted ...\n${this.#tail.toWellFormed()}`
  }
}
