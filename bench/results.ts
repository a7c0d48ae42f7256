import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { stripVTControlCharacters } from 'node:util'
import { type Bar, plot } from './plot.ts'
import { figure } from './table.ts'
import { judge, type Target } from './targets.ts'

/** What one part came to: its tables as text, what is asked of it, and what is drawn. */
export interface PartResult {
  date: string
  machine: string
  quick: boolean
  versions: Record<string, string>
  text: string
  targets: Target[]
  bars: Bar[]
  title: string
}

export type Results = Record<string, PartResult>

const file = new URL('results.json', import.meta.url)
const page = new URL('RESULTS.md', import.meta.url)
const plots = new URL('plots/', import.meta.url)

export const thisMachine = (): string =>
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores${model()}`

const model = (): string => {
  const [cpu] = cpus()
  return cpu && cpu.model !== 'unknown' && cpu.model !== '' ? ` (${cpu.model.trim()})` : ''
}

export const readResults = (): Results => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {})

/** Keeps what other runs measured: each part says when and where it was. */
export function keepResult(name: string, result: PartResult, order: readonly string[]): void {
  const results = { ...readResults(), [name]: result }
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
  mkdirSync(plots, { recursive: true })
  if (result.bars.length > 0) writeFileSync(new URL(`${name}.svg`, plots), plot(result.title, result.bars))
  writeFileSync(page, write(results, order))
}

function write(results: Results, order: readonly string[]): string {
  const parts = order.flatMap(name => (results[name] ? [{ name, ...results[name] }] : []))
  return `${[
    '# Results',
    'Made by `npm run bench`. Every figure is a ratio measured in one run, or a count; how each is measured says [README.md](README.md).',
    '## What is asked',
    targetTable(parts.flatMap(({ targets }) => targets)),
    ...parts.flatMap(({ name, title, date, machine, quick, versions, text, bars }) => [
      `## ${name}`,
      [`${date}, ${machine}`, ...(quick ? ['a quick run'] : []), ...named(versions)].join('; '),
      ...(bars.length > 0 ? [`![${title}](plots/${name}.svg)`] : []),
      `\`\`\`text\n${plain(text)}\n\`\`\``,
    ]),
  ].join('\n\n')}\n`
}

const named = (versions: Record<string, string>): string[] => {
  const all = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return all.length > 0 ? [all.join(', ')] : []
}

function targetTable(targets: readonly Target[]): string {
  const verdict = (target: Target) => {
    const said = judge(target)
    if (said === 'accepted')
      return `accepted up to ${target.accepted?.limit}, by [${target.accepted?.decision}](../docs/decisions)`
    return said === 'missed' ? '**missed**' : said
  }
  return [
    '| what | figure | asked | |',
    '| --- | ---: | ---: | --- |',
    ...targets.map(target => {
      const { what, ratio, bound, limit } = target
      return `| ${what} | ${figure(ratio)} | ${bound} ${limit} | ${verdict(target)} |`
    }),
  ].join('\n')
}

/** Without colours, and without times: they say something of the machine only. */
const plain = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/ \([^()]*\d ms [^()]*\)/g, '')
    .trim()
