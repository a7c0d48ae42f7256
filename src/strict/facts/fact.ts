/** Something that a provider is known to insist on, and how that is known. */
export interface Fact {
  readonly id: string
  readonly rule: string
  /** Its own words for the refusal, as they were seen; `{id}` and the like stand for what differs. */
  readonly words?: string
  /** S a real response, D documentation, C open code, T third-party code, I inferred. Only S, D and C refuse by default. */
  readonly evidence: 'S' | 'D' | 'C' | 'T' | 'I'
  /** Where it was seen; none where the place was not kept. */
  readonly sources: readonly string[]
}
