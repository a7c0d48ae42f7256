import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Checks, must } from './checks.ts'
import { spawn } from './spawn.ts'
import { root } from './tools.ts'

const settings = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
}

/**
 * Has TypeScript read every subpath, our own declarations included, both ways a specifier can be resolved. What a
 * declaration names of a framework is taken from the packages that the tests use.
 */
export async function checkTypes(
  checks: Checks,
  project: string,
  specifiers: readonly string[],
  peers: readonly string[],
): Promise<void> {
  await checkWithoutNode(checks, project)
  await Promise.all(['@types/node', ...peers].map(name => borrow(name, project)))
  await Promise.all(specifiers.map(specifier => writeFile(join(project, programOf(specifier)), program(specifier))))
  for (const [name, setting] of Object.entries(settings)) {
    const errors = await errorsOf(project, { ...setting, types: ['node'], include: specifiers.map(programOf) })
    const first = specifiers.map(specifier => errors.find(line => line.startsWith(programOf(specifier))))
    for (const [index, specifier] of specifiers.entries())
      await checks.add(`types, ${name}: ${specifier} resolves`, () => must(!first[index], String(first[index])))
    const own = errors.filter(line => line.startsWith('node_modules/antiphon/'))
    await checks.add(`types, ${name}: our declarations hold without skipLibCheck`, () =>
      must(own.length === 0, `${own.length} errors, first ${own[0]}`),
    )
  }
}

/** The front door asks for no types of Node, nor of a browser. */
async function checkWithoutNode(checks: Checks, project: string): Promise<void> {
  await writeFile(join(project, 'plain.mts'), program('antiphon'))
  for (const [name, setting] of Object.entries(settings))
    await checks.add(`types, ${name}: antiphon needs neither @types/node nor DOM`, async () => {
      const errors = await errorsOf(project, { ...setting, types: [], include: ['plain.mts'] })
      must(errors.length === 0, errors[0])
    })
}

const programOf = (specifier: string): string => `types-${specifier.replaceAll('/', '-')}.mts`

const program = (specifier: string): string => `import * as found from '${specifier}'
type IsAny<T> = 0 extends 1 & T ? true : false
export const isUntyped: IsAny<typeof found> = false
`

interface Setting {
  readonly module: string
  readonly moduleResolution: string
  readonly types: readonly string[]
  readonly include: readonly string[]
}

/** Every line in which the compiler names a file and an error. */
async function errorsOf(project: string, { include, ...setting }: Setting): Promise<string[]> {
  const fixed = { strict: true, noEmit: true, target: 'ES2023', lib: ['ES2023'], skipLibCheck: false }
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...fixed, ...setting }, include }),
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const told = await spawn([process.execPath, compiler, '-p', '.', '--pretty', 'false'], project).catch(error => {
    const { stdout, code } = (error as { cause: { stdout: string; code: unknown } }).cause
    // A compiler that found errors ends by itself; any other end tells nothing of the types.
    if (typeof code !== 'number' || !stdout.includes('error TS')) throw error
    return stdout
  })
  return told.split('\n').filter(line => /error TS\d+/.test(line))
}

/** A link to a package of the clone, where it finds what it needs itself. One that is installed already stays. */
async function borrow(name: string, project: string): Promise<void> {
  const place = join(project, 'node_modules', name)
  if (existsSync(place)) return
  await mkdir(dirname(place), { recursive: true })
  await symlink(join(root, 'node_modules', name), place, 'junction')
}
