import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { entry } from '../antiphon.ts'
import { NoiseControl } from '../measure.ts'
import type { Choice } from '../task.ts'

export interface StartRow {
  what: string
  /** The time from the start of the process to its end, as a multiple of that of a Node that does nothing. */
  ratio: number
  limit: number
  /** How much some start differs from itself. */
  noise: number
}

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const history = fileURLToPath(new URL('../../examples/interrupted.json', import.meta.url))

const starts = [
  { what: "import 'antiphon'", words: ['-e', `import('${entry.href}')`], limit: 1.5 },
  { what: 'antiphon --version', words: [program, '--version'], limit: 2 },
  { what: 'antiphon check, a short history', words: [program, 'check', history], limit: 4 },
]

/** Starts each in turns with a Node that does nothing. */
export function run(_: unknown, { quick }: Choice): StartRow[] {
  const best = [Number.POSITIVE_INFINITY, ...starts.map(() => Number.POSITIVE_INFINITY)]
  const controls = best.map(() => new NoiseControl())
  for (let round = 0; round < (quick ? 5 : 30); round++)
    for (const [index, words] of [['-e', '0'], ...starts.map(({ words }) => words)].entries()) {
      const start = performance.now()
      spawnSync(process.execPath, words, { stdio: 'ignore' })
      const time = performance.now() - start
      best[index] = Math.min(best[index], time)
      controls[index].add(round, time)
    }
  const [nothing, ...rest] = best
  const noise = Math.max(...controls.map(control => control.noise))
  return starts.map(({ what, limit }, index) => ({ what, limit, ratio: rest[index] / nothing, noise }))
}
