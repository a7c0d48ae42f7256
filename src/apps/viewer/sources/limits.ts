import { AntiphonError } from '../../../core/errors.ts'
import { unreadable } from '../../../doctor/files/file-error.ts'
import type { Source } from '../protocol.ts'

/** As much as a browser can hold of one conversation. */
export const bytesMax = 256 * 1024 * 1024

export const tooLarge = (name: string): AntiphonError =>
  unreadable(name, 'it is too large to be drawn: more than 256 MB', 'antiphon check and antiphon doctor read it')

export function mustFit(name: string, bytes: bigint | number | undefined): void {
  if (bytes !== undefined && bytes > bytesMax) throw tooLarge(name)
}

/** The item of a source that has but one. */
export const theOne = '1'

export function mustBeTheOne(item: string, source: Source): void {
  if (item !== theOne) throw noItem(source)
}

export const noItem = ({ name }: Source): AntiphonError =>
  new AntiphonError('unknown-item', `${name}: there is no such conversation`, { hint: 'load the page again' })
