import type { DialectId } from '../../core/dialects/index.ts'
import { type Inspection, inspect, recordedOptions } from '../../observe/tape/inspect.ts'
import { isTape, readTape, type TapeText } from '../../observe/tape/read-tape.ts'
import { fileError } from './file-error.ts'
import { readSource, type SourceText } from './source.ts'

/** A tape that was read from a file, and its content. */
export interface TapeSource extends TapeText {
  readonly name: string
  readonly inspection: Inspection
}

/** Reads a file, or standard input for `-`. Throws a one-line error if it is not a tape. */
export async function readTapeSource(file: string): Promise<TapeSource> {
  const { name, text } = await readSource(file)
  if (!isTape(text)) throw fileError(name, 'it is not a tape', 'one is recorded with ANTIPHON_TAPE=file')
  const tape = readTape(text)
  return { ...tape, name, inspection: inspect(tape.entries) }
}

/**
 * The first request of a tape that is malformed, or else that was rejected, or else the last one, as if it were a file
 * of its own, with its dialect. Anything but a tape is returned unchanged.
 */
export function bodyOfTape(source: SourceText): SourceText & { readonly for?: DialectId; readonly container?: string } {
  if (!isTape(source.text)) return source
  const { requests, firstFailure } = inspect(readTape(source.text).entries)
  const found = firstFailure
    ? requests[firstFailure.request - 1]
    : requests.findLast(({ request }) => request.body !== undefined)
  if (!found) throw fileError(source.name, 'this tape has no request')
  const { request, number } = found
  if (typeof request.body !== 'object' || request.body === null)
    throw fileError(source.name, `request ${number} has no body that is JSON`, request.lost)
  const text = JSON.stringify(request.body)
  const { for: dialect } = recordedOptions(request)
  return {
    name: `${source.name}, request ${number}`,
    bytes: Buffer.from(text),
    text,
    ...(source.path === undefined ? {} : { container: source.path }),
    ...(dialect === undefined ? {} : { for: dialect }),
  }
}
