import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { providers, startStrict } from '../../src/strict/index.ts'
import { read, root } from '../repository.ts'

const page = read('docs/strict.md') ?? ''
const blocks = [...page.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, language, code]) => ({ language, code }))
const run = promisify(execFile)

const folder = mkdtempSync(join(tmpdir(), 'antiphon-strict-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the tests on the page pass', async () => {
  const tests = blocks.filter(({ language }) => language === 'ts')
  expect(tests.length).toBeGreaterThan(1)
  const door = pathToFileURL(join(root, 'src/strict/index.ts')).href
  for (const [index, { code }] of tests.entries())
    writeFileSync(join(folder, `page-${index}.test.ts`), code.replace("'antiphon/strict'", `'${door}'`))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'vitest.config.ts'), "export default { test: { include: ['*.test.ts'] } }\n")
  const { VITEST: _vitest, ...env } = process.env
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const report = join(folder, 'report.json')
  await run(process.execPath, [vitest, 'run', '--root', folder, '--reporter=json', `--outputFile=${report}`], { env })
  const { numTotalTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'))
  expect([numTotalTests, numPassedTests]).toEqual([tests.length, tests.length])
})

test.each([
  ['curl', 'sh', /^curl /],
  ['python3', 'python', /^import /],
])('%s hears what the page says', async (program, language, beginning) => {
  const index = blocks.findIndex(block => block.language === language && beginning.test(block.code))
  const here = spawnSync(program, ['--version'])
  // A machine without the program can hear nothing.
  if (here.error) return expect(here.error).toMatchObject({ code: 'ENOENT' })
  await using strict = await startStrict()
  const code = blocks[index].code.replaceAll('http://127.0.0.1:4010', strict.url)
  const { stdout } = await run(
    ...(language === 'sh' ? (['sh', ['-c', code]] as const) : ([program, ['-c', code]] as const)),
  )
  expect(stdout.trim()).toBe(blocks[index + 1].code.trim())
})

test('the page names every provider, and the package has what it imports', async () => {
  for (const { id } of providers) expect(page).toMatch(new RegExp(`[\`\\s]${id}[\`\\s]`))
  const { exports } = JSON.parse(read('package.json') ?? '')
  expect(exports['./strict']).toMatchObject({ types: './dist/types/strict/index.d.ts', default: './dist/strict.js' })
})
