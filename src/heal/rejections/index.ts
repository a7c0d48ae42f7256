export { healRejected } from './heal-rejected.ts'
export { type ReadRejectionOptions, readRejection } from './read-rejection.ts'
export type { HistoryReading, Rejection, RejectionKind } from './rejection.ts'
