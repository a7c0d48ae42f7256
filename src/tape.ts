/** The front door of `antiphon/tape`. It stands here because `inspect` needs rules and readers, which a tape itself does not. */
export { type Inspection, inspect } from './inspect.ts'
export {
  type CallFacts,
  createTape,
  type RequestFacts,
  type ResponseFacts,
  type Tape,
  type TapeOptions,
} from './tape/create-tape.ts'
export type { TapeEntry, TapeHead } from './tape/entry.ts'
export { tapeFromEnvironment } from './tape/environment.ts'
export { openTape } from './tape/file.ts'
export type { Moment } from './tape/moment.ts'
export { readTape, type TapeText } from './tape/read-tape.ts'
export type { CallSeen, RequestSeen } from './tape/timeline.ts'
