/** Where a fact of a dialect comes from. Sources are separate from the dialects and not loaded with them. */
export interface FactSource {
  readonly fact: string
  readonly url: string
  /** S: a real response, D: documentation of the vendor, C: open code, T: third-party code, I: inferred. */
  readonly evidence: 'S' | 'D' | 'C' | 'T' | 'I'
  readonly date: string
}
