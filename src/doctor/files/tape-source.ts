import type { DialectId } from '../../core/dialects/index.ts'
import { type Inspection, inspect, recordedOptions } from '../../observe/tape/inspect.ts'
import { isTape, readTape, type TapeText } from '../../observe/tape/read-tape.ts'
import { unreadable } from './file-error.ts'
import { readSource, type Source } from './source.ts'

/** A tape as it is read from a file, and what it tells. */
export interface TapeSource extends TapeText {
  readonly name: string
  readonly inspection: Inspection
}

/** Reads a file, or standard input for `-`. Throws in one clear line if it is no tape. */
export async function readTapeSource(file: string): Promise<TapeSource> {
  const { name, text } = await readSource(file)
  if (!isTape(text)) throw unreadable(name, 'it is no tape', 'one is recorded with ANTIPHON_TAPE=file')
  const tape = readTape(text)
  return { ...tape, name, inspection: inspect(tape.entries) }
}

/**
 * The first request of a tape that is malformed, or else that was refused, or else the last one, as if it had come in a
 * file of its own, with the reader that it was for. Anything but a tape comes back as it is.
 */
export function bodyOfTape(source: Source): Source & { readonly for?: DialectId; readonly tape?: string } {
  if (!isTape(source.text)) return source
  const { requests, firstFailure } = inspect(readTape(source.text).entries)
  const found = firstFailure
    ? requests[firstFailure.request - 1]
    : requests.findLast(({ request }) => request.body !== undefined)
  if (!found) throw unreadable(source.name, 'there is no request on this tape')
  const { request, number } = found
  if (typeof request.body !== 'object' || request.body === null)
    throw unreadable(source.name, `request ${number} has no body that is JSON`, request.lost)
  const text = JSON.stringify(request.body)
  const { for: reader } = recordedOptions(request)
  return {
    name: `${source.name}, request ${number}`,
    bytes: Buffer.from(text),
    text,
    ...(source.path === undefined ? {} : { tape: source.path }),
    ...(reader === undefined ? {} : { for: reader }),
  }
}
