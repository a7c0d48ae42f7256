import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { sourceOfExport } from './repository.ts'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'antiphon-readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

const blocks = (page: string): { name: string; code: string }[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code], index) => ({
    name: `${page} block ${index + 1}`,
    code,
  }))

test('[D1] the README opens with a sentence, the errors people search for and at most five lines of code', () => {
  const [title, sentence, errors, , code] = readme.split('\n\n')
  expect([title, sentence]).toEqual(['# Antiphon', expect.stringContaining('400')])
  expect(errors).toMatch(/^```\n(.+\n)+```$/)
  expect(code).toBe("```ts\nimport OpenAI from 'openai'\nimport { healFetch } from 'antiphon/fetch'")
  expect(blocks('README.md')[0].code.trim().split('\n').length).toBeLessThanOrEqual(5)
  expect(readme.split('\n').length).toBeLessThanOrEqual(181)
})

const pages = ['README', 'docs/browser', 'docs/debug-a-400', 'docs/heal', 'docs/journal', 'docs/rejections'].map(
  name => `${name}.md`,
)

test.each(pages.flatMap(blocks))('[D1] $name runs', async ({ code, name }) => {
  const known = code.includes('const messages') ? '' : 'const messages = history\n'
  const history = `const history = ${JSON.stringify(brokenHistory)}\nconst body = { messages: history }\n`
  const file = join(folder, `${name.replaceAll(/\W/g, '-')}.ts`)
  const here = code
    .replaceAll(/'antiphon(\/[\w/-]+)?'/g, (_, door = '') => `'${sourceOf(door)}'`)
    .replace("'chat.tape'", `'${join(folder, 'chat.tape')}'`)
    .replace("from 'openai'", `from '${import.meta.resolve('openai')}'`)
    .replace('new OpenAI({', "new OpenAI({ apiKey: 'none',")
    .replace('sqlite:chat.db', `sqlite:${join(folder, name.replaceAll(/\W/g, '-'))}.db`)
  writeFileSync(file, history + known + agent + here)
  const asserted = vi.spyOn(console, 'assert')
  await import(/* @vite-ignore */ file)
  expect(asserted.mock.calls.filter(([holds]) => !holds)).toEqual([])
  asserted.mockRestore()
})

/** The source of what is imported by this name. */
const sourceOf = (door: string): string => pathToFileURL(join(root, sourceOfExport(`.${door}`))).href

/** What stands for the reader's own code: a model that books and pays, then has nothing more to say. */
const agent = `
const book = () => 'booked'
const url = 'https://api.openai.com/v1/chat/completions'
const response = new Response('{"choices":[]}')
const call = { id: 'call_1', name: 'search_flights' }
const pay = () => 'paid'
const says = content => ({ type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn' })
const model = ({ messages }) => {
  const asked = ['book', 'pay'].filter(name => !JSON.stringify(messages).includes('"name":"' + name + '"'))
  return says(asked.length > 0 ? [{ type: 'tool_use', id: 'toolu_' + asked[0], name: asked[0], input: {} }] : [{ type: 'text', text: 'Done.' }])
}
const otherModel = model
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
