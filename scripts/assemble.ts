/**
 * Writes src/integrations/proxy/outline/find-quotes-module.ts: the WebAssembly module of find-quotes.wat, assembled.
 * With --check it writes nothing, and fails if the file on disk differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import loadWabt from 'wabt'

const folder = join(dirname(import.meta.dirname), 'src/integrations/proxy/outline')
const target = join(folder, 'find-quotes-module.ts')

const wabt = await loadWabt()
const source = wabt.parseWat('find-quotes.wat', readFileSync(join(folder, 'find-quotes.wat'), 'utf8'))
const bytes = Buffer.from(source.toBinary({}).buffer)
const lines = bytes.toString('base64').match(/.{1,110}/g) ?? []
const text = `/** Assembled from find-quotes.wat by \`npm run assemble\`. */
export const moduleBase64 = [
${lines.map(line => `  '${line}',\n`).join('')}].join('')
`

if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (text !== readFileSync(target, 'utf8')) {
  console.error('src/integrations/proxy/outline/find-quotes-module.ts is stale: run npm run assemble')
  process.exitCode = 1
}
