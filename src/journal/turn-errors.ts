import { AntiphonError } from '../core/errors.ts'

/** The turn is nobody's business here any more. */
export const isOver = (error: unknown): error is AntiphonError =>
  AntiphonError.is(error) && (error.code === 'fenced' || error.code === 'turn-over')

export const tooLong = (timeoutMs: number): Error => new Error(`it gave no result within ${timeoutMs} ms`)

export function cut(error: unknown): Error {
  if (error instanceof Error) return error
  return new AntiphonError('stream-cut', 'the stream of the model broke off', {
    hint: 'its words are recorded, its calls are not; take the next turn to go on',
    cause: error,
  })
}

export const ended = (turn: number): AntiphonError =>
  new AntiphonError('turn-over', `turn ${turn} was ended by its owner`, { hint: 'take the next turn', turn })

export const notATime = (expiresMs: number): AntiphonError =>
  new AntiphonError('not-a-time', `a call cannot expire after ${expiresMs} ms`, {
    hint: 'give milliseconds from 0 on; Infinity, or nothing at all, lets the call wait for ever',
  })

export const abandoned = { name: 'TurnAbandoned', message: 'the turn was left before it was over' }
