/** A rule that a provider is known to enforce, and the evidence for it. */
export interface ProviderFact {
  readonly id: string
  readonly rule: string
  /** The provider's error message as it was seen; `{id}` and the like are placeholders. */
  readonly words?: string
  /**
   * S a real response, D documentation, C open code, T third-party code, I inferred. Only S, D and C are enforced by default.
   */
  readonly evidence: 'S' | 'D' | 'C' | 'T' | 'I'
  /** Where it was seen; empty if that was not recorded. */
  readonly sources: readonly string[]
}
