import { parseVerbatim } from '../core/json/exact-json.ts'
import type { ArrangedRecord, Arrangement } from './arrange.ts'
import { Block } from './files/block.ts'
import type { Fingerprint } from './files/fingerprint.ts'
import { jsonLayoutOf, printJson } from './files/layout.ts'
import { printLike } from './files/print-like.ts'
import type { RawLine } from './files/raw-lines.ts'
import { type LastLook, swapFile } from './files/swap-file.ts'
import type { LineFile } from './line-file.ts'
import type { RecordFormat } from './record-format.ts'

/** Writes a conversation of lines with its records in their new places. Unchanged lines are copied byte for byte. */
export async function writeLines(
  file: LineFile,
  before: Fingerprint,
  places: Arrangement,
  taken: ReadonlyMap<number, Buffer>,
  recordFormat: RecordFormat<unknown>,
  last: LastLook | undefined,
): Promise<void> {
  const lines = healedLines(file.lines(), places, taken, recordFormat)
  await swapFile(file.path, before, file.pack ? file.pack(slowly(lines)) : lines, last)
}

async function* slowly(blocks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* blocks
}

/**
 * The bytes of the repaired file, in blocks. Every line keeps its ending; the last one has the ending of the previous
 * last line.
 */
function* healedLines(
  lines: Iterable<RawLine>,
  places: Arrangement,
  taken: ReadonlyMap<number, Buffer>,
  recordFormat: RecordFormat<unknown>,
): Generator<Buffer> {
  const block = new Block()
  let lineBreak: RawLine['ending'] = '\n'
  let owed: RawLine['ending'] | undefined
  let last: RawLine['ending'] = '\n'
  const add = (bytes: Buffer, ending: RawLine['ending']): void => {
    if (owed !== undefined) block.add(owed || lineBreak)
    block.add(bytes)
    owed = ending
  }
  for (const line of places.get(-1) ?? []) add(bytesOf(line, taken, recordFormat), lineBreak)
  let record = 0
  for (const { bytes, ending } of lines) {
    if (ending !== '') lineBreak = ending
    last = ending
    const now = places.get(record)
    if (!now) add(bytes, ending)
    else
      for (const line of now)
        add(line.kind === 'kept' && line.record === record ? bytes : bytesOf(line, taken, recordFormat), ending)
    record++
    if (block.isFull) yield block.take()
  }
  if (owed !== undefined) block.add(last)
  yield block.take()
}

function bytesOf(
  line: ArrangedRecord,
  taken: ReadonlyMap<number, Buffer>,
  recordFormat: RecordFormat<unknown>,
): Buffer {
  const source = taken.get(line.record) as Buffer
  if (line.kind === 'kept') return source
  const text = source.toString()
  const entry = parseVerbatim(text)
  const made =
    line.kind === 'made'
      ? recordFormat.answer(line.call, entry, line.result)
      : recordFormat.write(entry, line.parts, line.copy)
  return Buffer.from(
    line.kind === 'made' ? printJson(made, jsonLayoutOf([text], '')) : printLike({ text, value: entry }, made),
  )
}
