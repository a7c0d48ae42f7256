import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Checks, must } from './checks.ts'
import type { Packed } from './project.ts'
import { npm, spawn } from './spawn.ts'
import { type Manifest, type Runtime, root } from './tools.ts'

/** What lies in the package that is published, and what is installed with it. */
export async function checkContents(checks: Checks, packed: Packed, manifest: Manifest): Promise<void> {
  const paths = packed.files.map(({ path }) => path)
  await checks.add('only what is used is packed', () => {
    const stray = paths.filter(path => !allowed.test(path) || unwanted.test(path))
    must(stray.length === 0, `${stray.length} files do not belong there: ${stray.slice(0, 5).join(', ')}`)
    return `${paths.length} files, ${kilobytes(packed.size)} packed, ${kilobytes(packed.unpackedSize)} unpacked`
  })
  await checks.add('every export is packed, with its types', () => {
    const targets = Object.values(manifest.exports).flatMap(targetsOf)
    const absent = targets.filter(target => !paths.includes(target.slice('./'.length)))
    must(absent.length === 0, `not there: ${absent.join(', ')}`)
  })
  await checks.add('docs/dependencies.md gives the reason of every dependency', async () => {
    const page = await readFile(join(root, 'docs/dependencies.md'), 'utf8')
    const listed = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name)
    const wanted = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {})]
    const differing = [
      ...wanted.filter(name => !listed.includes(name)).map(name => `${name} is not in it`),
      ...listed.filter(name => !wanted.includes(name)).map(name => `${name} is no dependency any more`),
    ]
    must(differing.length === 0, differing.join(', '))
  })
}

const targetsOf = (target: unknown): string[] =>
  typeof target === 'string' ? [target] : Object.values(target as Record<string, unknown>).flatMap(targetsOf)

/** What each installed package asks of Node. npm itself only warns. */
export async function checkEngines(checks: Checks, project: string, oldest: Runtime): Promise<void> {
  await checks.add(`${oldest.name} is new enough for every dependency`, async () => {
    const script = process.env.npm_execpath
    must(script !== undefined, 'run it by npm: npm run package')
    const [node] = oldest.command
    const words = ['ci', '--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund']
    await spawn([node, script, ...words], project).catch(error => {
      const { stderr } = (error as { cause: { stderr: string } }).cause
      throw new Error(stderr.match(/^npm error engine (Not compatible .*)$/m)?.[1] ?? error.message)
    })
  })
}

const allowed = /^((dist|docs)\/|(README|SPEC|CHANGELOG)\.md$|LICENSE$|package\.json$)/
/** The examples of rules go along: `antiphon explain` shows them. */
const unwanted = /\.(test|fuzz|soak|sources)\.|\.map$|(?<!\.d)\.ts$|\.tsx$|\.tgz$/

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} KB`

/** Asks the registry for known holes in what a user installs. Not every registry can be asked. */
export async function checkAudit(checks: Checks, project: string): Promise<void> {
  const name = 'npm audit --omit=dev'
  const told = await npm(project, 'audit', '--omit=dev', '--json').catch(
    error => (error as { cause: { stdout?: string } }).cause.stdout ?? '',
  )
  const answer = readAudit(told)
  if (!answer?.metadata) checks.unknown(name, `the registry does not answer it here (${answer?.message ?? 'no words'})`)
  else
    await checks.add(name, () => {
      const { total } = answer.metadata?.vulnerabilities ?? { total: 0 }
      must(total === 0, `${total} known holes: run npm audit --omit=dev`)
    })
}

interface Audit {
  readonly message?: string
  readonly metadata?: { readonly vulnerabilities: { readonly total: number } }
}

function readAudit(text: string): Audit | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
