import { parseVerbatim } from '../core/json/exact-json.ts'
import type { Line, Places } from './arrange.ts'
import { Block } from './files/block.ts'
import type { Fingerprint } from './files/fingerprint.ts'
import { layoutOf, print } from './files/layout.ts'
import { printLike } from './files/print-like.ts'
import type { RawLine } from './files/raw-lines.ts'
import { type LastLook, swapFile } from './files/swap-file.ts'
import type { LineFile } from './line-file.ts'
import type { Script } from './script.ts'

/** Writes a conversation of lines anew, with its records in their places. What was not touched is copied byte for byte. */
export async function writeLines(
  file: LineFile,
  before: Fingerprint,
  places: Places,
  taken: ReadonlyMap<number, Buffer>,
  script: Script<unknown>,
  last: LastLook | undefined,
): Promise<void> {
  const lines = healedLines(file.lines(), places, taken, script)
  await swapFile(file.path, before, file.pack ? file.pack(slowly(lines)) : lines, last)
}

async function* slowly(blocks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* blocks
}

/** The bytes of the healed file, in blocks. Every line ends as it did; the last one as the last line did. */
function* healedLines(
  lines: Iterable<RawLine>,
  places: Places,
  taken: ReadonlyMap<number, Buffer>,
  script: Script<unknown>,
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
  for (const line of places.get(-1) ?? []) add(bytesOf(line, taken, script), lineBreak)
  let record = 0
  for (const { bytes, ending } of lines) {
    if (ending !== '') lineBreak = ending
    last = ending
    const now = places.get(record)
    if (!now) add(bytes, ending)
    else
      for (const line of now)
        add(line.kind === 'kept' && line.record === record ? bytes : bytesOf(line, taken, script), ending)
    record++
    if (block.isFull) yield block.take()
  }
  if (owed !== undefined) block.add(last)
  yield block.take()
}

function bytesOf(line: Line, taken: ReadonlyMap<number, Buffer>, script: Script<unknown>): Buffer {
  const source = taken.get(line.record) as Buffer
  if (line.kind === 'kept') return source
  const text = source.toString()
  const entry = parseVerbatim(text)
  const made =
    line.kind === 'made' ? script.answer(line.call, entry, line.result) : script.write(entry, line.parts, line.copy)
  return Buffer.from(line.kind === 'made' ? print(made, layoutOf([text], '')) : printLike({ text, value: entry }, made))
}
