import { longestIncreasingSubsequence } from '../../../core/longest-increasing-subsequence.ts'
import { inBlocks } from '../../files/block.ts'
import type { Fingerprint } from '../../files/fingerprint.ts'
import { jsonLayoutOf, printJson } from '../../files/layout.ts'
import { originsOf, printLike } from '../../files/print-like.ts'
import type { RawLine } from '../../files/raw-lines.ts'
import { type AssertUnused, swapFile } from '../../files/swap-file.ts'
import { type MessageLine, messageLines } from './message-lines.ts'

/** A line of the repaired file: an existing one, perhaps with another message, or a new one. */
interface Healed {
  /** The index of the message that it comes from. */
  readonly origin: number | undefined
  /** The message, if it is not that one unchanged. */
  readonly changed: unknown
}

/**
 * Writes repaired messages, one per line. Unchanged ones are copied byte for byte, and lines that are not messages stay
 * in place.
 */
export async function writeMessages(
  path: string,
  before: Fingerprint,
  bad: ReadonlySet<number>,
  messages: readonly unknown[],
  healed: readonly unknown[],
  assertUnused: AssertUnused | undefined,
): Promise<void> {
  const origins = originsOf(messages, healed)
  const lines = healed.map((message, index): Healed => {
    const origin = origins[index]
    return { origin, changed: origin !== undefined && messages[origin] === message ? undefined : message }
  })
  const standing = lines.filter(({ origin }) => origin !== undefined)
  const increasing = longestIncreasingSubsequence(standing, ({ origin }) => origin as number)
  const anchors = new Map(increasing.map(line => [line.origin as number, line]))
  const elsewhere = new Set(
    standing.filter(line => anchors.get(line.origin as number) !== line).map(line => line.origin),
  )
  const taken = takeLines(path, bad, elsewhere)
  await swapFile(path, before, inBlocks(pieces(messageLines(path, bad), lines, anchors, taken)), assertUnused)
}

function takeLines(
  path: string,
  bad: ReadonlySet<number>,
  wanted: ReadonlySet<number | undefined>,
): Map<number, Buffer> {
  const taken = new Map<number, Buffer>()
  for (const { line, index } of wanted.size > 0 ? messageLines(path, bad) : [])
    if (index !== undefined && wanted.has(index)) taken.set(index, Buffer.from(line.bytes))
  return taken
}

function* pieces(
  file: Iterable<MessageLine>,
  lines: readonly Healed[],
  anchors: ReadonlyMap<number, Healed>,
  taken: ReadonlyMap<number, Buffer>,
): Generator<Buffer> {
  let lineBreak: RawLine['ending'] = '\n'
  let owed: string | undefined
  let last: RawLine['ending'] = '\n'
  let layout = jsonLayoutOf([], '')
  let next = 0
  function* put(bytes: Buffer): Generator<Buffer> {
    if (owed !== undefined) yield Buffer.from(owed)
    yield bytes
    owed = lineBreak
  }
  const isAnchor = (line: Healed | undefined): boolean => line !== undefined && anchors.get(line.origin ?? -1) === line
  function* putOthers(): Generator<Buffer> {
    for (let line = lines[next]; line && !isAnchor(line); line = lines[++next]) yield* put(bytesOf(line, taken, layout))
  }
  for (const { line, index } of file) {
    if (line.ending !== '') lineBreak = line.ending
    last = line.ending
    if (index === undefined) {
      yield* put(line.bytes)
      continue
    }
    if (index === 0) {
      layout = jsonLayoutOf([line.bytes.toString()], '')
      yield* putOthers()
    }
    const anchor = anchors.get(index)
    if (!anchor) continue
    yield* put(anchor.changed === undefined ? line.bytes : bytesLike(line.bytes, anchor.changed))
    next++
    yield* putOthers()
  }
  if (owed !== undefined) yield Buffer.from(last)
}

function bytesOf(
  { origin, changed }: Healed,
  taken: ReadonlyMap<number, Buffer>,
  layout: ReturnType<typeof jsonLayoutOf>,
): Buffer {
  const source = taken.get(origin ?? -1)
  if (!source) return Buffer.from(printJson(changed, layout))
  return changed === undefined ? source : bytesLike(source, changed)
}

const bytesLike = (source: Buffer, message: unknown): Buffer => {
  const text = source.toString().replace(/^\uFEFF/, '')
  return Buffer.from(printLike({ text, value: JSON.parse(text) }, message))
}
