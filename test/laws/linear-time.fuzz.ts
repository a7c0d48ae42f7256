import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codecIds } from './try-laws.ts'

/** The law of linear time with every example and every kind of part, where the tests take a share of them. */
const works = ['repair', 'check', 'request', 'trim', 'convert', 'healer']
const trials = works.flatMap(work => ['rules', 'mixed', ...codecIds].map(subject => [work, subject]))

test.each([...trials, ['rejections', 'all']])('every family takes linear time: %s, %s', (work, subject) => {
  const script = join(import.meta.dirname, 'linear/print-steep.ts')
  const printed = execFileSync(process.execPath, [script, work, subject, '1'], {
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
  const { families, steep } = JSON.parse(printed)
  console.log(`${families} families`)
  expect(steep).toEqual([])
})
