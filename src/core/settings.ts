/** What a request says beside its history, as far as a rule needs to know it. As JSON, so that an edit can hold it. */
export interface Settings {
  /** Whether the request declares any tools, or the names that it is to declare because it has none. */
  readonly tools: 'declared' | 'none' | readonly string[]
  /** Whether the model is to think before it speaks: said so, said not, not said, or left to the model. */
  readonly thinking: 'on' | 'off' | 'unsaid' | 'free'
  /**
   * Words of the system that stand in the wrong place: in a field, where the wire wants a message, or to be put into the
   * field that the wire has for them, behind what stands there. Each is a text, or the wire's own block of text.
   */
  readonly system: readonly unknown[]
  /** The request asks for something else than a reply, so that the history may end with the assistant. */
  readonly reply?: 'none'
}
