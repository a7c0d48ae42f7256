import { existsSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Checks, must } from './checks.ts'
import { spawn } from './spawn.ts'
import { root } from './tools.ts'

const settings = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', extension: 'mts' },
  commonjs: { module: 'nodenext', moduleResolution: 'nodenext', extension: 'cts' },
  bundler: { module: 'esnext', moduleResolution: 'bundler', extension: 'mts' },
}

/** Asks the two tools of the field how every way of resolving a specifier ends. They are not among our own dependencies. */
export async function checkResolution(checks: Checks, tarball: string): Promise<void> {
  const said = await spawn([process.execPath, join(import.meta.dirname, 'resolution.mjs'), tarball], root)
  const { types, manifest } = JSON.parse(said) as { types: string[]; manifest: string[] }
  await checks.add('@arethetypeswrong/core finds no problem', () => must(types.length === 0, types.join(', ')))
  await checks.add('publint finds no problem', () => must(manifest.length === 0, manifest.join(', ')))
}

/**
 * Has TypeScript read every subpath, our own declarations included, every way a specifier can be resolved. What a
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
  for (const [name, { extension, ...setting }] of Object.entries(settings)) {
    const programs = specifiers.map(specifier => `types-${specifier.replaceAll('/', '-')}.${extension}`)
    await Promise.all(programs.map((file, index) => writeFile(join(project, file), program(specifiers[index]))))
    const errors = await errorsOf(project, { ...setting, types: ['node'], include: programs })
    const first = programs.map(file => errors.find(line => line.startsWith(file)))
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
  for (const [name, { extension, ...setting }] of Object.entries(settings))
    await checks.add(`types, ${name}: antiphon needs neither @types/node nor DOM`, async () => {
      const plain = `plain.${extension}`
      await writeFile(join(project, plain), program('antiphon'))
      const errors = await errorsOf(project, { ...setting, types: [], include: [plain] })
      must(errors.length === 0, errors[0])
    })
}

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
