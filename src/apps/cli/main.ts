#!/usr/bin/env node
import { enableCompileCache } from './compile-cache.ts'

// Checked before the program is imported: an old Node would fail at an import that it does not support.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [first, second] = process.argv.slice(2)
if (major > 20 || (major === 20 && minor >= 19)) {
  // Printed without the command line parser, because loading the parser takes longer than printing the version.
  if ((first === '--version' || first === '-V') && second === undefined) {
    const { version } = await import('./version.ts')
    process.stdout.write(`${version}\n`)
  } else {
    enableCompileCache()
    await (await import('./program.ts')).run()
  }
} else {
  process.stderr.write(`antiphon: needs Node 20.19 or newer, this is ${process.versions.node}\n`)
  process.exitCode = 2
}
