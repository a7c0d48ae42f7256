import { AntiphonError } from '../core/errors.ts'

/** An entry is missing or cannot be read: another program or a faulty disk has changed the tables. */
export class DamagedEntryError extends Error {
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
    throw new DamagedEntryError(seq, 'its data is not JSON')
  }
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data
  throw new DamagedEntryError(seq, 'its data is not a JSON object')
}

/** Sequence numbers have no gaps. */
export function assertNextSeq(seq: number, after: number): void {
  if (seq !== after + 1) throw new DamagedEntryError(after + 1, `it is missing; the next entry is ${seq}`)
}

/** Entries up to the head of the thread are missing. */
export const missingEntriesError = (after: number, head: number): DamagedEntryError =>
  new DamagedEntryError(after + 1, `it is missing, and so are all entries up to ${head}`)

/** Reads the rows before the first damaged one. Throws if the first row is damaged. */
export function readUntilDamage<Row, Read>(rows: Iterable<Row>, read: (row: Row) => Read): Read[] {
  const done: Read[] = []
  try {
    for (const row of rows) done.push(read(row))
  } catch (error) {
    if (done.length === 0 || !(error instanceof DamagedEntryError)) throw error
  }
  return done
}

export const journalDamagedError = (thread: string, { seq, message }: DamagedEntryError): AntiphonError =>
  new AntiphonError('journal-damaged', `thread ${thread}, entry ${seq}: ${message}`, {
    hint: 'Restore the journal from a backup. Its other threads can be read.',
    thread,
    seq,
  })
