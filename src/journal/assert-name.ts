import { AntiphonError } from '../core/errors.ts'

/** Refuses names that a database could change or confuse with others. */
export function assertName(text: unknown, what: string): void {
  if (typeof text === 'string' && text !== '' && !text.includes('\0') && text.isWellFormed()) return
  throw new AntiphonError('invalid-name', `${what} must be a non-empty, well-formed string`, {
    hint: 'remove lone surrogates and U+0000',
  })
}
