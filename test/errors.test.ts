import { expect, test } from 'vitest'
import { files, read, strings } from './repository.ts'

const declared = [...(read('src/core/errors.ts') ?? '').matchAll(/^ {2}\| '([a-z-]+)'$/gm)].map(([, code]) => code)
const listed = [...(read('docs/errors.md') ?? '').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code)

test('[E1] docs/errors.md lists every error code once, and no other', () => {
  expect(declared.length).toBeGreaterThan(50)
  expect(listed.toSorted()).toEqual(declared.toSorted())
})

test('[E2] every error code is used', () => {
  const used = new Set(
    files('src/**/*.ts')
      .filter(file => file !== 'src/core/errors.ts')
      .flatMap(strings),
  )
  expect(declared.filter(code => !used.has(code))).toEqual([])
})
