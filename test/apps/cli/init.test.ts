import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { afterAll, describe, expect, test } from 'vitest'
import { frameworks, pythonFrameworks } from '../../../src/apps/init/frameworks.ts'
import { maskCode } from '../../../src/apps/init/mask-code.ts'
import { root } from '../../programs.ts'
import { antiphon, lines } from './program.ts'

const folders: string[] = []
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

/** A project with these packages and files. */
function project(packages: Record<string, string>, files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-init-'))
  folders.push(folder)
  const all = {
    ...(Object.keys(packages).length > 0 && { 'package.json': JSON.stringify({ dependencies: packages }) }),
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const init = async (folder: string, ...flags: string[]) => {
  const { code, stdout, stderr } = await antiphon(['init', folder, '--json', ...flags])
  expect(stderr).toBe('')
  return { code, ...JSON.parse(stdout) }
}

interface Fixture {
  readonly id: string
  readonly packages: Record<string, string>
  readonly code: string
  /** With the two lines; undefined if the file stays as it is. */
  readonly after?: string
}

const written: readonly Fixture[] = [
  {
    id: 'openai',
    packages: { openai: '7.53.0' },
    code: "import OpenAI from 'openai'\n\nexport const client = new OpenAI()\n",
    after:
      "import OpenAI from 'openai'\nimport { healFetch } from 'antiphon/fetch'\n\nexport const client = new OpenAI({ fetch: healFetch() })\n",
  },
  {
    id: 'anthropic',
    packages: { '@anthropic-ai/sdk': '1.8.0' },
    code: 'import fs from "node:fs";\nimport Anthropic from "@anthropic-ai/sdk";\n\n// Don\'t share it: new Anthropic()\nconst client = new Anthropic({\n  apiKey: process.env.KEY, // "the key"\n});\n',
    after:
      'import fs from "node:fs";\nimport Anthropic from "@anthropic-ai/sdk";\nimport { healFetch } from "antiphon/fetch";\n\n// Don\'t share it: new Anthropic()\nconst client = new Anthropic({\n  fetch: healFetch(),\n  apiKey: process.env.KEY, // "the key"\n});\n',
  },
  {
    id: 'google',
    packages: { '@google/genai': '2.32.0' },
    code: "import {\n  GoogleGenAI,\n  Type,\n} from '@google/genai'\n\nconst ai = new GoogleGenAI({ apiKey: `@{process.env.KEY}` })\nconst isCall = (name: string) => /['\"(]/.test(name) && Type !== undefined\n",
    after:
      "import {\n  GoogleGenAI,\n  Type,\n} from '@google/genai'\nimport { healFetch } from 'antiphon/fetch'\n\nconst ai = new GoogleGenAI({ httpOptions: { fetch: healFetch() }, apiKey: `@{process.env.KEY}` })\nconst isCall = (name: string) => /['\"(]/.test(name) && Type !== undefined\n",
  },
  {
    id: 'ai-sdk',
    packages: { ai: '7.0.169', '@ai-sdk/openai': '4.0.114' },
    code: "import { openai } from '@ai-sdk/openai'\nimport { convertToModelMessages, streamText } from 'ai'\n\nexport async function POST(request: Request) {\n  const { messages } = await request.json()\n  const result = streamText({\n    model: openai('gpt-5.5'),\n    messages: await convertToModelMessages(messages),\n  })\n  return result.toUIMessageStreamResponse()\n}\n",
    after:
      "import { openai } from '@ai-sdk/openai'\nimport { convertToModelMessages, streamText } from 'ai'\nimport { healSteps } from 'antiphon/adapters/ai-sdk'\n\nexport async function POST(request: Request) {\n  const { messages } = await request.json()\n  const result = streamText({\n    prepareStep: healSteps(),\n    model: openai('gpt-5.5'),\n    messages: await convertToModelMessages(messages),\n  })\n  return result.toUIMessageStreamResponse()\n}\n",
  },
  {
    id: 'langchain',
    packages: { langchain: '1.5.14', '@langchain/openai': '1.6.0' },
    code: "import { createAgent } from 'langchain'\n\nexport const agent = createAgent({ model: 'openai:gpt-5.5', tools: [] })\n",
    after:
      "import { createAgent } from 'langchain'\nimport { healMiddleware } from 'antiphon/adapters/langchain'\n\nexport const agent = createAgent({ middleware: [healMiddleware()], model: 'openai:gpt-5.5', tools: [] })\n",
  },
  {
    id: 'openai-agents',
    packages: { '@openai/agents': '0.20.0' },
    code: "import { Agent, Runner } from '@openai/agents'\n\nexport const agent = new Agent({ name: 'travel' })\nexport const runner = new Runner()\n",
    after:
      "import { Agent, Runner } from '@openai/agents'\nimport { healInputFilter } from 'antiphon/adapters/openai-agents'\n\nexport const agent = new Agent({ name: 'travel' })\nexport const runner = new Runner({ callModelInputFilter: healInputFilter() })\n",
  },
  {
    id: 'mastra',
    packages: { '@mastra/core': '1.71.0' },
    code: "import { Agent } from '@mastra/core/agent'\r\n\r\nexport const agent = new Agent({\r\n\tid: 'travel',\r\n})\r\n",
    after:
      "import { Agent } from '@mastra/core/agent'\r\nimport { healProcessor } from 'antiphon/adapters/mastra'\r\n\r\nexport const agent = new Agent({\r\n\tinputProcessors: [healProcessor()],\r\n\tid: 'travel',\r\n})\r\n",
  },
  {
    id: 'copilotkit',
    packages: { '@copilotkit/runtime': '1.50.0' },
    code: "import { CopilotRuntime, OpenAIAdapter } from '@copilotkit/runtime'\n\nconst serviceAdapter = new OpenAIAdapter()\nconst runtime = new CopilotRuntime()\n",
  },
  {
    id: 'fetch',
    packages: { hono: '4.0.0' },
    code: "import { Hono } from 'hono'\n\nconst app = new Hono()\nexport const ask = (body: object) =>\n  fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) })\n",
    after:
      "import { Hono } from 'hono'\nimport { healFetch } from 'antiphon/fetch'\nconst fetch = healFetch()\n\nconst app = new Hono()\nexport const ask = (body: object) =>\n  fetch('https://api.openai.com/v1/chat/completions', { method: 'POST', body: JSON.stringify(body) })\n",
  },
]

const fixtures = written.map(({ code, after, ...fixture }) => ({
  ...{ ...fixture, code: withTemplate(code) },
  ...(after !== undefined && { after: withTemplate(after) }),
}))

/** A fixture with a template in it, which a string of this file cannot have. */
function withTemplate(code: string): string {
  return code.replaceAll('@{', ['$', '{'].join(''))
}

const parses = (code: string): boolean => parseSync('client.ts', code).errors.length === 0

describe('[C124] init names the frameworks of a project, and the two lines that it needs', () => {
  test.each(fixtures)('$id', async ({ id, packages, code }) => {
    const folder = project(packages, { 'src/client.ts': code, 'node_modules/x/index.ts': code, 'src/a.test.ts': code })
    const { code: exit, install, frameworks: found } = await init(folder)
    expect(exit).toBe(0)
    expect(install).toBe('npm install antiphon')
    expect(found).toMatchObject([{ id, done: false, places: [{ file: join('src', 'client.ts') }] }])
    expect(found[0].lines[0]).toMatch(/^import \{ \w+ \} from 'antiphon\//)
    expect(readFileSync(join(folder, 'src/client.ts'), 'utf8')).toBe(code)
  })

  test('every framework is tried, and its page exists', () => {
    const tried = fixtures.map(({ id }) => id)
    expect(frameworks.map(({ id }) => id).filter(id => !tried.includes(id) && id !== 'aws-sdk')).toEqual([])
    for (const { page } of [...frameworks, ...pythonFrameworks]) expect(readFileSync(page, 'utf8')).not.toBe('')
  })

  test.each([
    ['requirements.txt', '# agents\nopenai>=1.2 # the client\nrequests\n'],
    ['pyproject.toml', '[project]\ndependencies = [\n  "httpx",\n  "openai[realtime]~=1.2",\n]\n'],
    ['pyproject.toml', '[tool.poetry.dependencies]\npython = "^3.12"\nopenai = "^1.2"\n'],
  ])('a project in Python gets the proxy: %s', async (name, text) => {
    const { code, install, frameworks: found } = await init(project({}, { [name]: text }), '--write')
    expect([code, install]).toEqual([0, undefined])
    expect(found).toMatchObject([
      {
        id: 'python-openai',
        lines: [
          'npx antiphon proxy --to https://api.openai.com',
          'OPENAI_BASE_URL=http://127.0.0.1:8377/v1 python main.py',
        ],
      },
    ])
  })

  test('the package manager and old settings of TypeScript are noticed, and the text says the same', async () => {
    const folder = project(
      { openai: '7.53.0' },
      { 'pnpm-lock.yaml': '', 'tsconfig.json': '{ "compilerOptions": { "moduleResolution": "classic" } } // old' },
    )
    const { stdout, code } = await antiphon(['init', folder], { cwd: folder })
    expect(code).toBe(0)
    expect(lines(stdout)).toEqual([
      'OpenAI SDK 7.53.0',
      "    import { healFetch } from 'antiphon/fetch'",
      '    new OpenAI({ fetch: healFetch() })',
      `  see ${join(root, 'docs/fetch.md')}`,
      'Install Antiphon: pnpm add antiphon',
      expect.stringContaining('moduleResolution'),
    ])
  })

  test('a project without a framework, and no project, say what to do', async () => {
    const none = await antiphon(['init', project({ react: '19.0.0' })])
    const empty = await antiphon(['init', project({})])
    expect([none.code, empty.code]).toEqual([1, 1])
    expect(none.stdout).toContain('antiphon proxy --help')
    expect(empty.stdout).toContain('Name the folder of a project')
  })

  test.each([
    ['a folder that does not exist', () => '/nowhere/at/all', 'there is no such file'],
    ['a package.json that is not JSON', () => project({}, { 'package.json': '{ "dependencies": ' }), 'package.json:1:'],
    ['a package.json that is not an object', () => project({}, { 'package.json': '[]' }), 'it is not an object'],
  ])('%s is one line', async (_, folder, message) => {
    const { code, stdout, stderr } = await antiphon(['init', folder(), '--write'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(lines(stderr)).toEqual([expect.stringContaining(message)])
  })
})

describe('[C125] init --write adds the lines only where there is one place for them', () => {
  test.each<Fixture>(fixtures)('$id', async ({ packages, code, after }) => {
    const folder = project(packages, { 'client.ts': code })
    const file = join(folder, 'client.ts')
    const { code: exit, frameworks: found } = await init(folder, '--write')
    const result = readFileSync(file, 'utf8')
    expect(result).toBe(after ?? code)
    expect(parses(result)).toBe(true)
    expect(exit).toBe(after === undefined ? 1 : 0)
    if (after === undefined) return
    expect(readFileSync(found[0].backup, 'utf8')).toBe(code)
    const again = await init(folder, '--write')
    expect(again).toMatchObject({ code: 0, frameworks: [{ done: true }] })
    expect(readFileSync(file, 'utf8')).toBe(result)
  })

  test('a chat that is stored in a journal needs no line', async () => {
    const page = readFileSync(join(root, 'docs/ai-sdk.md'), 'utf8')
    const [, route = ''] = /route\.ts`:\n\n```ts\n([\s\S]*?)```/.exec(page) ?? []
    const folder = project({ ai: '7.0.170' }, { 'route.ts': route })
    expect(await init(folder, '--write')).toMatchObject({ code: 0, frameworks: [{ done: true }] })
    expect(readFileSync(join(folder, 'route.ts'), 'utf8')).toBe(route)
    expect((await antiphon(['init', folder])).stdout).toContain('  nothing to add\n')
    writeFileSync(join(folder, 'route.ts'), route.replace('import { chatHandler }', 'import { healUIMessages }'))
    expect(await init(folder)).toMatchObject({ frameworks: [{ done: false, file: 'route.ts' }] })
  })

  test('a file with a byte order mark keeps it, once', async () => {
    const folder = project({ openai: '7.53.0' }, { 'client.ts': `\uFEFF${start}const a = new OpenAI()\n` })
    expect(await init(folder, '--write')).toMatchObject({ code: 0, frameworks: [{ file: 'client.ts' }] })
    const result = readFileSync(join(folder, 'client.ts'), 'utf8')
    expect(result).toBe(
      `\uFEFF${start}import { healFetch } from 'antiphon/fetch'\nconst a = new OpenAI({ fetch: healFetch() })\n`,
    )
  })

  const start = "import OpenAI from 'openai'\n"
  test.each([
    ['two clients', `${start}const a = new OpenAI()\nconst b = new OpenAI()\n`, '2 calls could take the option'],
    [
      'options from elsewhere',
      `${start}const a = new OpenAI(options)\n`,
      'the first argument is not an object literal',
    ],
    ['options that include others', `${start}const a = new OpenAI({ ...options })\n`, 'the options use a spread (...)'],
    ['its own fetch', `${start}const a = new OpenAI({ maxRetries: 1, fetch })\n`, 'it has the option fetch already'],
    ['its own fetch, as a method', `${start}const a = new OpenAI({ fetch(url) { return f(url) } })\n`, 'fetch already'],
    [
      'a comment as its options',
      `${start}const a = new OpenAI(/* none */)\n`,
      'there is a comment between the parentheses',
    ],
    ['code that does not end', `${start}const a = new OpenAI({\n`, 'could not be parsed'],
    ['a text with an apostrophe', `${start}const a = new OpenAI()\nconst b = <p>Don't</p>\n`, 'could not be parsed'],
    ['a client in a string', `${start}const a = 'new OpenAI()'\n`, 'no call that takes the option was found'],
    [
      'a client of another package',
      'import OpenAI from "other"\nconst a = new OpenAI()\n',
      'no call that takes the option was found',
    ],
    [
      'CommonJS',
      "const OpenAI = require('openai')\nconst a = new OpenAI()\n",
      'no call that takes the option was found',
    ],
    [
      'only types',
      "import type OpenAI from 'openai'\nconst a = new OpenAI()\n",
      'no call that takes the option was found',
    ],
    [
      'a statement on the same line',
      "import OpenAI from 'openai'; const a = new OpenAI()\n",
      'other code follows the import of openai on its line',
    ],
  ])('%s: nothing is changed, and the reason is printed', async (_, code, reason) => {
    const folder = project({ openai: '7.53.0' }, { 'client.tsx': code })
    const { stdout } = await antiphon(['init', folder, '--write'])
    expect(stdout).toContain(reason)
    expect(readFileSync(join(folder, 'client.tsx'), 'utf8')).toBe(code)
  })

  test('a fetch of its own is left alone', async () => {
    const code =
      "import fetch from 'node-fetch'\nexport const ask = () => fetch('https://api.openai.com/v1/responses')\n"
    const folder = project({ 'node-fetch': '3.0.0' }, { 'client.ts': code })
    expect(await init(folder, '--write')).toMatchObject({ code: 1, frameworks: [{ id: 'fetch', done: false }] })
    expect(readFileSync(join(folder, 'client.ts'), 'utf8')).toBe(code)
  })
})

test.each(['init', 'mcp', 'strict'])('[C124] no line of the help of %s is longer than 110 characters', async name => {
  const { stdout } = await antiphon([name, '--help'], { env: { COLUMNS: '110' } })
  expect(stdout.split('\n').filter(line => line.length > 110)).toEqual([])
})

test('[C125] code is masked only where it can be read for sure', () => {
  expect(maskCode('a("b") // c\nd')).toBe('a(   )     \nd')
  expect(maskCode('x = a / b / c')).toBe('x = a / b / c')
  expect(maskCode(withTemplate('f(/[/(]/, `a@{b}c`)'))).toBe(`f(${' '.repeat(6)},${' '.repeat(9)})`)
  for (const unclear of ["don't", 'a(', 'a)', '`a', '/* a', 'f(`@{{}}`)'])
    expect(maskCode(withTemplate(unclear))).toBeUndefined()
})
