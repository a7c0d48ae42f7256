import type { Rejection } from './rejection.ts'

/**
 * Whether the repair after a rejection resolved it, though the provider then rejected the request for something else. What it taught is
 * worth remembering: with one retry for each request, a request with two defects would be rejected for ever.
 */
export const isResolved = (rejection: Rejection, next: Rejection | undefined): boolean =>
  next !== undefined &&
  next.kind !== 'not-healable' &&
  !next.isEchoed &&
  (next.id !== rejection.id || next.parameter !== rejection.parameter || isOtherField(rejection, next))

/** The field is named in the text, often with its place only. */
const isOtherField = (rejection: Rejection, next: Rejection): boolean =>
  next.kind === 'foreign-field' && next.text !== rejection.text
