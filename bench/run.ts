import { parseArgs } from 'node:util'
import { parts } from './parts.ts'
import { ensureBuilt, ensurePeers, wantedPeers } from './prepare.ts'
import { keepResult, thisMachine } from './results.ts'
import { TaskRunner } from './run-task.ts'
import { figure } from './table.ts'
import { judge } from './targets.ts'

const { values: asked } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(parts).join() },
    quick: { type: 'boolean', default: false },
  },
})
const wanted = asked.only.split(',')
const unknown = wanted.filter(name => !(name in parts))
if (unknown.length > 0)
  throw new Error(`there is no part ${unknown.join()}: there are ${Object.keys(parts).join(', ')}`)

const say = (line: string) => process.stderr.write(`${line}\n`)
await ensureBuilt(say)
const runner = new TaskRunner(say, asked.quick)
const show = (text: string) => asked.json || console.log(text)
show('Every figure is a ratio of best times in this run: lower is better, where nothing else is said.')

const all: Record<string, unknown> = { machine: thisMachine(), peers: wantedPeers() }
for (const [name, measure] of Object.entries(parts)) {
  if (!wanted.includes(name)) continue
  const shown: string[] = []
  const measured = await measure({
    runner,
    quick: asked.quick,
    versions: wantedPeers(),
    hasPeers,
    show(text) {
      shown.push(text)
      show(text)
    },
  })
  if (!measured) continue
  const { data, text = shown.join('\n'), versions = {}, targets, bars, title } = measured
  all[name] = data
  const date = new Date().toISOString().slice(0, 10)
  const result = { date, machine: thisMachine(), quick: asked.quick, versions, text, targets, bars, title }
  keepResult(name, result, Object.keys(parts))
  for (const target of targets) {
    const { what, ratio, bound, limit, accepted } = target
    const verdict = judge(target)
    if (verdict === 'met' || verdict === 'too noisy') continue
    const by = verdict === 'accepted' ? `; decision ${accepted?.decision} accepts ${accepted?.limit}` : ''
    say(`${verdict}: ${what}: ${figure(ratio)}, asked for ${bound} ${limit}${by}`)
    if (verdict === 'missed') process.exitCode = 1
  }
}
if (asked.json) console.log(JSON.stringify(all, null, 2))

async function hasPeers(): Promise<boolean> {
  const absence = await ensurePeers(say)
  if (absence !== undefined) say(`going on without peers: ${absence}`)
  return absence === undefined
}
