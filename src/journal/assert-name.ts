import { AntiphonError } from '../core/errors.ts'
import { parentOf } from './agents/child-name.ts'

/** Throws on names that a database could change or confuse with others, on very long ones, and on internal names of erased threads. */
export function assertName(text: unknown, what: string): void {
  // The name of an agent's thread begins with that of its parent.
  if (typeof text === 'string' && text.length > (parentOf(text) ? 4 * nameMax : nameMax))
    throw new AntiphonError('invalid-name', `${what} must have at most ${nameMax} characters, got ${text.length}`, {
      hint: 'use a shorter name, such as a hash of the long one',
    })
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
    hint: 'pass a text that is not empty, without lone surrogates and U+0000',
  })
}

/** Names made by `tombstoneName`. A client that chooses the name of its thread must not take the place of an erased one. */
const tombstone = /^erased:[\da-f]{64}/

const nameMax = 1_000
