/**
 * Tries the package as its users get it: packed, and installed into empty projects. One line a check; it fails at the end if
 * one of them failed.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkBrowser } from './browser.ts'
import { checkBundles } from './bundles.ts'
import { Checks } from './checks.ts'
import { checkAudit, checkContents, checkEngines } from './contents.ts'
import { checkRuntimes } from './on-runtimes.ts'
import { makeFolder, makeProject, pack } from './project.ts'
import { ensureTools, readJson, root, runtimes, specifiersOf } from './tools.ts'
import { checkResolution, checkTypes } from './types.ts'

const checks = new Checks()
const manifest = await readJson(join(root, 'package.json'))
const specifiers = specifiersOf(manifest)
const peers = Object.keys(manifest.peerDependencies ?? {})
await ensureTools(console.log)
const folder = await makeFolder(peers)
try {
  console.log('packing (npm pack, which builds)')
  const packed = await pack(folder)
  await checkContents(checks, packed, manifest)
  await checkResolution(checks, packed.file)
  const project = await makeProject(folder, 'empty', packed.file)
  await checkEngines(checks, project, runtimes[1])
  await checkAudit(checks, project)
  await checkBundles(checks, project)
  await checkBrowser(checks, project)
  await checkRuntimes(checks, project, specifiers)
  const typed = await makeProject(folder, 'typed', packed.file)
  await checkTypes(checks, typed, specifiers, peers)
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = checks.end() ? 0 : 1
