import { type Arguments, help, readArguments, UsageError } from './arguments.ts'
import { compare } from './compare/compare.ts'
import { parts } from './parts.ts'
import { buildPackage, ensurePeers, wantedPeers } from './prepare.ts'
import { measureQuietly } from './quietly.ts'
import { keepResult, thisMachine } from './results.ts'
import { TaskRunner } from './run-task.ts'
import { figure } from './table.ts'
import { judge, type Target } from './targets.ts'

const say = (line: string) => process.stderr.write(`${line}\n`)

try {
  const asked = readArguments(process.argv.slice(2), Object.keys(parts))
  if (!asked) console.log(help(Object.keys(parts)))
  else if (asked.compare !== undefined) await compare(asked.compare, asked, say)
  else await measure(asked)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  say(`bench: ${error.message}`)
  process.exitCode = 2
}

async function measure({ json, quick, parts: wanted }: Arguments): Promise<void> {
  await buildPackage(say)
  const runner = new TaskRunner(say, quick)
  const show = (text: string) => json || console.log(text)
  show('Every figure is a ratio of best times in this run: lower is better, where nothing else is said.')
  const all: Record<string, unknown> = { machine: thisMachine(), peers: wantedPeers() }
  for (const name of wanted) {
    const measureOnce = async () => {
      const shown: string[] = []
      const surroundings = {
        ...{ runner, quick, versions: wantedPeers(), hasPeers },
        show(text: string) {
          shown.push(text)
          show(text)
        },
      }
      const measured = await parts[name](surroundings)
      return measured && { text: shown.join('\n'), ...measured }
    }
    const measured = await measureQuietly(name, measureOnce, say)
    if (!measured) continue
    const { data, text, versions = {}, targets, bars, title } = measured
    all[name] = data
    const date = new Date().toISOString().slice(0, 10)
    const result = { date, machine: thisMachine(), quick, versions, text, targets, bars, title }
    keepResult(name, result, Object.keys(parts))
    for (const target of targets) report(target)
  }
  if (json) console.log(JSON.stringify(all, null, 2))
}

/** Says what is asked and not met. */
function report(target: Target): void {
  const { what, ratio, bound, limit, accepted } = target
  const verdict = judge(target)
  if (verdict === 'met' || verdict === 'too noisy') return
  const by = verdict === 'accepted' ? `; decision ${accepted?.decision} accepts ${accepted?.limit}` : ''
  say(`${verdict}: ${what}: ${figure(ratio)}, asked for ${bound} ${limit}${by}`)
  if (verdict === 'missed') process.exitCode = 1
}

async function hasPeers(): Promise<boolean> {
  const absence = await ensurePeers(say)
  if (absence !== undefined) say(`going on without peers: ${absence}`)
  return absence === undefined
}
