/** Where a fact of a dialect comes from. Sources stand beside the dialects and are not loaded with them. */
export interface Source {
  readonly fact: string
  readonly url: string
  /** S a real response, D the vendor's documentation, C open code, T third-party code, I inferred. */
  readonly evidence: 'S' | 'D' | 'C' | 'T' | 'I'
  readonly date: string
}
