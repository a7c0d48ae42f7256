#!/usr/bin/env node
// An old Node fails at an import of what it does not have, so it is told here, in front of all of them.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major > 22 || (major === 22 && minor >= 18)) await (await import('./program.ts')).run()
else {
  process.stderr.write(`antiphon: it needs Node 22.18 or newer, and this is ${process.versions.node}\n`)
  process.exitCode = 2
}

export {}
