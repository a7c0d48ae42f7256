import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../repository.ts'

const run = (version: string) =>
  spawnSync(process.execPath, ['--import', posing(version), join(root, 'src/apps/cli/main.ts'), '--version'], {
    encoding: 'utf8',
  })

/** Has Node say that it is another one. */
const posing = (version: string): string =>
  `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`

describe('the command on an old Node', () => {
  test.each(['16.20.2', '18.20.8', '20.18.3'])('says in one line what it needs: %s', version => {
    const { status, stdout, stderr } = run(version)
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: `antiphon: needs Node 20.19 or newer, this is ${version}\n`,
    })
  })

  test.each(['20.19.0', '22.0.0', '24.0.0', '26.1.0'])('runs on %s', version => {
    const { status, stdout, stderr } = run(version)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
