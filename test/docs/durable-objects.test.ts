import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { packageHere } from './package-here.ts'

const { folder, close } = packageHere()
afterAll(close)

test('[OB8] the example of a Durable Object runs with one command, and is deployed as it is', async () => {
  const example = join(folder, 'examples/durable-objects')
  const { stdout } = await promisify(execFile)(process.execPath, [join(example, 'run.mjs')], { cwd: folder })
  const lines = stdout.trim().split('\n')
  expect(lines).toContain('two clicks, one input: true')
  expect(lines).toContain('refund waits for approval; the runtime stops, and starts again')
  expect(lines).toContain('refund was approved')
  expect(lines.filter(line => line === '  turn-resume')).toHaveLength(1)
  expect(lines.at(-1)).toMatch(/I heard: refunded 89 EUR under the key /)
  const {
    main,
    durable_objects: objects,
    migrations,
  } = JSON.parse(readFileSync(join(example, 'wrangler.jsonc'), 'utf8'))
  expect(readFileSync(join(example, main), 'utf8')).toContain(`export class ${objects.bindings[0].class_name} extends`)
  expect(migrations[0].new_sqlite_classes).toEqual([objects.bindings[0].class_name])
})
