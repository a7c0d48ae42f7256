/** The settings of a request that rules need. JSON, so that an edit can hold it. */
export interface Settings {
  /** Whether the request declares tools; or the names that it is to declare because it declares none. */
  readonly tools: 'declared' | 'none' | readonly string[]
  /** Whether thinking is enabled: on, off, not set, or left to the model. */
  readonly thinking: 'on' | 'off' | 'unset' | 'free'
  /**
   * System text in the wrong place: in a field, where the format wants a message; or text that is to be appended to the
   * field that the format has for it. Each is a string, or a text block of the format.
   */
  readonly system: readonly unknown[]
  /** The request asks for something other than a reply, so the history may end with the assistant. */
  readonly reply?: 'none'
}
