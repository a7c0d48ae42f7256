import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'antiphon-readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

const blocks = (page: string): { name: string; code: string }[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code], index) => ({
    name: `${page} block ${index + 1}`,
    code,
  }))

test('[D1] the README opens with at most five lines of code before any other text', () => {
  const opening = readme.split('\n').slice(2, 3)[0]
  expect(opening).toBe('```ts')
  expect(blocks('README.md')[0].code.trim().split('\n').length).toBeLessThanOrEqual(5)
})

test.each([...blocks('README.md'), ...blocks('docs/journal.md')])('[D1] $name runs', async ({ code, name }) => {
  const door = pathToFileURL(join(root, 'src/index.ts')).href
  const journal = pathToFileURL(join(root, 'src/broker/index.ts')).href
  const fetch = pathToFileURL(join(root, 'src/fetch/index.ts')).href
  const known = code.includes('const messages') ? '' : 'const messages = history\n'
  const history = `const history = ${JSON.stringify(brokenHistory)}\nconst body = { messages: history }\n`
  const file = join(folder, `${name.replaceAll(/\W/g, '-')}.ts`)
  const here = code
    .replace("'antiphon'", `'${door}'`)
    .replace("'antiphon/journal'", `'${journal}'`)
    .replace("'antiphon/fetch'", `'${fetch}'`)
    .replace("from 'openai'", `from '${import.meta.resolve('openai')}'`)
    .replace('new OpenAI({', "new OpenAI({ apiKey: 'none',")
    .replace('sqlite:chat.db', `sqlite:${join(folder, name.replaceAll(/\W/g, '-'))}.db`)
  writeFileSync(file, history + known + agent + here)
  await import(/* @vite-ignore */ file)
})

/** What stands for the reader's own code: a model that books and pays, then has nothing more to say. */
const agent = `
const book = () => 'booked'
const pay = () => 'paid'
const says = content => ({ type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn' })
const model = ({ messages }) => {
  const asked = ['book', 'pay'].filter(name => !JSON.stringify(messages).includes('"name":"' + name + '"'))
  return says(asked.length > 0 ? [{ type: 'tool_use', id: 'toolu_' + asked[0], name: asked[0], input: {} }] : [{ type: 'text', text: 'Done.' }])
}
`

const brokenHistory = [
  { role: 'user', content: 'Find me a flight to Lisbon' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'search_flights', arguments: '{"to":"LIS"}' } }],
  },
  { role: 'user', content: 'Are you there?' },
]
