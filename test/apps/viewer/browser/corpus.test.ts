import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type DialectId, repair } from '../../../../src/index.ts'
import { files, root } from '../../../repository.ts'
import { sampleOf } from '../../../sample.ts'
import { browserOfFile } from './browser.ts'
import { isFaulty, isMarked, seenAt } from './message-list.ts'
import { testViewer } from './test-viewer.ts'

interface Case {
  id: string
  for?: DialectId
  messages: unknown[]
}

const { visit } = browserOfFile()

test('[VB5] every history of the corpus is drawn with its diagnostics, and without them after the repair', {
  timeout: 900_000,
}, async () => {
  const cases = files('test/corpus/*.json').map(path => JSON.parse(readFileSync(join(root, path), 'utf8')) as Case)
  const page = await visit((await testViewer([])).url, { viewport: { width: 1000, height: 900 } })
  await page.locator('input[type=file]').setInputFiles(
    cases.map(({ id, messages }) => ({
      name: `${id}.json`,
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(messages)),
    })),
  )
  await page.locator('.item', { hasText: `${cases.at(-1)?.id}.json` }).waitFor()
  const wrong: string[] = []
  let broken = 0
  const drawn = new Set(sampleOf(cases, Math.ceil(cases.length / 4)))
  for (const [index, one] of cases.entries()) {
    const { id, for: dialect = 'lenient', messages } = one
    const { repairs, remaining } = repair(messages, { for: dialect })
    const errors = [...repairs, ...remaining].filter(isError).length
    if (errors > 0) broken++
    if (!drawn.has(one)) continue
    const place = { source: 'here', item: index + 1, for: dialect }
    const before = await seenAt(page, place)
    const marks = before.rows.filter(isMarked).length + before.arcs.filter(isFaulty).length
    if (errors > 0 !== marks > 0) wrong.push(`${id}: ${errors} errors, and ${marks} are drawn`)
    if (repairs.length === 0) continue
    const after = await seenAt(page, { ...place, mode: 'after' })
    const left = after.rows.filter(isMarked).length
    const still = remaining.filter(isError).length
    if (left > 0 !== still > 0) wrong.push(`${id}: ${still} errors remain, and ${left} rows say so`)
  }
  expect(wrong).toEqual([])
  expect(broken).toBeGreaterThan(90)
})

const isError = ({ severity }: { readonly severity: string }): boolean => severity === 'error'
