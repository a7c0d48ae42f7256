import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { type Checks, must } from './checks.ts'
import { spawn } from './spawn.ts'
import { runtimes } from './tools.ts'

export const codecs = [
  ...['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'bedrock'],
  ...['ai-sdk', 'ai-sdk-ui', 'langchain', 'ag-ui', 'ollama', 'pydantic-ai', 'gemini-interactions'],
]

/** What a bundle may weigh, minified and gzipped, in bytes. */
const oneCodecMax = 30_000
const allCodecsMax = 70_000

/** Bundles for a browser: how much that is, and that it runs where there is nothing of Node. */
export async function checkBundles(checks: Checks, project: string): Promise<void> {
  for (const codec of codecs) {
    await checks.add(`a browser's bundle with ${codec} alone`, async () => {
      return weigh(pure(await bundle(project, `export { heal, check, repair } from 'antiphon/${codec}'`)), oneCodecMax)
    })
  }
  await checks.add("a browser's bundle with everything in the front door", async () => {
    return weigh(pure(await bundle(project, "export * from 'antiphon'")), allCodecsMax)
  })
  await checks.add("antiphon/fetch in a browser's bundle", async () => {
    // Its tape asks Node for a file only where there is a Node, and imports nothing of it.
    return weigh(await bundle(project, "export * from 'antiphon/fetch'"))
  })
  for (const specifier of ['antiphon', 'antiphon/openai-chat']) {
    await checks.add(`${specifier} heals where there is nothing but the language`, async () => {
      const code = await bundle(project, `import { heal } from '${specifier}'\n${healing}\nresult = healed`, 'iife')
      must(JSON.stringify(runInNewContext(`let result\n${code}\nresult`)) === expected, 'it healed something else')
    })
    await checks.add(`${specifier} heals in a web worker`, () => checkWorker(project, specifier))
  }
}

const healing = `
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }
const healed = heal([
  { role: 'user', content: 'How is the weather?' },
  { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' },
  { role: 'assistant', content: null, tool_calls: [call] },
]).map(({ role }) => role)`

const expected = JSON.stringify(['user', 'assistant', 'tool'])

/** Deno's workers are those of a browser. */
async function checkWorker(project: string, specifier: string): Promise<void> {
  const runtime = runtimes.find(({ name }) => name === 'Deno')
  const code = await bundle(project, `import { heal } from '${specifier}'\n${healing}\npostMessage(healed)`)
  await writeFile(join(project, 'worker.js'), code)
  const told = await spawn([...(runtime?.command ?? []), 'in-worker.mjs', 'worker.js'], project)
  must(told.trim() === expected, `it said ${told}`)
}

/** The bundle of a small program, minified, for a browser: an import of Node in it is an error. */
export async function bundle(project: string, contents: string, format: 'esm' | 'iife' = 'esm'): Promise<string> {
  const { build } = (await import('esbuild' as string)) as Bundler
  const stdin = { contents, resolveDir: project }
  const { outputFiles } = await build({
    ...{ stdin, format, bundle: true, minify: true, write: false, platform: 'browser', logLevel: 'silent' },
    ...{ target: 'es2023' },
  })
  return outputFiles[0].text
}

interface Bundler {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>
}

/** Names no module of Node, not even one that it would only ask for. */
export function pure(code: string): string {
  must(!/["'`]node:/.test(code), 'it names a module of Node')
  return code
}

function weigh(code: string, max = Number.POSITIVE_INFINITY): string {
  const { length } = gzipSync(code, { level: 9 })
  must(length <= max, `${length} bytes gzipped, and ${max} at most`)
  return `${length} bytes gzipped`
}
