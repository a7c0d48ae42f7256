import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../repository.ts'

const bench = (words: string[], folder = tmpdir()) =>
  spawnSync(process.execPath, [join(root, 'bench/run.ts'), ...words], {
    ...{ cwd: root, encoding: 'utf8' },
    env: { ...process.env, TMPDIR: folder },
  })

const git = (...words: string[]): string => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout

test('bench --compare measures a commit and the working tree in turns, and leaves both as they were', () => {
  const results = readFileSync(join(root, 'bench/results.json'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'compare-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { status, stdout, stderr } = bench(['--compare', 'HEAD', '--quick', '--json', 'start'], folder)
  expect([0, 1], stderr).toContain(status)
  const { commit, parts } = JSON.parse(stdout) as Output
  expect(commit).toBe(git('rev-parse', 'HEAD').trim())
  expect(Object.keys(parts)).toEqual(['start'])
  expect(parts.start.length).toBeGreaterThanOrEqual(3)
  for (const { before, after, target } of parts.start) {
    expect(before).toHaveLength(3)
    expect(after).toHaveLength(3)
    // A ratio to a process that does nothing: nothing of ours can be faster.
    for (const ratio of [...before, ...after]) expect(ratio).toBeGreaterThan(0.5)
    expect(target?.limit).toBeGreaterThan(0)
  }
  const order = [...stderr.matchAll(/^(before|after) (\d)\/3: measuring start$/gm)].map(([, side]) => side).slice(0, 6)
  expect(order).toEqual(['before', 'after', 'after', 'before', 'before', 'after'])
  expect(stderr).not.toContain('failed')
  expect(git('worktree', 'list')).not.toContain(folder)
  expect(readdirSync(folder).filter(name => /^antiphon-(?:bench|types)-/.test(name))).toEqual([])
  expect(readFileSync(join(root, 'bench/results.json'), 'utf8')).toBe(results)
})

interface Output {
  commit: string
  parts: Record<string, { before: number[]; after: number[]; target?: { limit: number } }[]>
}
