import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureBuilt, ensurePeers, wantedPeers } from './prepare.ts'
import { reportComparisons, reportHeal, reportPush, reportScale } from './report.ts'
import type { Answer } from './task.ts'
import type { Comparison } from './tasks/compare.ts'
import type { HealRow } from './tasks/heal.ts'
import type { PushRow } from './tasks/push.ts'
import type { ScaleRow } from './tasks/scale.ts'

const { values: asked } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: 'heal,scale,push,peers' },
  },
})
const parts = new Set(asked.only.split(','))
const lengths = [1_000, 10_000, 100_000, 1_000_000]
const peers = ['ai', 'deepagents', 'mastra-message-list', 'mastra-pair', 'openai-agents']

const say = (line: string) => process.stderr.write(`${line}\n`)
const show = (text: string) => asked.json || console.log(text)

await ensureBuilt(say)
const machine = { node: process.versions.node, platform: process.platform, cores: availableParallelism() }
show('Every figure is a ratio of best times in this run: lower is better.')

const heal = parts.has('heal') ? await measure<HealRow[]>('heal') : undefined
if (heal) show(reportHeal(heal))

const scale = parts.has('scale') ? await measureAll<ScaleRow>('scale', lengths.map(String)) : []
if (scale.length > 0) show(reportScale(scale))

const push = parts.has('push') ? await measure<PushRow[]>('push') : undefined
if (push) show(reportPush(push))

const comparisons = parts.has('peers') ? await measureAll<Comparison>('compare', await subjects()) : []
if (comparisons.length > 0) show(reportComparisons(comparisons, comparisons.length > 1 ? wantedPeers() : {}))

if (asked.json) {
  console.log(JSON.stringify({ machine, peers: wantedPeers(), heal, scale, push, comparisons }, null, 2))
}

async function subjects(): Promise<string[]> {
  const absence = await ensurePeers(say)
  if (absence === undefined) return ['antiphon.ts', ...peers.map(name => `peers/${name}.ts`)]
  say(`going on without peers: ${absence}`)
  return ['antiphon.ts']
}

async function measureAll<Outcome>(task: string, each: string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const argument of each) {
    const outcome = await measure<Outcome>(task, argument)
    if (outcome !== undefined) outcomes.push(outcome)
  }
  return outcomes
}

/** Runs a task in a process of its own. One that fails costs its own figures and the exit code, not the others' figures. */
async function measure<Outcome>(task: string, argument = ''): Promise<Outcome | undefined> {
  const name = `${task} ${argument}`.trimEnd()
  say(`measuring ${name}`)
  const child = fork(fileURLToPath(new URL('task.ts', import.meta.url)), [task, argument], {
    execArgv: ['--max-old-space-size=6144'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { ...process.env, MASTRA_TELEMETRY_DISABLED: '1', OPENAI_AGENTS_DISABLE_TRACING: '1' },
  })
  const answer = await new Promise<Answer<Outcome>>(resolve => {
    child.on('message', message => resolve(message as Answer<Outcome>))
    child.on('close', code => resolve({ error: `its process ended with code ${code}` }))
  })
  if ('outcome' in answer) return answer.outcome
  say(`${name} failed: ${answer.error}`)
  process.exitCode = 1
  return undefined
}
