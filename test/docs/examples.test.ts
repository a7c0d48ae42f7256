import { execFile, spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { files, read } from '../repository.ts'
import { packageHere } from './package-here.ts'

const { folder, close } = packageHere()
afterAll(close)

/** What each of them says when all goes well, in this order. */
const says: Record<string, readonly string[]> = {
  'heal-a-file': ['unanswered-call at messages[2].tool_calls[1]', 'as it was: 400', 'healed: 200'],
  'openai-client': ['without: 400 An assistant message', 'with: TP 1351 leaves', 'streamed: TP 1351 leaves'],
  'anthropic-client': [
    'each tool_use must have a single result',
    'with: Charged',
    '"content":"charged 89 EUR, receipt 78"',
  ],
  proxy: [
    ...['straight to the provider', 'through the proxy'],
    ...(isHere('python3') ? ['python: repaired interleaved-message=1, unanswered-call=1'] : []),
    ...(isHere('curl') ? ['curl: 200'] : []),
  ],
  journal: [
    'two clicks, one input: true',
    'refund waits for approval',
    'the run ended: parked',
    'refund was approved',
    'refund has begun',
    'refund is settled: {"status":"made-up","state":"unknown"',
    'the run ended: done',
    'in the ledger: 1 refund',
  ],
  'ai-sdk': ['without: AI_MissingToolResultsError', 'with: Done', 'user: Find me a flight', 'gave TP 1351, search 1.'],
  langchain: ['without: 400', 'with: Done', 'receipt 1', 'receipt 2', 'kept: human ai tool ai human ai tool ai'],
  'ag-ui': ['waits for approval: 1', 'after a reload: user assistant tool assistant', 'seat 12A'],
  'switch-models': ['openai: 200', 'anthropic: 200', 'mistral: 200', 'original id: call_18_aLongIdOfOpenAI'],
  doctor: ['1 broken', '1 healed', '1 healthy', 'restored byte for byte: true'],
  tape: ['rejected: 400', 'malformed for the first time', '3 messages -> 1', 'request 3 rejected by anthropic'],
}

describe.concurrent('examples', { concurrent: true }, () => {
  test.for(Object.entries(says))('[GD1] %s runs with one command', async ([name, words], { expect }) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join('examples', `${name}.ts`)], { cwd: folder })
    let from = 0
    for (const word of words) {
      const at = stdout.indexOf(word, from)
      expect(at, `${word} in\n${stdout}`).toBeGreaterThanOrEqual(from)
      from = at
    }
  })
})

test.each([
  ['is not there', 'nowhere.json', 'ENOENT'],
  ['is no JSON', join('examples', 'README.md'), 'not valid JSON'],
])('[GD1] a file that %s is one line', (_, file, why) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('examples', 'heal-a-file.ts'), file], {
    ...{ cwd: folder, encoding: 'utf8' },
  })
  expect({ status, stdout, lines: stderr.trim().split('\n').length }).toEqual({ status: 2, stdout: '', lines: 1 })
  expect(stderr).toContain(`${file} cannot be read: `)
  expect(stderr).toContain(why)
})

test('[GD2] every example is run here and listed on its page', () => {
  const page = read('examples/README.md') ?? ''
  // The wrapper for Python in a folder of its own is tested with the command that it calls.
  const all = files('examples/*.*').map(file => basename(file))
  const programs = all.filter(name => page.includes(`| [${name}](${name}) |`))
  expect(programs.map(name => basename(name, '.ts')).sort()).toEqual(Object.keys(says).sort())
  const parts = all.filter(name => !programs.includes(name) && name !== 'README.md')
  const sources = programs.map(name => read(`examples/${name}`)).join()
  expect(parts.filter(name => !sources.includes(`${name}'`))).toEqual([])
})

function isHere(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}
