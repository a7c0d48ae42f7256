import type { FailureName, Said } from '../failures.ts'

/** A client library that takes a `fetch`. */
export interface Client {
  readonly name: string
  /** The failures that its provider refuses. */
  readonly refused: readonly FailureName[]
  /** Those that the library itself refuses, and does not send. */
  readonly unsent?: readonly FailureName[]
  /** Sends the messages and reads the answer to its end. Rejects with the library's own error. */
  ask(question: Question): Promise<unknown>
}

export interface Question {
  readonly url: string
  readonly messages: readonly Said[]
  readonly stream: boolean
  readonly fetch: typeof globalThis.fetch
}

export const tool = 'run'

export const schema = { type: 'object' as const, properties: {} }

export async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}
