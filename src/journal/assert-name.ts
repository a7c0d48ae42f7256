import { AntiphonError } from '../core/errors.ts'

/** Throws on names that a database could change or confuse with others, and on internal names of erased threads. */
export function assertName(text: unknown, what: string): void {
  if (typeof text === 'string' && tombstone.test(text))
    throw new AntiphonError(
      'invalid-name',
      `${what} must not have the form erased:HASH, which is reserved for erased threads`,
      {
        hint: 'use another name',
      },
    )
  if (typeof text === 'string' && text !== '' && !text.includes('\0') && text.isWellFormed()) return
  throw new AntiphonError('invalid-name', `${what} must be a non-empty, well-formed string`, {
    hint: 'remove lone surrogates and U+0000',
  })
}

/** Names made by `tombstoneName`. A client that chooses the name of its thread must not take the place of an erased one. */
const tombstone = /^erased:[\da-f]{64}/
