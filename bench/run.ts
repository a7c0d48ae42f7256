import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { measureDoctor } from './doctor/measure.ts'
import { measureJournal } from './journal/measure.ts'
import { ensureBuilt, ensurePeers, wantedPeers } from './prepare.ts'
import { measureProxy } from './proxy/measure.ts'
import { reportComparisons, reportHeal, reportPush, reportScale } from './report.ts'
import { TaskRunner } from './run-task.ts'
import type { Comparison } from './tasks/compare.ts'
import type { HealRow } from './tasks/heal.ts'
import type { PushRow } from './tasks/push.ts'
import type { ScaleRow } from './tasks/scale.ts'

const { values: asked } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: 'heal,scale,push,peers,journal,proxy,doctor' },
    quick: { type: 'boolean', default: false },
  },
})
const parts = new Set(asked.only.split(','))
const lengths = [1_000, 10_000, 100_000, ...(asked.quick ? [] : [1_000_000])]
const peers = ['ai', 'deepagents', 'mastra-message-list', 'mastra-pair', 'openai-agents']

const say = (line: string) => process.stderr.write(`${line}\n`)
const show = (text: string) => asked.json || console.log(text)

await ensureBuilt(say)
const runner = new TaskRunner(say, asked.quick)
const machine = { node: process.versions.node, platform: process.platform, cores: availableParallelism() }
show('Every figure is a ratio of best times in this run: lower is better, where nothing else is said.')

const heal = parts.has('heal') ? await runner.measure<HealRow[]>('heal') : undefined
if (heal) show(reportHeal(heal))

const scale = parts.has('scale') ? await runner.measureAll<ScaleRow>('scale', lengths.map(String)) : []
if (scale.length > 0) show(reportScale(scale))

const push = parts.has('push') ? await runner.measure<PushRow[]>('push') : undefined
if (push) show(reportPush(push))

const comparisons = parts.has('peers') ? await runner.measureAll<Comparison>('compare', await subjects()) : []
if (comparisons.length > 0) show(reportComparisons(comparisons, comparisons.length > 1 ? wantedPeers() : {}))

const journal = parts.has('journal') ? await measureJournal(runner, await hasPeers(), show) : undefined

const proxy = parts.has('proxy') ? await measureProxy(runner, show) : undefined

const doctor = parts.has('doctor') ? await measureDoctor(runner, show) : undefined

if (asked.json) {
  console.log(
    JSON.stringify({ machine, peers: wantedPeers(), heal, scale, push, comparisons, journal, proxy, doctor }, null, 2),
  )
}

async function subjects(): Promise<string[]> {
  return ['antiphon.ts', ...((await hasPeers()) ? peers.map(name => `peers/${name}.ts`) : [])]
}

async function hasPeers(): Promise<boolean> {
  const absence = await ensurePeers(say)
  if (absence !== undefined) say(`going on without peers: ${absence}`)
  return absence === undefined
}
