/** The entry point of `antiphon/tape`. */

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
export type { FirstFailure as Moment } from './first-failure.ts'
export { type Inspection, inspect } from './inspect.ts'
export { readTape, type TapeText } from './read-tape.ts'
export type { CallSeen, RequestSeen } from './timeline.ts'
