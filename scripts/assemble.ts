/**
 * Writes the WebAssembly modules as TypeScript: `NAME-module.ts` beside each `NAME.wat`. With --check it writes
 * nothing, and fails if a file on disk differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import loadWabt from 'wabt'

const sources = ['src/integrations/proxy/outline/find-quotes', 'src/doctor/skim/mark-lines']

const root = dirname(import.meta.dirname)
const wabt = await loadWabt()
for (const source of sources) {
  const name = basename(source)
  const target = join(root, `${source}-module.ts`)
  const module = wabt.parseWat(`${name}.wat`, readFileSync(join(root, `${source}.wat`), 'utf8'))
  const bytes = Buffer.from(module.toBinary({}).buffer)
  const lines = bytes.toString('base64').match(/.{1,110}/g) ?? []
  const text = `/** Assembled from ${name}.wat by \`npm run assemble\`. */
export const moduleBase64 = [
${lines.map(line => `  '${line}',\n`).join('')}].join('')
`
  if (!process.argv.includes('--check')) writeFileSync(target, text)
  else if (text !== readFileSync(target, 'utf8')) {
    console.error(`${source}-module.ts is stale: run npm run assemble`)
    process.exitCode = 1
  }
}
