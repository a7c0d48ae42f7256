import { AntiphonError } from '../core/errors.ts'

/** Refuses names that a database could change or confuse with others, and those that erased threads have. */
export function assertName(text: unknown, what: string): void {
  if (typeof text === 'string' && tombstone.test(text))
    throw new AntiphonError('invalid-name', `${what} is one that the journal keeps for erased threads`, {
      hint: 'use another name',
    })
  if (typeof text === 'string' && text !== '' && !text.includes('\0') && text.isWellFormed()) return
  throw new AntiphonError('invalid-name', `${what} must be a non-empty, well-formed string`, {
    hint: 'remove lone surrogates and U+0000',
  })
}

/** As `tombstoneName` makes them: a client that chooses its name must not get in the place of another one's. */
const tombstone = /^erased:[\da-f]{64}/
