import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from '../../../src/apps/cli/commands.ts'
import { InputProgress } from '../../../src/apps/cli/input/progress.ts'
import { root } from '../../repository.ts'
import { unanswered } from './histories.ts'
import { antiphon, folder, lines } from './program.ts'

const shown = (isTTY: boolean) => {
  const written: string[] = []
  let now = 0
  const stream = { isTTY, columns: 60, write: (text: string) => written.push(text) }
  const progress = new InputProgress('big.jsonl', stream, () => now)
  const wait = (ms: number): void => {
    now += ms
  }
  return { written, progress, wait }
}
const megabytes = (count: number): number => count * 2 ** 20

test('[C116] work of less than two seconds shows no progress', () => {
  const { written, progress, wait } = shown(true)
  progress.read(megabytes(1), megabytes(300))
  wait(1_900)
  progress.read(megabytes(200), megabytes(300))
  progress.begin('parsing', megabytes(10))
  progress.clear()
  expect(written).toEqual([])
})

test('[C116] on a terminal one line is overwritten, and cleared before anything else', () => {
  const { written, progress, wait } = shown(true)
  wait(2_000)
  progress.read(megabytes(120), megabytes(300))
  progress.read(megabytes(121), megabytes(300))
  wait(100)
  progress.read(megabytes(122), undefined)
  progress.clear()
  progress.clear()
  expect(written).toEqual([
    '\r\u001b[Kantiphon: big.jsonl: 120 of 300 MB',
    '\r\u001b[Kantiphon: big.jsonl: 122 MB',
    '\r\u001b[K',
  ])
})

test('[C116] elsewhere there is an occasional line, and one before long work', () => {
  const { written, progress, wait } = shown(false)
  progress.begin('parsing', megabytes(300))
  wait(10_000)
  progress.read(megabytes(120), megabytes(300))
  wait(9_000)
  progress.read(megabytes(200), megabytes(300))
  progress.clear()
  expect(written).toEqual(['antiphon: big.jsonl: parsing 300 MB ...\n', 'antiphon: big.jsonl: 120 of 300 MB ...\n'])
})

test('[C193] each phase of long work is said once, as soon as all has taken two seconds', () => {
  const { written, progress, wait } = shown(true)
  for (const work of ['parsing', 'healing', 'healing', 'writing', 'writing']) {
    progress.begin(work, megabytes(12))
    wait(1_500)
  }
  progress.begin('checking', megabytes(1))
  expect(written).toEqual(['healing', 'writing'].map(work => `antiphon: big.jsonl: ${work} 12 MB ...\n`))
})

test('[C193] a large file is parsed, healed and written, and each is said', async () => {
  const history = [...unanswered, { role: 'user', content: 'x'.repeat(megabytes(65)) }]
  const cwd = folder({ 'large.json': JSON.stringify(history) })
  const { code, stderr } = await antiphon(['heal', '--write', 'large.json'], { cwd })
  const said = lines(stderr).filter(line => line.endsWith('...'))
  expect(said).toEqual(['parsing', 'healing', 'writing'].map(work => `antiphon: large.json: ${work} 65 MB ...`))
  expect(code).toBe(0)
})

test('[C117] the package has a man page with every command', () => {
  const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const page = readFileSync(join(root, man), 'utf8')
  for (const name of Object.keys(commands)) expect(page).toContain(`.SS "antiphon ${name}`)
  expect(page).toContain('\\fB\\-\\-because <error>\\fR')
})
