import { isRecord } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { type RawLine, rawLines } from '../../files/raw-lines.ts'
import { byteOrderMarkLength } from '../../files/source.ts'
import { recordsInLine } from '../../linked/records-in-line.ts'
import { type Kept, keptBy } from './preserved.ts'

/** Parents of records without one, and of records whose parent is not in the file. */
export const root = -1
export const lost = -2

/** A range of bytes in a file; the end is exclusive. */
export interface NodeBytes {
  readonly start: number
  readonly end: number
}

/**
 * The linked records of a session, as columns: a large session has hundreds of thousands, of which only links and
 * positions are held. A node is its index. Of several lines with one uuid the last one counts, as in the program.
 */
export interface RecordTree {
  readonly uuids: readonly string[]
  /** Its parent node, `root` or `lost`. */
  readonly parents: number[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly lines: readonly number[]
  readonly kinds: readonly NodeKind[]
  readonly times: readonly number[]
  /** The number of the response that an assistant line belongs to; -1 for others. */
  readonly responses: readonly number[]
  /** The node with a call, by its id. */
  readonly calls: ReadonlyMap<string, number>
  /** Earlier lines with the uuid of a node. */
  readonly older: ReadonlyMap<number, readonly NodeBytes[]>
  /** It is the file of an agent: all sidechain. */
  readonly isAgent: boolean
  /** What the last compaction kept. */
  readonly kept: Kept | undefined
  /** Where the user went back to and has not continued yet; `root` is before all records. */
  readonly rewoundTo: number | undefined
  /** The rest of a line after a crash, before a complete record or at the end of the file. */
  readonly torn: readonly (NodeBytes & { readonly line: number })[]
  /** A byte order mark at the beginning of the file. */
  readonly mark: NodeBytes | undefined
  /** Where two records share a line. */
  readonly seams: readonly (NodeBytes & { readonly line: number })[]
  /** Lines that are not JSON and from which no record can be recovered. */
  readonly unreadable: readonly number[]
  readonly lineBreak: string
}

/** The bytes of a node. */
export const rangeOf = (node: number, { starts, ends }: Pick<RecordTree, 'starts' | 'ends'>): NodeBytes => ({
  start: valueAt(starts, node),
  end: valueAt(ends, node),
})

export type NodeKind = 'user' | 'result' | 'assistant' | 'boundary' | 'other'

/** Reads the links of a session. A file of an agent is all sidechain; in any other file sidechains are skipped. */
export function readTree(path: string): RecordTree {
  const tree = readLane(path)
  return tree.isAgent && tree.hasOthers ? readLane(path, false) : tree
}

function readLane(path: string, isSidechain?: boolean): RecordTree & { readonly hasOthers: boolean } {
  const builder = new TreeBuilder(isSidechain)
  for (const line of rawLines(path)) builder.push(line)
  return builder.end()
}

class TreeBuilder {
  readonly #nodes = new Map<string, number>()
  readonly #columns = {
    uuids: [] as string[],
    parents: [] as number[],
    starts: [] as number[],
    ends: [] as number[],
    lines: [] as number[],
    kinds: [] as NodeKind[],
    times: [] as number[],
    responses: [] as number[],
  }
  readonly #waiting = new Map<number, string>()
  readonly #responses = new Map<string, number>()
  readonly #calls = new Map<string, number>()
  readonly #older = new Map<number, NodeBytes[]>()
  readonly #torn: (NodeBytes & { line: number })[] = []
  #byteOrderMark: NodeBytes | undefined
  readonly #seams: (NodeBytes & { line: number })[] = []
  readonly #unreadable: number[] = []
  #boundary: unknown
  /** The uuid that the last note of a rewind names, or null, until a record follows. */
  #rewoundTo: string | null | undefined
  #lane: boolean | undefined
  #hasOthers = false
  #offset = 0
  #line = 0
  #lineBreak = ''

  constructor(lane: boolean | undefined) {
    this.#lane = lane
  }

  push({ bytes, ending }: RawLine): void {
    const isTail = ending === ''
    if (bytes.includes(mark) || bytes.includes(rewindMark) || isTail) this.#read(bytes, isTail)
    else if (isCut(bytes)) this.#unreadable.push(this.#line)
    if (ending !== '') this.#lineBreak ||= ending
    this.#offset += bytes.length + ending.length
    this.#line++
  }

  end(): RecordTree & { readonly hasOthers: boolean } {
    const columns = this.#columns
    for (const [node, uuid] of this.#waiting) columns.parents[node] = this.#nodes.get(uuid) ?? lost
    return {
      ...columns,
      calls: this.#calls,
      older: this.#older,
      isAgent: this.#lane === true,
      hasOthers: this.#hasOthers,
      kept: keptBy(this.#boundary, this.#nodes),
      rewoundTo: this.#rewoundTo === null ? root : this.#nodes.get(this.#rewoundTo ?? ''),
      torn: this.#torn,
      mark: this.#byteOrderMark,
      seams: this.#seams,
      unreadable: this.#unreadable,
      lineBreak: this.#lineBreak || '\n',
    }
  }

  #read(bytes: Buffer, isTail: boolean): void {
    const pieces = recordsInLine(bytes, isLinked)
    if (pieces.length === 0 && isTail) this.#torn.push(this.#place(0, bytes.length))
    else if (pieces.length === 0) this.#unreadable.push(this.#line)
    pieces.forEach(({ start, end, value }, index) => {
      if (value === undefined && this.#offset === 0 && end === byteOrderMarkLength(bytes))
        this.#byteOrderMark = { start, end }
      else if (value === undefined) this.#torn.push(this.#place(start, end))
      else {
        if (pieces[index - 1]?.value !== undefined) this.#seams.push(this.#place(start, end))
        if (isRecord(value)) this.#take(value, start, end)
      }
    })
  }

  #place = (start: number, end: number): NodeBytes & { line: number } => ({
    start: this.#offset + start,
    end: this.#offset + end,
    line: this.#line,
  })

  #take(record: Record<string, unknown>, start: number, end: number): void {
    const { type, uuid, parentUuid, timestamp, isSidechain } = record
    if (type === 'last-prompt') this.#note(record)
    if (typeof uuid !== 'string' || !linked.has(type as string)) return
    this.#lane ??= isSidechain === true
    if ((isSidechain === true) !== this.#lane) {
      this.#hasOthers = true
      return
    }
    if (!isAside(record)) this.#rewoundTo = undefined
    const columns = this.#columns
    const known = this.#nodes.get(uuid)
    const node = known ?? columns.uuids.length
    if (known !== undefined) {
      const spans = this.#older.get(known) ?? []
      spans.push(rangeOf(known, columns))
      this.#older.set(known, spans)
    }
    this.#nodes.set(uuid, node)
    columns.uuids[node] = uuid
    columns.parents[node] = this.#parentOf(node, parentUuid)
    columns.starts[node] = this.#offset + start
    columns.ends[node] = this.#offset + end
    columns.lines[node] = this.#line
    columns.kinds[node] = kindOf(record)
    columns.times[node] = Math.min(Date.parse(String(timestamp)) || 0, timeMax)
    columns.responses[node] = this.#responseOf(record)
    if (columns.kinds[node] === 'boundary') this.#boundary = record.compactMetadata
    if (type === 'assistant') for (const id of callIdsOf(record)) this.#calls.set(id, node)
  }

  /** Where the user went back to is noted as explicit. A note that names another record ends that. */
  #note({ leafUuid, explicit }: Record<string, unknown>): void {
    const isNamed = typeof leafUuid === 'string'
    if (explicit === true && (isNamed || leafUuid === null)) this.#rewoundTo = leafUuid
    else if (isNamed && leafUuid !== this.#rewoundTo) this.#rewoundTo = undefined
  }

  #parentOf(node: number, parentUuid: unknown): number {
    this.#waiting.delete(node)
    if (typeof parentUuid !== 'string') return root
    const parent = this.#nodes.get(parentUuid)
    if (parent === undefined) this.#waiting.set(node, parentUuid)
    return parent ?? lost
  }

  #responseOf({ type, message }: Record<string, unknown>): number {
    const id = type === 'assistant' && isRecord(message) ? message.id : undefined
    if (typeof id !== 'string') return -1
    const number = this.#responses.get(id) ?? this.#responses.size
    this.#responses.set(id, number)
    return number
  }
}

const mark = Buffer.from('"uuid"')
const rewindMark = Buffer.from('"explicit"')

/** A day before the last time that a date can have: records that a repair adds are later than all others. */
const timeMax = 8.64e15 - 86_400_000

/** A line that begins like a record but does not end like one. */
const isCut = (bytes: Buffer): boolean => bytes[0] === brace.open && bytes[bytes.length - 1] !== brace.close
const brace = { open: 0x7b, close: 0x7d }

const linked = new Set(['user', 'assistant', 'system', 'attachment', 'progress'])

/** Records that are written without the conversation being continued. */
const isAside = ({ type, subtype, attachment }: Record<string, unknown>): boolean =>
  type === 'progress' || subtype === 'file_snapshot' || (isRecord(attachment) && attachment.type === 'fork_briefing')

/** Whether a value is a record that links can lead to, not an object inside of one. */
export const isLinked = (value: unknown): boolean =>
  isRecord(value) && typeof value.uuid === 'string' && typeof value.timestamp === 'string'

function kindOf(record: Record<string, unknown>): NodeKind {
  const { type, subtype } = record
  if (type === 'assistant') return type
  if (type === 'user') return blocksOfRecord(record).some(block => block.type === 'tool_result') ? 'result' : type
  return type === 'system' && subtype === 'compact_boundary' ? 'boundary' : 'other'
}

/** The content blocks of a record; empty for a string. */
export function blocksOfRecord({ message }: Record<string, unknown>): Record<string, unknown>[] {
  const content = isRecord(message) ? message.content : undefined
  return Array.isArray(content) ? content.filter(isRecord) : []
}

const callIdsOf = (record: Record<string, unknown>): string[] =>
  blocksOfRecord(record).flatMap(({ type, id }) => (type === 'tool_use' && typeof id === 'string' ? [id] : []))
