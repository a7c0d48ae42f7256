import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
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
  mkdirSync(join(folder, 'machine'))
  writeFileSync(join(folder, 'machine/far.history.json'), JSON.stringify(secret))
  symlinkSync('../machine', join(repository, 'histories'))
  symlinkSync('/dev/zero', join(repository, 'endless.history.json'))
  writeFileSync(join(repository, 'healthy.history.json'), '[{"role":"user","content":"hi"}]')
  const summary = join(folder, 'summary.md')
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'deploy/check-histories.mjs')], {
    cwd: repository,
    encoding: 'utf8',
    env: {
      ...process.env,
      ANTIPHON_PATHS: '**/*.history.json\nhistories/*.json',
      ANTIPHON_COMMAND: JSON.stringify([process.execPath, programFile('antiphon')]),
      GITHUB_STEP_SUMMARY: summary,
    },
  })
  const said = stdout + stderr + readFileSync(summary, 'utf8')
  expect(status).toBe(1)
  expect(stdout).toContain('5 files, 4 broken')
  for (const name of ['endless', 'folder', 'histories/far', 'link'])
    expect(said).toContain(`| ${name}.history.json | **unreadable** |`)
  expect(said).toContain('| healthy.history.json | healthy |')
  expect(said).not.toContain('zanzibar')
})

test('[SE561] the action runs no code and no settings of the repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-action-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const place = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: 0o755 })
  }
  place(
    'bin/npm',
    `#!/bin/sh\npwd > ${folder}/installed\nmkdir -p node_modules/antiphon && ln -s ${root}/dist node_modules/antiphon/`,
  )
  place('repository/healthy.history.json', '[{"role":"user","content":"hi"}]')
  const foreign = 'repository/node_modules/antiphon'
  place(`${foreign}/package.json`, readFileSync(join(root, 'package.json'), 'utf8'))
  place(
    `${foreign}/dist/cli.js`,
    `#!/usr/bin/env node\nimport fs from 'node:fs'\nfs.writeFileSync('${folder}/run', '')\n`,
  )
  place('repository/node_modules/.bin/antiphon', `#!/bin/sh\ntouch ${folder}/run\n`)
  mkdirSync(join(folder, 'temporary'))
  const { ANTIPHON_COMMAND: _, ...env } = process.env
  const { stdout, status } = spawnSync(process.execPath, [join(root, 'deploy/check-histories.mjs')], {
    cwd: join(folder, 'repository'),
    encoding: 'utf8',
    env: {
      ...env,
      PATH: `${join(folder, 'bin')}${delimiter}${dirname(process.execPath)}${delimiter}${env.PATH}`,
      ANTIPHON_PATHS: '*.history.json',
      RUNNER_TEMP: join(folder, 'temporary'),
    },
  })
  expect(existsSync(join(folder, 'run'))).toBe(false)
  expect(readFileSync(join(folder, 'installed'), 'utf8')).toContain(join(folder, 'temporary/'))
  expect({ stdout, status }).toEqual({ stdout: '1 files, 0 broken\n', status: 0 })
})
