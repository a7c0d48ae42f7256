import type { OpenCheckpointerOptions } from '../../../src/integrations/langchain/index.ts'

/** What a process of a test is to do. */
export interface Plan {
  readonly where: string
  readonly options: OpenCheckpointerOptions
  /** The strict provider. */
  readonly url: string
  /** A file with a line for each effect of a tool. */
  readonly ledger: string
  /** What is said; without it the thread is resumed. */
  readonly says?: readonly string[]
  readonly durability?: 'sync' | 'async'
  /** Where the process is killed. */
  readonly dies?: 'in the tool'
  /** The tool waits for this file. */
  readonly until?: string
}

export type Report =
  | { readonly kind: 'asking' }
  | { readonly kind: 'done'; readonly messages: readonly (readonly [type: string, text: string])[] }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
