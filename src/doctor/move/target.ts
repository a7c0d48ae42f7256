import type { DialectId } from '../../core/dialects/index.ts'
import type { StoreUser } from '../system.ts'
import type { MovedSession } from './moved-session.ts'

/** A program that sessions can be moved to. One file per program. */
export interface MoveTarget {
  /** The value for `--to`, and the id of its system. */
  readonly id: string
  readonly title: string
  /** The provider that reads its sessions, unless another one is named. */
  readonly dialect: DialectId
  /** The folder that it keeps its data in. */
  root(user: StoreUser): string
  /** Decides what is written. Nothing is changed; throws a one-line error if it cannot be written there. */
  plan(session: MovedSession, root: string): MovePlan
  /** The environment that makes the program look in another folder than its own. */
  environment(root: string): Readonly<Record<string, string>>
}

export interface MovePlan {
  /** The file that holds the session. */
  readonly path: string
  /** The id of the session in its new program. */
  readonly id: string
  /** The commands that resume it, in its working directory. */
  readonly resume: readonly (readonly string[])[]
  /** What else the user should know. */
  readonly note?: string
  /** Writes it. Throws a one-line error if something of this name exists, or if writing fails: then nothing is left. */
  write(): void
}
