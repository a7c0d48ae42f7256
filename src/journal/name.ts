import { AntiphonError } from '../core/errors.ts'

/** Databases do not keep every text apart: what two of them could take for the same is no name. */
export function mustBeName(text: unknown, what: string): void {
  if (typeof text === 'string' && text !== '' && !text.includes('\0') && text.isWellFormed()) return
  throw new AntiphonError('bad-name', `${what} must be a text that is not empty, of whole characters`, {
    hint: 'no lone surrogate, no U+0000',
  })
}
