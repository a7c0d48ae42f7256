import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { openJournal } from 'antiphon/journal'

const needed = new RegExp(`needs Node 22.18 or newer, this is ${process.versions.node}`)
await assert.rejects(openJournal('sqlite:chat.db'), { code: 'old-node', message: needed })
const journal = await openJournal('memory:')
await journal.thread('t').submit('Hello')
assert.equal((await journal.thread('t').entries()).length, 1)
await journal.close()
const { status, stderr } = spawnSync(process.execPath, ['node_modules/antiphon/dist/cli.js', 'doctor'], {
  encoding: 'utf8',
})
assert.equal(status, 2)
assert.match(stderr, needed)
assert.equal(stderr.trim().split('\n').length <= 2, true, stderr)
