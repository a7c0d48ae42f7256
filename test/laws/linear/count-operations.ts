import { getEventListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

/**
 * Counts what the code of the package does instead of how long it takes. Every function and every loop in it counts how often
 * it was entered, every spread how much it copied; the methods of arrays and objects that walk along their whole length count
 * that. A test runs it in a process of its own, since it changes what is loaded.
 */
export interface Operations {
  /** What `run` did, by place. */
  count(run: () => unknown): Promise<Map<string, number>>
}

interface Counters {
  readonly counts: Float64Array
  readonly places: string[]
}

const counters: Counters = { counts: new Float64Array(20_000), places: [] }

/** Puts counters into the modules that are meant, from now on. */
export function countOperations(isMeant: (url: string) => boolean): Operations {
  Object.assign(globalThis, { $counts: counters.counts, $site: site, $copied: copied, $called: called })
  countBuiltins()
  registerHooks({
    load(url, context, nextLoad) {
      if (!isMeant(url)) return nextLoad(url, context)
      return { format: 'module-typescript', source: withCounters(fileURLToPath(url)), shortCircuit: true }
    },
  })
  return {
    async count(run) {
      const { counts, places } = counters
      for (let at = 0; at < places.length; at++) counts[at] = 0
      await run()
      const seen = new Map<string, number>()
      for (let at = 0; at < places.length; at++) if (counts[at] > 0) seen.set(places[at], counts[at])
      return seen
    },
  }
}

function place(name: string): number {
  if (counters.places.length === counters.counts.length) throw new RangeError('more places than counters: make room')
  return counters.places.push(name) - 1
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

const loops: ReadonlySet<string> = new Set([
  'ForStatement',
  'ForOfStatement',
  'ForInStatement',
  'WhileStatement',
  'DoWhileStatement',
])

const keysOf = Object.keys

type Walk = { readonly owner: object; length(value: unknown, made: unknown, given?: readonly unknown[]): number }

/** By the length of what they are called on, or of what they make. */
const walking = (owner: object, names: readonly string[]): Record<string, Walk> =>
  Object.fromEntries(names.map(name => [name, { owner, length: value => sizeOf(value) }]))
const making = (owner: object, names: readonly string[]): Record<string, Walk> =>
  Object.fromEntries(names.map(name => [name, { owner, length: (_, made) => sizeOf(made) }]))

/** Methods that walk along a list, a record or a text, and how far. */
const walks: Readonly<Record<string, Walk>> = {
  ...walking(Array.prototype, [
    'includes',
    'indexOf',
    'lastIndexOf',
    'splice',
    'shift',
    'unshift',
    'join',
    'reverse',
    'fill',
  ]),
  ...making(Array.prototype, ['slice', 'concat']),
  ...making(Object, ['keys', 'values', 'entries', 'fromEntries', 'assign']),
  ...making(JSON, ['stringify']),
  ...walking(String.prototype, ['replaceAll', 'split', 'search', 'match', 'toLowerCase']),
  parse: { owner: JSON, length: (_value, _made, given) => sizeOf(given?.[0]) },
  // Node compares a new listener with all others.
  addEventListener: {
    owner: EventTarget.prototype,
    length: value => (value instanceof AbortSignal ? getEventListeners(value, 'abort').length : 0),
  },
}

const collections: ReadonlySet<unknown> = new Set(['Set', 'Map'])

function withCounters(path: string): string {
  const text = readFileSync(path, 'utf8')
  const name = basename(path)
  const inserts: { readonly at: number; readonly text: string }[] = []
  const wrap = ({ start, end }: Node, before: string, after: string): void => {
    inserts.push({ at: start, text: before }, { at: end, text: after })
  }
  const placeOf = (start: number): number => place(`${name}:${text.slice(0, start).split('\n').length}`)
  const countBody = (body: Node): void => {
    const counting = `$counts[${placeOf(body.start)}]++`
    if (body.type === 'BlockStatement' || body.type === 'FunctionBody')
      inserts.push({ at: body.start + 1, text: `;${counting};` })
    else if (body.type.endsWith('Statement')) wrap(body, `{${counting};`, '}')
    else wrap(body, `(${counting},`, ')')
  }
  const chains = new Set<number>()
  visit(parseSync(path, text).program as unknown as Node, node => {
    const { body, argument, callee, arguments: given } = node as Node & Record<string, unknown>
    if (node.type === 'ChainExpression') chains.add(node.start)
    if (loops.has(node.type) || node.type.endsWith('FunctionExpression') || node.type === 'FunctionDeclaration') {
      if (isNode(body)) countBody(body)
    } else if (node.type === 'SpreadElement' && isNode(argument)) {
      wrap(argument, `$copied(${placeOf(node.start)},`, ')')
    } else if (node.type === 'NewExpression' && collections.has(nameOf(callee))) {
      for (const value of given as Node[]) wrap(value, `$copied(${placeOf(node.start)},`, ')')
    } else if (node.type === 'CallExpression' && methodOf(callee) in walks && !chains.has(node.start)) {
      wrap(node, `$called($site.now=${placeOf(node.start)},`, ')')
    }
  })
  return `const{$counts,$site,$copied,$called}=globalThis;${inserted(text, inserts)}`
}

/** What is inserted at one place stays in the order in which it was asked for. */
function inserted(text: string, inserts: { readonly at: number; readonly text: string }[]): string {
  let written = ''
  let from = 0
  for (const insert of inserts.sort((a, b) => a.at - b.at)) {
    written += text.slice(from, insert.at) + insert.text
    from = insert.at
  }
  return written + text.slice(from)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, see)
  }
}

const nameOf = (node: unknown): unknown => (isNode(node) ? (node as Node & { name?: unknown }).name : undefined)

const methodOf = (callee: unknown): string =>
  isNode(callee) && callee.type === 'MemberExpression'
    ? String(nameOf((callee as Node & { property?: unknown }).property))
    : ''

/** Copies are counted by their length, whatever is copied. */
function copied<T>(at: number, value: T): T {
  counters.counts[at] += sizeOf(value)
  return value
}

/** The place that calls next one of the methods that are counted: it is set before the call, whose value is passed on. */
const site = { now: place('elsewhere') }

const called = <T>(_: number, value: T): T => value

function sizeOf(value: unknown): number {
  if (value instanceof String) return value.length
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  if (value instanceof Map || value instanceof Set) return value.size
  return typeof value === 'object' && value !== null ? keysOf(value).length : 0
}

function countBuiltins(): void {
  for (const [name, { owner, length }] of Object.entries(walks)) {
    const methods = owner as Record<string, (...given: unknown[]) => unknown>
    const method = methods[name]
    methods[name] = function (this: unknown, ...given: unknown[]): unknown {
      const at = site.now
      site.now = 0
      const walked = length(this, undefined, given)
      const made = method.apply(this, given)
      counters.counts[at] += walked || length(undefined, made)
      return made
    }
  }
}
