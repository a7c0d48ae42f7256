import { zstdCompressSync } from 'node:zlib'
import { Random } from '../../../laws/random.ts'
import type { Home } from './generate.ts'
import { type Json, plain } from './rollout.ts'

export interface Corrupted extends Home {
  /** What was done to it. */
  readonly faults: readonly string[]
}

/** One to four defects in the examined rollout, as crashes, retries and old versions of Codex leave them. */
export function corrupt(seed: number, { files, path }: Home): Corrupted {
  const random = new Random(seed + 7_000_000)
  const rollout = Lines.read(plain(path, files.get(path) as Buffer))
  const faults: string[] = []
  const count = random.range(1, 4)
  while (faults.length < count) {
    const [name, fault] = random.pick(Object.entries(rollout.isPaginated ? paginatedFaults : legacyFaults))
    if (!fault(rollout, random)) continue
    faults.push(name)
    if (endings.has(name)) break
  }
  const bytes = rollout.bytes()
  return { path, faults, files: new Map([...files, [path, path.endsWith('.zst') ? zstdCompressSync(bytes) : bytes]]) }
}

/** A defect in the lines of a rollout; false where it does not apply. */
type Fault = (rollout: Lines, random: Random) => boolean

/** Faults that must come last, since what is read after them are bytes and not records. */
const endings = new Set([
  'a torn tail',
  'bytes that are not text',
  'a damaged character',
  'a record glued to a torn one',
  'a mark of byte order',
])

class Lines {
  readonly #lines: Buffer[]

  constructor(lines: Buffer[]) {
    this.#lines = lines
  }

  static read(bytes: Buffer): Lines {
    const lines: Buffer[] = []
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(10, start)
      const next = end < 0 ? bytes.length : end + 1
      lines.push(bytes.subarray(start, next))
      start = next
    }
    return new Lines(lines)
  }

  get isPaginated(): boolean {
    return (this.record(0).payload as Json).history_mode === 'paginated'
  }

  get length(): number {
    return this.#lines.length
  }

  bytes(): Buffer {
    return Buffer.concat(this.#lines)
  }

  record(index: number): Json {
    return JSON.parse(this.#lines[index].toString())
  }

  line(index: number): Buffer {
    return this.#lines[index]
  }

  /** The records whose items are of these types, in order. */
  of(...types: string[]): number[] {
    return this.#lines.flatMap((_, index) => (types.includes(this.typeAt(index)) ? [index] : []))
  }

  typeAt(index: number): string {
    const { type, payload } = this.record(index)
    return type === 'response_item' ? String((payload as Json).type) : ''
  }

  set(index: number, bytes: Buffer | string): void {
    this.#lines[index] = Buffer.from(bytes)
  }

  edit(index: number, change: (text: string) => string): void {
    this.set(index, change(this.#lines[index].toString()))
  }

  /** Takes records out and puts others in. The numbers of a paginated rollout are those of a writer that wrote it so. */
  splice(start: number, count: number, ...lines: Buffer[]): Buffer[] {
    const ended = lines.map(line => (line.at(-1) === 10 ? line : Buffer.concat([line, Buffer.from('\n')])))
    if (start >= this.#lines.length && this.#lines.at(-1)?.at(-1) !== 10)
      this.edit(this.#lines.length - 1, text => `${text}\n`)
    const taken = this.#lines.splice(start, count, ...ended)
    if (!this.isPaginated) return taken
    const { ordinal } = this.record(0)
    for (let index = 0; index < this.#lines.length; index++) this.number(index, Number(ordinal) + index)
    return taken
  }

  number(index: number, ordinal: number | undefined): void {
    this.edit(index, text => text.replace(/"ordinal":\d+,/, ordinal === undefined ? '' : `"ordinal":${ordinal},`))
  }
}

const calls = ['function_call', 'local_shell_call', 'custom_tool_call', 'tool_search_call']
const results = ['function_call_output', 'custom_tool_call_output', 'tool_search_output']

const pickOf = (rollout: Lines, random: Random, ...types: string[]): number | undefined => {
  const found = rollout.of(...types)
  return found.length === 0 ? undefined : random.pick(found)
}

const lose =
  (...types: string[]): Fault =>
  (rollout, random) => {
    const index = pickOf(rollout, random, ...types)
    if (index === undefined) return false
    rollout.splice(index, 1)
    return true
  }

const repeat =
  (...types: string[]): Fault =>
  (rollout, random) => {
    const index = pickOf(rollout, random, ...types)
    if (index === undefined) return false
    rollout.splice(random.chance(0.5) ? index + 1 : random.range(index + 1, rollout.length), 0, rollout.line(index))
    return true
  }

const delay: Fault = (rollout, random) => {
  const index = pickOf(rollout, random, ...results)
  if (index === undefined) return false
  const [line] = rollout.splice(index, 1)
  rollout.splice(random.range(index, rollout.length), 0, line)
  return true
}

const hurry: Fault = (rollout, random) => {
  const index = pickOf(rollout, random, ...results)
  if (index === undefined || index < 3) return false
  const [line] = rollout.splice(index, 1)
  rollout.splice(random.range(Math.max(1, index - 6), index - 1), 0, line)
  return true
}

/** The process ended between two records of a step. */
const crash: Fault = (rollout, random) => {
  const index = pickOf(rollout, random, ...calls, ...results, 'reasoning')
  if (index === undefined) return false
  rollout.splice(index + 1, rollout.length)
  return true
}

const stray: Fault = (rollout, random) => {
  const index = pickOf(rollout, random, ...results)
  if (index === undefined) return false
  const text = rollout
    .line(index)
    .toString()
    .replace(/"call_id":"[^"]*"/, `"call_id":"${random.id('call_')}"`)
  rollout.splice(random.range(1, rollout.length), 0, Buffer.from(text))
  return true
}

const nameless: Fault = (rollout, random) => {
  const index = pickOf(rollout, random, 'local_shell_call')
  if (index === undefined) return false
  rollout.edit(index, text => text.replace(/"call_id":"[^"]*"/, '"call_id":null'))
  return true
}

/** A model that counts its ids began anew. */
const reuse: Fault = (rollout, random) => {
  const index = pickOf(rollout, random, ...calls)
  const idAt = (at: number): unknown => (rollout.record(at).payload as Json).call_id
  const [first] =
    index === undefined ? [] : rollout.of(rollout.typeAt(index)).filter(at => typeof idAt(at) === 'string')
  if (index === undefined || first === undefined || first >= index || typeof idAt(index) !== 'string') return false
  const [before, after] = [idAt(index), idAt(first)].map(id => `"call_id":${JSON.stringify(id)}`)
  for (let at = index; at < rollout.length; at++) rollout.edit(at, text => text.replaceAll(before, after))
  return true
}

/** A result that a compaction did not take along. */
const halve: Fault = (rollout, random) => {
  const bases = Array.from({ length: rollout.length }, (_, index) => index).filter(
    index => rollout.record(index).type === 'compacted',
  )
  if (bases.length === 0) return false
  const index = random.pick(bases)
  const record = rollout.record(index)
  const { replacement_history: history, replacement_history_metadata: metadata } = record.payload as Record<
    string,
    Json[]
  >
  const inner = (history ?? []).findIndex(({ type }) => results.includes(String(type)))
  if (inner < 0) return false
  history.splice(inner, 1)
  metadata?.splice(inner, 1)
  rollout.set(index, `${JSON.stringify(record)}\n`)
  return true
}

const tear: Fault = (rollout, random) => {
  const last = rollout.length - 1
  const line = rollout.line(last)
  if (last < 2) return false
  rollout.set(last, line.subarray(0, random.range(5, Math.max(6, line.length - 3))))
  return true
}

/** A write that failed half way, and was tried again without a new line. */
const glue: Fault = (rollout, random) => {
  const index = pickOf(rollout, random, ...calls, ...results)
  if (index === undefined) return false
  const line = rollout.line(index)
  rollout.set(index, Buffer.concat([line.subarray(0, random.range(10, line.length - 4)), line]))
  return true
}

/** A write that failed in the middle of a character, with a new line after it. */
const garble: Fault = (rollout, random) => {
  const index = pickOf(rollout, random, 'message', ...results)
  if (index === undefined) return false
  const line = rollout.line(index)
  const torn = Buffer.concat([line.subarray(0, random.range(20, 60)), Buffer.from([0xe6, 0x87, 10])])
  rollout.set(index, random.chance(0.5) ? torn : Buffer.concat([torn, line]))
  return true
}

/** A character of a message was damaged. */
const smudge: Fault = (rollout, random) => {
  const index = pickOf(rollout, random, 'message')
  if (index === undefined) return false
  const line = Buffer.from(rollout.line(index))
  line[line.indexOf('"text":"') + 8] = 0xff
  rollout.set(index, line)
  return true
}

const mark: Fault = rollout => {
  rollout.set(0, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), rollout.line(0)]))
  return true
}

/** A writer that could not read the last record gave its number away again. */
const renumber: Fault = (rollout, random) => {
  if (rollout.length < 4) return false
  const from = random.range(2, rollout.length - 1)
  const { ordinal } = rollout.record(0)
  for (let index = from; index < rollout.length; index++) rollout.number(index, Number(ordinal) + index - 1)
  return true
}

/** An old version wrote the last records, and knows no numbers. */
const unnumber: Fault = (rollout, random) => {
  if (rollout.length < 4) return false
  for (let index = rollout.length - random.range(1, 2); index < rollout.length; index++)
    rollout.number(index, undefined)
  return true
}

const anyFaults: Record<string, Fault> = {
  'a lost result': lose(...results),
  'lost calls': lose(...calls),
  'lost reasoning': lose('reasoning'),
  'a doubled result': repeat(...results),
  'a doubled call': repeat(...calls),
  'doubled reasoning': repeat('reasoning'),
  'a late result': delay,
  'an early result': hurry,
  'a crash': crash,
  'a stray result': stray,
  'a call without an id': nameless,
  'a call id used again': reuse,
  'a halved compaction': halve,
  'a torn tail': tear,
  'a record glued to a torn one': glue,
  'bytes that are not text': garble,
  'a damaged character': smudge,
  'a mark of byte order': mark,
}

const legacyFaults: Record<string, Fault> = { ...anyFaults, 'a lost message': lose('message') }

const paginatedFaults: Record<string, Fault> = {
  ...anyFaults,
  'a number given twice': renumber,
  'numbers left out': unnumber,
}
