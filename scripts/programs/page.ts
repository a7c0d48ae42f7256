import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MoveOutcome } from './moves.ts'
import { root } from './processes.ts'
import type { Program } from './programs.ts'
import type { Outcome } from './trial.ts'

/** The table of the outcomes, which is also written to the page if it is to last. */
export function writePage(outcomes: readonly Outcome[], seconds: number, lasts: boolean): string {
  const table = [
    '| program | version | requests accepted | through the proxy as sent | doctor beside a running tool | killed in a tool | faults |',
    '|---|---|---|---|---|---|---|',
    ...outcomes.map(row),
  ].join('\n')
  if (lasts) replaceBetween(begin, `the tool ran for ${seconds} seconds`, table)
  return table
}

/** A row for each program that sessions are moved from, a column for each that they are moved to. */
export function writeMoves(programs: readonly Program[], moved: readonly MoveOutcome[], lasts: boolean): string {
  const cell = (from: Program, to: Program): string => {
    const outcome = moved.find(one => one.from === from && one.to === to)
    return outcome ? (outcome.faults.length === 0 ? outcome.result : 'FAILED') : ''
  }
  const table = [
    `| from \\ to | ${programs.map(({ title, version }) => `${title} ${version}`).join(' | ')} |`,
    `|---|${programs.map(() => '---|').join('')}`,
    ...programs.map(from => `| ${from.title} | ${programs.map(to => cell(from, to)).join(' | ')} |`),
  ].join('\n')
  const good = moved.filter(({ faults }) => faults.length === 0).length
  if (lasts) replaceBetween(beginMoves, `${good} of ${moved.length} moves are complete`, table)
  return table
}

/** The newest results, in the place of those before. */
function replaceBetween(mark: string, title: string, table: string): void {
  const file = join(root, 'docs/programs.md')
  const text = `${mark}\n${new Date().toISOString().slice(0, 10)}, ${title}:\n\n${table}\n${end}`
  const page = readFileSync(file, 'utf8')
  const [from, to] = [page.indexOf(mark), page.indexOf(end, page.indexOf(mark))]
  writeFileSync(file, page.slice(0, from) + text + page.slice(to + end.length))
}

const begin = '<!-- begin: npm run programs -->'
const beginMoves = '<!-- begin: npm run programs -- --moves -->'
const end = '<!-- end -->'

function row({ program, requests, rejected, through, same, live, killed, faults }: Outcome): string {
  const changed = faults.some(fault => fault.includes('the doctor beside'))
  const cells = [
    ...[program.title, program.version, `${requests - rejected} of ${requests}`, `${same} of ${through}`],
    changed ? 'CHANGED' : `untouched (${live})`,
    ...[killed, String(faults.length)],
  ]
  return `| ${cells.join(' | ')} |`
}
