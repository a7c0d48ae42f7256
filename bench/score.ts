import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { codecs } from '../src/codecs/index.ts'
import { peers } from './peers.ts'
import { ensurePeers, wantedPeers } from './prepare.ts'
import { TaskRunner } from './run-task.ts'
import { findFailures } from './score/failures.ts'
import { report } from './score/report.ts'
import type { CodecScore } from './tasks/score/codec.ts'
import type { PeerScore } from './tasks/score/peer.ts'

const { values: asked } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const say = (line: string) => process.stderr.write(`${line}\n`)

const absence = await ensurePeers(say)
if (absence !== undefined) throw new Error(`there is nobody to compare with: ${absence}`)
const runner = new TaskRunner(say, asked.quick)
const control = await runner.measure<PeerScore>('score/peer', 'score/nobody.ts')
if (!control) process.exit(1)
const scores = {
  control,
  peers: await runner.measureAll<PeerScore>(
    'score/peer',
    peers.map(name => `peers/${name}.ts`),
  ),
  codecs: await runner.measureAll<CodecScore>('score/codec', Object.keys(codecs)),
  versions: wantedPeers(),
}
const text = `${report(scores)}\n`
console.log(text)
if (!asked.quick) writeFileSync(new URL('SCORE.md', import.meta.url), text)
for (const line of findFailures(scores)) {
  say(line)
  process.exitCode = 1
}
