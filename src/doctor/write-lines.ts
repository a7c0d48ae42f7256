import { parseVerbatim } from '../core/json/exact-json.ts'
import type { ArrangedRecord, Arrangement } from './arrange.ts'
import { Block } from './files/block.ts'
import type { Fingerprint } from './files/fingerprint.ts'
import { jsonLayoutOf, printJson } from './files/layout.ts'
import { printLike } from './files/print-like.ts'
import type { RawLine } from './files/raw-lines.ts'
import { type AssertUnused, swapFile } from './files/swap-file.ts'
import type { LineFile } from './line-file.ts'
import type { RecordFormat } from './record-format.ts'

/** Writes a conversation of lines with its records in their new places. Unchanged lines are copied byte for byte. */
export async function writeLines(
  file: LineFile,
  before: Fingerprint,
  places: Arrangement,
  taken: ReadonlyMap<number, Buffer>,
  recordFormat: RecordFormat<unknown>,
  assertUnused: AssertUnused | undefined,
): Promise<void> {
  const lines = healedLines(file.lines(), places, taken, recordFormat)
  await swapFile(file.path, before, file.pack ? file.pack(asAsync(lines)) : lines, assertUnused)
}

/** Packing reads asynchronously. */
export async function* asAsync(blocks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
  const source = new ParsedSource(taken)
  let lineBreak: RawLine['ending'] = '\n'
  let owed: RawLine['ending'] | undefined
  let last: RawLine['ending'] = '\n'
  const add = (bytes: Buffer, ending: RawLine['ending']): void => {
    if (owed !== undefined) block.add(owed || lineBreak)
    block.add(bytes)
    owed = ending
  }
  for (const line of places.get(-1) ?? []) add(bytesOf(line, source, recordFormat), lineBreak)
  let record = 0
  for (const { bytes, ending } of lines) {
    if (ending !== '') lineBreak = ending
    last = ending
    const now = places.get(record)
    if (!now) add(bytes, ending)
    else
      for (const line of now)
        add(line.kind === 'kept' && line.record === record ? bytes : bytesOf(line, source, recordFormat), ending)
    record++
    if (block.isFull) yield block.take()
  }
  if (owed !== undefined) block.add(last)
  yield block.take()
}

/** The lines that records are made from. The last one is held, so that it is parsed once for all that is made from it. */
class ParsedSource {
  readonly #taken: ReadonlyMap<number, Buffer>
  #last: { readonly record: number; readonly text: string; readonly value: unknown } | undefined
  #layout: ReturnType<typeof jsonLayoutOf> | undefined

  constructor(taken: ReadonlyMap<number, Buffer>) {
    this.#taken = taken
  }

  bytes(record: number): Buffer {
    return this.#taken.get(record) as Buffer
  }

  read(record: number): { readonly text: string; readonly value: unknown } {
    if (this.#last?.record === record) return this.#last
    const text = this.bytes(record).toString()
    this.#last = { record, text, value: parseVerbatim(text) }
    this.#layout = undefined
    return this.#last
  }

  /** The layout of the line that was read last. */
  layout(text: string): ReturnType<typeof jsonLayoutOf> {
    this.#layout ??= jsonLayoutOf([text], '')
    return this.#layout
  }
}

function bytesOf(line: ArrangedRecord, source: ParsedSource, recordFormat: RecordFormat<unknown>): Buffer {
  if (line.kind === 'kept') return source.bytes(line.record)
  const { text, value } = source.read(line.record)
  return Buffer.from(
    line.kind === 'made'
      ? printJson(recordFormat.answer(line.call, value, line.result), source.layout(text))
      : printLike({ text, value }, recordFormat.write(value, line.parts, line.copy)),
  )
}
