import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openBrowser } from '../../src/apps/cli/open-browser.ts'
import { windowsProcesses } from '../../src/doctor/files/processes/processes-windows.ts'

test.skipIf(process.platform === 'win32')('[SE562] programs of Windows are run by their whole path', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-windows-'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  const place = (name: string, command: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), `#!/bin/sh\n${command}\n`, { mode: 0o755 })
  }
  const row = JSON.stringify([{ ProcessId: 7, ParentProcessId: 1, Name: 'codex.exe' }])
  place('System32/WindowsPowerShell/v1.0/powershell.exe', `echo '${row}'`)
  place('System32/rundll32.exe', `echo "$2" > ${folder}/opened`)
  for (const name of ['powershell.exe', 'rundll32', 'rundll32.exe'])
    place(`near/${name}`, `touch ${folder}/run; echo []`)
  vi.stubEnv('SystemRoot', folder)
  vi.stubEnv('PATH', `${join(folder, 'near')}${delimiter}${process.env.PATH}`)

  expect(windowsProcesses().processes).toMatchObject([{ pid: 7, parent: 1 }])
  openBrowser('http://127.0.0.1:1/', 'win32')
  await expect.poll(() => existsSync(join(folder, 'opened'))).toBe(true)
  expect(existsSync(join(folder, 'run'))).toBe(false)
})
