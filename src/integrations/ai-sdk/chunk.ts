/** A chunk of the stream that `useChat` reads. */
export type Chunk = Readonly<Record<string, unknown>> & { readonly type: string }
