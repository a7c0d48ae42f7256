import { mayReject, readRejection } from '../../heal/rejections/read-rejection.ts'
import type { Rejection } from '../../heal/rejections/rejection.ts'

/** A rejection that the AI SDK threw as an error, in words that are known. */
export function rejectionOf(error: unknown, prompt: unknown): Rejection | undefined {
  const { statusCode, responseBody, message } = fieldsOf(error)
  if (typeof statusCode !== 'number' || !mayReject(statusCode)) return undefined
  const said = typeof responseBody === 'string' && responseBody !== '' ? responseBody : message
  return readRejection(statusCode, said, { request: () => JSON.stringify(prompt) })
}

/** Whether an error is what a provider answered, or that the caller wants no answer any more. */
export const isAnswer = (error: unknown): boolean =>
  fieldsOf(error).statusCode !== undefined || (error instanceof Error && error.name === 'AbortError')

interface CallError {
  readonly statusCode?: unknown
  readonly responseBody?: unknown
  readonly message?: unknown
}

const fieldsOf = (error: unknown): CallError => (error ?? {}) as CallError
