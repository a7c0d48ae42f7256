/**
 * Why a reply ended. There is no value for calls: a reply shows whether it has some. `cut`: it broke off before its end,
 * because of the connection, or as the provider says.
 */
export type Finish = 'stop' | 'length' | 'refusal' | 'pause' | 'cut'

/** The answer of a model, in its own format. */
export interface Reply {
  /** The messages it adds to the history, exactly as the provider expects them back. Only what may be sent again. */
  readonly messages: readonly unknown[]
  readonly finish: Finish
  readonly model?: string
  /**
   * What was left out of `messages` and must not be sent again, as messages of the same format: incomplete calls, unsigned
   * thinking of a cut stream, calls whose arguments do not parse at the length limit. Kept as data.
   */
  readonly left?: readonly unknown[]
  /** The provider's own id of the response. */
  readonly id?: string
  /** Token usage, as the provider reports it. */
  readonly usage?: unknown
}

/** A piece of a reply while it streams, for a user interface. `index` counts the calls of the reply. */
export type ReplyDelta =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** A call begins. */
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly index: number }
  /** A piece of its arguments, as JSON text. */
  | { readonly kind: 'input'; readonly index: number; readonly text: string }

/** Folds the chunks of one stream. */
export interface ReplyFold {
  /**
   * Adds one chunk as the provider's SDK yields it, or the parsed JSON of one event, which is the same. Unknown chunks are
   * ignored. An error inside the stream does not throw: it ends the reply as `cut`.
   */
  push(chunk: unknown): readonly ReplyDelta[]
  /** The reply so far: whole if the provider's own end was seen, else `cut`. */
  end(): Reply
  /** The error that the provider sent inside the stream, if it did. */
  readonly failure?: unknown
}

export interface Replies {
  /** Reads a whole response as the provider's SDK returns it, or plain JSON; undefined if it is not of this format. */
  read(response: unknown): Reply | undefined
  /** Whether a chunk can belong to a stream of this format: for choosing a fold when the caller did not name the format. */
  recognises(chunk: unknown): boolean
  fold(): ReplyFold
}

/** What is known of a response in addition to its content, whatever the fields contain. */
export interface ReplyMetadata {
  readonly id?: unknown
  readonly model?: unknown
  readonly usage?: unknown
}

/** A reply without the keys that nothing is known for. */
export function replyOf(
  finish: Finish,
  messages: readonly unknown[],
  left: readonly unknown[],
  { id, model, usage }: ReplyMetadata,
): Reply {
  return {
    messages,
    finish,
    ...(left.length > 0 ? { left } : {}),
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
    ...(usage === undefined || usage === null ? {} : { usage }),
  }
}

/** The event for new text; none if the text is empty. */
export const textDeltas = (kind: 'text' | 'reasoning', words: string): readonly ReplyDelta[] =>
  words === '' ? [] : [{ kind, text: words }]
