#!/usr/bin/env node
// Checked before any other import: an old Node would fail at an import that it does not support.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) await (await import('./program.ts')).run()
else {
  process.stderr.write(`antiphon: needs Node 22.18 or newer, this is ${process.versions.node}\n`)
  process.exitCode = 2
}

export {}
