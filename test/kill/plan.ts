import type { Stop } from './points.ts'

/** Where the journal of a test is. */
export type Where =
  | { readonly file: string }
  | { readonly url: string; readonly schema: string }
  | { readonly shards: readonly string[]; readonly schema: string }

/** What a process is started with. */
export interface Plan {
  readonly where: Where
  /** The file that it writes its effects and acknowledgements to. */
  readonly ledger: string
  readonly task: Task
  readonly stop?: Stop
  readonly leaseMs?: number
  /** The store as a user gets it, without points inside its writes. */
  readonly plain?: boolean
}

/** What it does. Whatever an earlier process has not finished it finishes. */
export type Task =
  /** Says each of the inputs under a key of its own, and has it answered before the next. */
  | { readonly do: 'converse'; readonly thread: string; readonly inputs: readonly string[] }
  /** Says nothing new, and goes on with what is there. */
  | { readonly do: 'resume'; readonly thread: string }
  /** Says each of the inputs and has it answered, all at once. */
  | { readonly do: 'invoke'; readonly thread: string; readonly inputs: readonly string[] }
  /** Submits to threads, one input each, and lets a worker do the rest. */
  | { readonly do: 'work'; readonly inputs: readonly string[] }
  /** Is a worker until it is told to stop. */
  | { readonly do: 'serve' }
  /** Submits inputs to one thread, all at once, and gives back the receipts. */
  | { readonly do: 'submit'; readonly thread: string; readonly inputs: Readonly<Record<string, string>> }
  /** Has an input answered, changes it, has it answered again, forks, summarizes, and says more. */
  | { readonly do: 'go back'; readonly thread: string }
  /** Has an input answered and erases the thread. */
  | { readonly do: 'erase'; readonly thread: string }
  /** Submits to many threads for as long as it is not told to stop. */
  | { readonly do: 'load'; readonly threads: number }

/** What a process tells its parent: that it has begun, and how it ended. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
