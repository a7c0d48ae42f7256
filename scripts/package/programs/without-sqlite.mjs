import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { openJournal } from 'antiphon/journal'

const [, , file] = process.argv
const needed = new RegExp(`needs Node 22.18 or newer, this is ${process.versions.node}`)
await assert.rejects(openJournal(`sqlite:${file}`), { code: 'old-node', message: needed })
const journal = await openJournal('memory:')
await journal.thread('t').submit('Hello')
assert.equal((await journal.thread('t').status()).state, 'waiting')
await journal.close()
const antiphon = (...words) =>
  spawnSync(process.execPath, ['node_modules/antiphon/dist/cli.js', ...words], { encoding: 'utf8' })
assert.match(antiphon('--help').stdout, /check.*doctor/s)
for (const command of ['view', 'threads']) {
  const { status, stderr } = antiphon(command, file)
  assert.equal(status, 2)
  assert.match(stderr, needed)
  assert.equal(stderr.trim().split('\n').length <= 2, true, stderr)
}
