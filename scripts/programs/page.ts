import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './processes.ts'
import type { Outcome } from './trial.ts'

/** The table of the outcomes, which is also written to the page if it is to last. */
export function writePage(outcomes: readonly Outcome[], seconds: number, lasts: boolean): string {
  const table = [
    '| program | version | requests accepted | through the proxy as sent | doctor beside a running tool | killed in a tool | faults |',
    '|---|---|---|---|---|---|---|',
    ...outcomes.map(row),
  ].join('\n')
  if (lasts) {
    const file = join(root, 'docs/programs.md')
    const text = `${begin}\n${new Date().toISOString().slice(0, 10)}, the tool ran for ${seconds} seconds:\n\n${table}\n${end}`
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(new RegExp(`${begin}[^]*${end}`), () => text),
    )
  }
  return table
}

const begin = '<!-- begin: npm run programs -->'
const end = '<!-- end -->'

function row({ program, requests, through, same, live, killed, faults }: Outcome): string {
  const rejected = faults.filter(fault => fault.startsWith('strict: ')).length
  const changed = faults.some(fault => fault.includes('the doctor beside'))
  const cells = [
    ...[program.title, program.version, `${requests - rejected} of ${requests}`, `${same} of ${through}`],
    changed ? 'CHANGED' : `untouched (${live})`,
    ...[killed, String(faults.length)],
  ]
  return `| ${cells.join(' | ')} |`
}
