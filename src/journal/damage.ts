import { AntiphonError } from '../core/errors.ts'

/** An entry that is not there, or cannot be read: somebody else has changed the tables, or a disk has. */
export class Damage extends Error {
  readonly seq: number

  constructor(seq: number, what: string) {
    super(what)
    this.seq = seq
  }
}

/** The data of an entry. */
export function parseData(text: unknown, seq: number): object {
  let data: unknown
  try {
    data = JSON.parse(String(text))
  } catch {
    throw new Damage(seq, 'its data is not JSON')
  }
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data
  throw new Damage(seq, 'its data is not a JSON object')
}

/** Sequence numbers have no gaps. */
export function mustFollow(seq: number, after: number): void {
  if (seq !== after + 1) throw new Damage(after + 1, `it is missing, the next one is ${seq}`)
}

/** The journal ends before its head. */
export const missingEnd = (after: number, head: number): Damage =>
  new Damage(after + 1, `it is missing, and so are all up to ${head}`)

/** What is before the damage can be read; whoever asks for more is told. */
export function readUpTo<Row, Read>(rows: Iterable<Row>, read: (row: Row) => Read): Read[] {
  const done: Read[] = []
  try {
    for (const row of rows) done.push(read(row))
  } catch (error) {
    if (done.length === 0 || !(error instanceof Damage)) throw error
  }
  return done
}

export const damaged = (thread: string, { seq, message }: Damage): AntiphonError =>
  new AntiphonError('journal-damaged', `thread ${thread}, entry ${seq}: ${message}`, {
    hint: 'Restore the journal from a backup. Its other threads can be read.',
    thread,
    seq,
  })
