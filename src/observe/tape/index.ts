/** The front door of `antiphon/tape`. It stands here because `inspect` needs rules and readers, which a tape itself does not. */

export {
  type CallFacts,
  createTape,
  type RequestFacts,
  type ResponseFacts,
  type Tape,
  type TapeOptions,
} from './create-tape.ts'
export type { TapeEntry, TapeHead } from './entry.ts'
export { tapeFromEnvironment } from './environment.ts'
export { openTape } from './file.ts'
export { type Inspection, inspect } from './inspect.ts'
export type { Moment } from './moment.ts'
export { readTape, type TapeText } from './read-tape.ts'
export type { CallSeen, RequestSeen } from './timeline.ts'
