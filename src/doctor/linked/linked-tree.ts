import { isRecord } from '../../core/conversation.ts'
import { rawLines } from '../files/raw-lines.ts'
import { byteOrderMarkLength } from '../files/source.ts'
import type { RecordFields } from '../record-format.ts'
import { titleFrom } from '../titles/title-text.ts'
import { recordsInLine } from './records-in-line.ts'
import { type WholeLine, withSplitRecords } from './split-records.ts'

/** Parents of records without one, and of records whose parent is not in the file. */
export const root = -1
export const lost = -2

/** A range of bytes in a line of a file; the end is exclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
  readonly line: number
}

/** How the records of a program name themselves and their parents. Those of a plain list do neither. */
export interface LinkKeys {
  readonly id?: string
  readonly parent?: string
  /** Whether a value is a record of the tree. */
  isLinked(value: RecordFields): boolean
  /** Whether the history begins with a record if its parent is missing: what is before it was taken back. */
  mayBegin?(value: RecordFields): boolean
  /** The ids of other records that a record names. */
  names?(value: RecordFields): readonly unknown[]
  /** The title of the session, where a record has it: the last one counts. */
  title?(value: RecordFields): unknown
  /** The program does not open a file with a line that it cannot read. By default it skips such a line. */
  readonly refusesBadLines?: true
}

/**
 * The linked records of a file of lines, as columns: only links and positions are held. A node is its index, in file
 * order. Of several lines with one id the last one counts.
 */
export interface LinkedTree {
  readonly ids: readonly string[]
  /** Its parent node, `root` or `lost`. */
  readonly parents: number[]
  readonly starts: readonly number[]
  readonly ends: readonly number[]
  readonly lines: readonly number[]
  /** Earlier lines with the id of a node. */
  readonly older: ReadonlyMap<number, readonly ByteRange[]>
  /** Ids that records name, besides their parents. */
  readonly named: ReadonlySet<unknown>
  /** What is left of records whose write was cut off. */
  readonly torn: readonly ByteRange[]
  /** A byte order mark at the beginning of the file. */
  readonly mark: ByteRange | undefined
  /** Where two records share a line. */
  readonly seams: readonly ByteRange[]
  /** Records that raw line breaks have split into several lines. */
  readonly split: readonly ByteRange[]
  /** Lines that are not JSON and from which no record can be recovered. They stay. */
  readonly unreadable: readonly number[]
  readonly lineBreak: string
  readonly title: string | undefined
}

/** Reads the links of a file. */
export function readLinkedTree(path: string, keys: LinkKeys): LinkedTree {
  const builder = new TreeBuilder(keys)
  const lines = rawLines(path)
  if (!keys.refusesBadLines) for (const line of lines) builder.push({ ...line, count: 1 })
  else for (const line of withSplitRecords(lines, value => builder.isNode(value))) builder.push(line)
  return builder.end()
}

interface Node extends ByteRange {
  readonly id: string
  readonly parent: unknown
  readonly mayBegin: boolean
}

class TreeBuilder {
  readonly #keys: LinkKeys
  readonly #nodes = new Map<string, Node>()
  readonly #older = new Map<string, ByteRange[]>()
  readonly #named = new Set<unknown>()
  readonly #torn: ByteRange[] = []
  readonly #seams: ByteRange[] = []
  readonly #split: ByteRange[] = []
  readonly #unreadable: number[] = []
  #mark: ByteRange | undefined
  #offset = 0
  #line = 0
  #lineBreak = ''
  #title: string | undefined

  constructor(keys: LinkKeys) {
    this.#keys = keys
  }

  push({ bytes, ending, joined, count }: WholeLine): void {
    if (joined) this.#readSplit(joined, bytes.length)
    else if (bytes.some(byte => byte !== 0 && byte !== 0x20 && byte !== 0x09)) this.#read(bytes, ending === '')
    else if (bytes.includes(0)) this.#torn.push(this.#place(0, bytes.length))
    if (ending !== '') this.#lineBreak ||= ending
    this.#offset += bytes.length + ending.length
    this.#line += count
  }

  end(): LinkedTree {
    const nodes = [...this.#nodes.values()]
    const index = new Map(nodes.map(({ id }, node) => [id, node]))
    const older = [...this.#older].map(([id, ranges]): [number, ByteRange[]] => [index.get(id) as number, ranges])
    return {
      ids: nodes.map(({ id }) => id),
      parents: nodes.map(({ parent, mayBegin }) =>
        typeof parent === 'string' ? (index.get(parent) ?? (mayBegin ? root : lost)) : root,
      ),
      starts: nodes.map(({ start }) => start),
      ends: nodes.map(({ end }) => end),
      lines: nodes.map(({ line }) => line),
      older: new Map(older),
      named: this.#named,
      torn: this.#torn,
      mark: this.#mark,
      seams: this.#seams,
      split: this.#split,
      unreadable: this.#unreadable,
      lineBreak: this.#lineBreak || '\n',
      title: this.#title,
    }
  }

  #readSplit(record: RecordFields, length: number): void {
    const place = this.#place(0, length)
    this.#split.push(place)
    this.#take(record, place)
  }

  #read(bytes: Buffer, isTail: boolean): void {
    const markLength = this.#offset === 0 ? byteOrderMarkLength(bytes) : 0
    if (markLength > 0) this.#mark = this.#place(0, markLength)
    const pieces = recordsInLine(bytes.subarray(markLength), value => isRecord(value) && this.isNode(value))
    if (pieces.length === 0 && (isTail || this.#keys.refusesBadLines))
      this.#torn.push(this.#place(markLength, bytes.length))
    else if (pieces.length === 0) this.#unreadable.push(this.#line)
    pieces.forEach(({ start, end, value }, index) => {
      const place = this.#place(markLength + start, markLength + end)
      if (value === undefined) this.#torn.push(place)
      else {
        if (pieces[index - 1]?.value !== undefined) this.#seams.push(place)
        if (isRecord(value)) this.#title = titleFrom(this.#keys.title?.(value)) ?? this.#title
        if (isRecord(value) && this.isNode(value)) this.#take(value, place)
      }
    })
  }

  isNode(value: RecordFields): boolean {
    const { id } = this.#keys
    return (id === undefined || typeof value[id] === 'string') && this.#keys.isLinked(value)
  }

  #place = (start: number, end: number): ByteRange => ({
    start: this.#offset + start,
    end: this.#offset + end,
    line: this.#line,
  })

  #take(record: RecordFields, place: ByteRange): void {
    const { id: idKey, parent: parentKey } = this.#keys
    const id = idKey === undefined ? `#${place.start}` : (record[idKey] as string)
    for (const name of this.#keys.names?.(record) ?? []) this.#named.add(name)
    const known = this.#nodes.get(id)
    if (known) {
      const { start, end, line } = known
      const ranges = this.#older.get(id) ?? []
      ranges.push({ start, end, line })
      this.#older.set(id, ranges)
      this.#nodes.delete(id)
    }
    const parent = parentKey === undefined ? null : record[parentKey]
    this.#nodes.set(id, { id, parent, mayBegin: this.#keys.mayBegin?.(record) === true, ...place })
  }
}
