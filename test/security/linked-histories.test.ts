import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { programFile } from '../programs.ts'
import { root } from '../repository.ts'

test('[SE297] the action checks regular files of the repository only, and reports links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-action-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const repository = join(folder, 'repository')
  mkdirSync(join(repository, 'folder.history.json'), { recursive: true })
  const call = { id: 'call_1', type: 'function', function: { name: 'zanzibar', arguments: '{}' } }
  const secret = [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'user', content: 'hi' },
  ]
  writeFileSync(join(folder, 'secret'), JSON.stringify(secret))
  symlinkSync('../secret', join(repository, 'link.history.json'))
  symlinkSync('/dev/zero', join(repository, 'endless.history.json'))
  writeFileSync(join(repository, 'healthy.history.json'), '[{"role":"user","content":"hi"}]')
  const summary = join(folder, 'summary.md')
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'deploy/check-histories.mjs')], {
    cwd: repository,
    encoding: 'utf8',
    env: {
      ...process.env,
      ANTIPHON_PATHS: '**/*.history.json',
      ANTIPHON_COMMAND: JSON.stringify([process.execPath, programFile('antiphon')]),
      GITHUB_STEP_SUMMARY: summary,
    },
  })
  const said = stdout + stderr + readFileSync(summary, 'utf8')
  expect(status).toBe(1)
  expect(stdout).toContain('4 files, 3 broken')
  for (const name of ['endless', 'folder', 'link']) expect(said).toContain(`| ${name}.history.json | **unreadable** |`)
  expect(said).toContain('| healthy.history.json | healthy |')
  expect(said).not.toContain('zanzibar')
})
