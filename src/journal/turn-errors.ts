import { AntiphonError } from '../core/errors.ts'

/** Whether the error says that this process can no longer write to the turn. */
export const isTurnOver = (error: unknown): error is AntiphonError =>
  AntiphonError.is(error) && (error.code === 'turn-over' || isLost(error))

/** Whether the error says that the turn belongs to another process, or that its thread was erased. */
export const isLost = (error: unknown): boolean =>
  (AntiphonError.is(error) && error.code === 'fenced') || isErased(error)

export const isErased = (error: unknown): error is AntiphonError =>
  AntiphonError.is(error) && error.code === 'thread-erased'

export const toolTimeoutError = (timeoutMs: number): Error => new Error(`no result within ${timeoutMs} ms`)

export function streamCutError(error: unknown): Error {
  if (error instanceof Error) return error
  return new AntiphonError('stream-cut', 'the stream of the model broke off', {
    hint: 'its text is recorded, its calls are not; take the next turn to continue',
    cause: error,
  })
}

export const turnEndedError = (turn: number): AntiphonError =>
  new AntiphonError('turn-over', `turn ${turn} was ended by its owner`, { hint: 'take the next turn', turn })

export const invalidExpiryError = (expiresMs: number): AntiphonError =>
  new AntiphonError('invalid-expiry', `expiresMs must be 0 or more, got ${expiresMs}`, {
    hint: 'pass milliseconds; omit it, or pass Infinity, to wait without a limit',
  })

export const turnAbandoned = { name: 'TurnAbandoned', message: 'the turn was disposed of before it ended' }
