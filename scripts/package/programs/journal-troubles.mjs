import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { openJournal } from 'antiphon/journal'

const [file] = process.argv.slice(2)

await mustFail('journal-unreachable', `${file}-folder/that/is/not/there.db`)
writeFileSync(
  `${file}.txt`,
  'These words are longer than the header of a database, and they are no journal at all. '.repeat(9),
)
await mustFail('journal-damaged', `${file}.txt`)

// Somebody else has the lock: whoever opens it waits, and in the end says so.
const other = new DatabaseSync(file)
other.exec('PRAGMA journal_mode = WAL; BEGIN IMMEDIATE')
await mustFail('journal-busy', file)
const waiting = openJournal(`sqlite:${file}`, { busyMs: 60_000 })
setTimeout(() => other.exec('COMMIT'), 50)
await (await waiting).close()
other.close()

async function mustFail(code, file) {
  const error = await openJournal(`sqlite:${file}`, { busyMs: 20 }).then(
    () => assert.fail(`it opens ${file}`),
    error => error,
  )
  assert.equal(error.code, code, String(error))
  assert.ok(error.hint)
}
