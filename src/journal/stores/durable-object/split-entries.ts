import type { SqlDatabase, SqlRow } from '../sqlite/sql-database.ts'
import type { StoreStatements } from '../sqlite/statements.ts'

/**
 * A Durable Object stores values of up to 2 MB, and an entry may be larger, such as a message with an image. The text of a larger entry is
 * stored in parts, next to an entry without text. No other entry has none.
 */
export function withSplitEntries(statements: StoreStatements, database: SqlDatabase): StoreStatements {
  const { addEntry, entriesAfter, eraseEntries } = statements
  const addPart = database.prepare('INSERT INTO antiphon_entry_part (thread, seq, part, data) VALUES (?, ?, ?, ?)')
  const parts = database.prepare('SELECT data FROM antiphon_entry_part WHERE thread = ? AND seq = ? ORDER BY part')
  const eraseParts = database.prepare('DELETE FROM antiphon_entry_part WHERE thread = ? AND seq > ?')

  function* joined(rows: Iterable<SqlRow>, thread: unknown): Iterable<SqlRow> {
    for (const row of rows)
      if (row.data !== '') yield row
      else {
        const texts = parts.all(Number(thread), Number(row.seq)).map(({ data }) => data)
        yield { ...row, data: texts.join('') }
      }
  }

  return {
    ...statements,
    addEntry: {
      ...addEntry,
      run(...values) {
        const [thread, seq, epoch, at, version, kind, data] = values
        if (typeof data !== 'string' || data.length <= partMax) return addEntry.run(...values)
        for (const [part, text] of textParts(data).entries()) addPart.run(thread ?? null, seq ?? null, part, text)
        return addEntry.run(thread ?? null, seq ?? null, epoch ?? null, at ?? null, version ?? null, kind ?? null, '')
      },
    },
    entriesAfter: {
      ...entriesAfter,
      iterate: (...values) => joined(entriesAfter.iterate(...values), values[0]),
    },
    eraseEntries: {
      ...eraseEntries,
      run(...values) {
        eraseParts.run(...values)
        return eraseEntries.run(...values)
      },
    },
  }
}

/** The parts of a text. None ends in the middle of a character, since each is written as UTF-8. */
function textParts(text: string): string[] {
  const parts: string[] = []
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + partMax, text.length)
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to--
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

/** In UTF-16 code units, each of which takes at most three bytes. The limit of 2 MB is for the whole row. */
const partMax = 600_000
