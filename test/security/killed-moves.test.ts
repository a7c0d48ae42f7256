import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createFile } from '../../src/doctor/move/create-file.ts'
import { inFolder } from '../doctor/contract.ts'
import { root } from '../repository.ts'

const size = 200_000_000

test('[SE426] a new file below another file is one clear error', () =>
  inFolder(async folder => {
    const other = join(folder, 'other')
    writeFileSync(other, 'mine')
    expect(() => createFile(join(other, 'session.jsonl'), 'x', 'choose another place')).toThrow(
      expect.objectContaining({ hint: 'choose another place' }),
    )
    expect(readFileSync(other, 'utf8')).toBe('mine')
  }))

test('[SE426] a move that is killed while it writes leaves no part of a session under its name', () =>
  inFolder(async folder => {
    const file = join(folder, 'session.jsonl')
    const source = pathToFileURL(join(root, 'src/doctor/move/create-file.ts')).href
    const program = `import { createFile } from '${source}'; createFile('${file}', 'x'.repeat(${size}), '')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' })
    const end = once(child, 'exit')
    while (readdirSync(folder).length === 0 && child.exitCode === null)
      await new Promise(resolve => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    await end
    expect(existsSync(file) ? statSync(file).size : size).toBe(size)
  }))
