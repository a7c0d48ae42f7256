import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync } from 'vite'

/** One reference from a file to another: both are paths from the root of the repository. */
export type Import = { from: string; to: string }

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The files that match, as paths from the root with forward slashes, in order. */
export function files(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: root })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => !path.includes('node_modules/'))
    .sort()
}

export const exists = (path: string): boolean => existsSync(join(root, path))

/** The text of a file, or undefined if there is none. */
export const read = (path: string): string | undefined =>
  exists(path) ? readFileSync(join(root, path), 'utf8') : undefined

/** The file of a rule, or the one beside it with its examples; a path that does not exist if there is none. */
export const ruleFile = (id: string, suffix = ''): string =>
  files(`src/core/rules/*/${id}${suffix}.ts`)[0] ?? `src/core/rules/*/${id}${suffix}.ts`

/** What a module exports. Throws with the path if the module is not there. */
export async function load(path: string): Promise<Record<string, unknown>> {
  if (!exists(path)) throw new Error(`${path} does not exist`)
  return import(pathToFileURL(join(root, path)).href)
}

/** Every module that a file names: static, dynamic, re-exported, or in a type. */
export const specifiers = (path: string): readonly string[] => survey(path).specifiers

/** The imports of a file that stay in the repository. */
export function imports(path: string): Import[] {
  return specifiers(path)
    .filter(specifier => specifier.startsWith('.'))
    .map(specifier => ({ from: path, to: posix.join(posix.dirname(path), specifier) }))
}

/** The names that a file uses as variables or types, and the two-part paths it reads, like `Math.random`. */
export const names = (path: string): ReadonlySet<string> => survey(path).names

/** The text of every string and template in a file. */
export const strings = (path: string): readonly string[] => survey(path).strings

/** One import circle, as the files along it with the first one again at the end; undefined if there is none. */
export function circle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>()
  const search = (file: string, trail: string[]): string[] | undefined => {
    const start = trail.indexOf(file)
    if (start >= 0) return [...trail.slice(start), file]
    if (done.has(file)) return undefined
    for (const next of graph.get(file) ?? []) {
      const found = search(next, [...trail, file])
      if (found) return found
    }
    done.add(file)
    return undefined
  }
  for (const file of graph.keys()) {
    const found = search(file, [])
    if (found) return found
  }
  return undefined
}

type Node = { type: string; [key: string]: unknown }

interface Survey {
  readonly specifiers: readonly string[]
  readonly names: ReadonlySet<string>
  readonly strings: readonly string[]
}

/** Each file is parsed once. */
const surveys = new Map<string, Survey>()

function survey(path: string): Survey {
  const known = surveys.get(path)
  if (known) return known
  const found = { specifiers: [] as string[], names: new Set<string>(), strings: [] as string[] }
  visit(parse(path), (node, parent) => {
    const { type, source, value } = node
    if (isNode(source) && typeof source.value === 'string') found.specifiers.push(source.value)
    if (type === 'Identifier' && !isLabel(node, parent)) found.names.add(String(node.name))
    if (type === 'MemberExpression') found.names.add(dotted(node))
    if (type === 'Literal' && typeof value === 'string') found.strings.push(value)
    if (type === 'TemplateElement') found.strings.push((value as { raw: string }).raw)
  })
  surveys.set(path, found)
  return found
}

function parse(path: string): Node {
  const { program, errors } = parseSync(path, read(path) ?? '')
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0].message}`)
  return program as unknown as Node
}

function visit(node: Node, see: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  see(node, parent)
  for (const child of Object.values(node))
    if (Array.isArray(child)) for (const each of child) isNode(each) && visit(each, see, node)
    else if (isNode(child)) visit(child, see, node)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** A name after a dot, or in front of a colon: it refers to no variable. */
const isLabel = (node: Node, parent: Node | undefined): boolean =>
  parent?.computed === false && (parent.property === node || parent.key === node)

function dotted({ object, property }: Node): string {
  const [owner, member] = [object, property].map(node => (node as Node).name ?? '')
  return `${owner}.${member}`
}

/** The file that a subpath of the package is built from. */
export function sourceOfExport(subpath: string): string {
  const { types } = JSON.parse(read('package.json') ?? '').exports[subpath]
  return types.replace('./dist/types/', 'src/').replace(/\.d\.ts$/, '.ts')
}
