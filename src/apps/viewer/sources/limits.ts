import { AntiphonError } from '../../../core/errors.ts'
import { fileError } from '../../../doctor/files/file-error.ts'
import type { SourceInfo } from '../protocol.ts'

/** As much as a browser can hold of one conversation. */
export const documentBytesMax = 256 * 1024 * 1024

export const tooLarge = (name: string): AntiphonError =>
  fileError(name, 'too large to be shown: more than 256 MB', 'use antiphon check or antiphon doctor')

export function assertSize(name: string, bytes: bigint | number | undefined): void {
  if (bytes !== undefined && bytes > documentBytesMax) throw tooLarge(name)
}

/** The id of the item in a source with a single one. */
export const onlyItemId = '1'

export function assertOnlyItem(item: string, source: SourceInfo): void {
  if (item !== onlyItemId) throw unknownItem(source)
}

export const unknownItem = ({ name }: SourceInfo): AntiphonError =>
  new AntiphonError('unknown-item', `${name}: unknown conversation`, { hint: 'reload the page' })
