import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
const folder = mkdtempSync(join(tmpdir(), 'antiphon-readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('[D1] the README opens with at most five lines of code before any other text', () => {
  const opening = readme.split('\n').slice(2, 3)[0]
  expect(opening).toBe('```ts')
  expect(blocks[0].trim().split('\n').length).toBeLessThanOrEqual(5)
})

test.each(blocks.map((code, index) => ({ name: `block ${index + 1}`, code })))(
  '[D1] README $name runs',
  async ({ code, name }) => {
    const door = pathToFileURL(join(import.meta.dirname, '../src/index.ts')).href
    const known = code.includes('const messages') ? '' : 'const messages = history\n'
    const history = `const history = ${JSON.stringify(brokenHistory)}\nconst body = { messages: history }\n`
    const file = join(folder, `${name.replaceAll(' ', '-')}.ts`)
    writeFileSync(file, history + known + code.replace("'antiphon'", `'${door}'`))
    await import(/* @vite-ignore */ file)
  },
)

const brokenHistory = [
  { role: 'user', content: 'Find me a flight to Lisbon' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } }],
  },
  { role: 'user', content: 'Are you there?' },
]
