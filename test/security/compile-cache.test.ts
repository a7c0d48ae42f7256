import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { antiphon, folder } from '../apps/cli/program.ts'

const nameOfCache = `antiphon-compiled-${process.getuid?.()}`

/** The cache after a run of the program whose temporary files are in this folder. */
async function cacheAfterRun(temporary: string): Promise<string[]> {
  const { code } = await antiphon(['demo'], { env: { TMPDIR: temporary, NODE_COMPILE_CACHE: '' } })
  expect(code).toBe(0)
  return readdirSync(join(temporary, nameOfCache))
}

describe.concurrent('the compiled code that is kept between runs', () => {
  test('[SE400] is in a folder that no other user can write to', async () => {
    const temporary = folder()
    expect(await cacheAfterRun(temporary)).toHaveLength(1)
    expect(statSync(join(temporary, nameOfCache)).mode & 0o777).toBe(0o700)
  })

  test('[SE400] is not read from or written to a folder that others can write to', async () => {
    const temporary = folder()
    mkdirSync(join(temporary, nameOfCache))
    chmodSync(join(temporary, nameOfCache), 0o777)
    expect(await cacheAfterRun(temporary)).toEqual([])
  })

  test('[SE400] is not read from or written to a link', async () => {
    const temporary = folder()
    symlinkSync(folder(), join(temporary, nameOfCache))
    expect(await cacheAfterRun(temporary)).toEqual([])
  })
})
