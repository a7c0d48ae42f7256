import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { afterAll, describe, expect, test } from 'vitest'
import { frameworks } from '../../src/apps/init/frameworks.ts'
import { maskCode } from '../../src/apps/init/mask-code.ts'
import { findCalls } from '../../src/apps/init/place-in-file.ts'
import { antiphon } from '../apps/cli/program.ts'

const folders: string[] = []
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

/** What `init --write` makes of a project with one file. */
async function written(packages: readonly string[], code: string | Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-edited-'))
  folders.push(folder)
  const dependencies = Object.fromEntries(packages.map(name => [name, '1.0.0']))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }))
  writeFileSync(join(folder, 'client.ts'), code)
  const { code: exit, stdout, stderr } = await antiphon(['init', folder, '--write'])
  const after = readFileSync(join(folder, 'client.ts'))
  return { exit, stdout, stderr, after, folder }
}

const parses = (code: string): boolean => parseSync('client.ts', code).errors.length === 0

describe('[SE290] init --write changes only code that it can read for sure', () => {
  const api = "export const ask = () => fetch('https://api.openai.com/v1/responses')\n"
  test.each<[string, string[], string | Buffer, string]>([
    [
      'bytes that are not UTF-8',
      ['openai'],
      Buffer.from("import OpenAI from 'openai'\n// caf\xe9\nnew OpenAI()\n", 'latin1'),
      'its file is not UTF-8',
    ],
    [
      'a function of the same name',
      ['ai'],
      "import { streamText as st } from 'ai'\nexport function streamText({ prompt }: { prompt: string }) {\n  return st({ prompt })\n}\n",
      'no call that takes the option was found',
    ],
    [
      'a method of the same name',
      ['ai'],
      "import { generateText } from 'ai'\nexport class Client {\n  generateText({ prompt }: { prompt: string }) {\n    return [prompt, generateText]\n  }\n}\n",
      'this looks like a function definition',
    ],
    [
      'a method of another object',
      ['ai'],
      "import { tool } from 'ai'\nimport { client } from './client'\nexport const x = [tool, client.generateText({ prompt: 'a' })]\n",
      'no call that takes the option was found',
    ],
    [
      'another thing of the same name as the import',
      ['openai'],
      "import OpenAI from 'openai'\nconst healFetch = 1\nnew OpenAI({ timeout: healFetch })\n",
      'the file already uses the name healFetch',
    ],
    [
      'an option whose name is in quotes',
      ['openai'],
      "import OpenAI from 'openai'\nnew OpenAI({ 'apiKey': 'x', /* ours */ 'fetch': globalThis.fetch })\n",
      'it has the option fetch already',
    ],
    [
      'an option whose name is computed',
      ['openai'],
      "import OpenAI from 'openai'\nconst name = 'fetch'\nnew OpenAI({ [name]: globalThis.fetch })\n",
      'the name of an option is computed',
    ],
    ['the first line of a program', ['hono'], `#!/usr/bin/env node\n${api}`, 'could not be parsed'],
    ['a directive', ['hono'], `// Actions.\n'use server'\n${api}`, 'could not be parsed'],
    ['an import of several lines', ['hono'], `import x,\n  { y } from './x'\n${api}`, 'could not be parsed'],
    ['a use before the imports', ['hono'], `await fetch('/')\nimport './x'\n${api}`, 'could not be parsed'],
  ])('%s', async (_, packages, code, reason) => {
    const { exit, stdout, after, folder } = await written(packages, code)
    expect([exit, stdout]).toEqual([1, expect.stringContaining(reason)])
    expect(after).toEqual(Buffer.from(code))
    expect(readdirSync(folder).sort()).toEqual(['client.ts', 'package.json'])
  })

  test('an import in a comment is not one', async () => {
    const { exit, after } = await written(
      ['openai'],
      "/*\nimport OpenAI from 'openai'\n*/\nimport { OpenAI } from 'openai'\nexport const a = new OpenAI()\n",
    )
    expect(exit).toBe(0)
    expect(after.toString()).toBe(
      "/*\nimport OpenAI from 'openai'\n*/\nimport { OpenAI } from 'openai'\nimport { healFetch } from 'antiphon/fetch'\nexport const a = new OpenAI({ fetch: healFetch() })\n",
    )
  })

  test('two frameworks in one file are both set up, and neither is called done before', async () => {
    const code =
      "import Anthropic from '@anthropic-ai/sdk'\nimport OpenAI from 'openai'\nexport const a = new OpenAI({ timeout: 1 })\nexport const b = new Anthropic()\n"
    const { exit, stderr, after, folder } = await written(['openai', '@anthropic-ai/sdk'], code)
    expect([exit, stderr]).toEqual([0, ''])
    expect(after.toString()).toBe(
      "import Anthropic from '@anthropic-ai/sdk'\nimport OpenAI from 'openai'\nimport { healFetch } from 'antiphon/fetch'\nexport const a = new OpenAI({ fetch: healFetch(), timeout: 1 })\nexport const b = new Anthropic({ fetch: healFetch() })\n",
    )
    expect(parses(after.toString())).toBe(true)
    expect(readFileSync(join(folder, 'client.ts.bak'), 'utf8')).toBe(code)
  })
})

test('[SE290] a file that is too long to be code of the project is passed over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-edited-'))
  folders.push(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { openai: '1.0.0' } }))
  writeFileSync(join(folder, 'client.ts'), "import OpenAI from 'openai'\nexport const a = new OpenAI()\n")
  writeFileSync(join(folder, 'long.js'), '')
  truncateSync(join(folder, 'long.js'), 2 ** 30)
  const { code, stderr } = await antiphon(['init', folder])
  expect([code, stderr]).toEqual([0, ''])
})

describe('[SE291] init reads code in linear time', () => {
  const openai = frameworks.find(({ id }) => id === 'openai')?.place

  test('a long file of divisions', () => {
    const code = 'x=a/b;'.repeat(160_000)
    expect(maskCode(code)).toBe(code)
  })

  test('a long file of calls', () => {
    const code = `import OpenAI from 'openai'\n${"new OpenAI({ apiKey: 'x' });\n".repeat(30_000)}`
    expect(openai && findCalls(code, openai).length).toBe(30_000)
  })
})
