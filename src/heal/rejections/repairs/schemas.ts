import { isRecord } from '../../../core/conversation.ts'
import { isRawNumber } from '../../../core/json/exact-json.ts'
import { asFields, type MutableFields, scalarText } from '../../../core/request/body-draft.ts'
import { declaredTools } from '../../../core/request/declared-tools.ts'
import type { RequestDraft } from '../request-draft.ts'

/**
 * Schemas of tools in the plain form that strict providers accept: references resolved, one type per node, no type next to
 * `anyOf`.
 */
export function plainSchemas(draft: RequestDraft): void {
  eachSchema(draft, (name, schema, write) => {
    const plain = writeOut(schema)
    if (plain === undefined || JSON.stringify(plain) === JSON.stringify(schema)) return
    draft.change('lossless', 'tools', `the schema of the tool ${name} is written out, without references`, () =>
      write(plain),
    )
  })
}

/** Schemas without a key that the provider does not know; if the key is part of a reference, references are resolved. */
export function dropSchemaKey(draft: RequestDraft): void {
  const { parameter = '' } = draft.rejection
  if (/^(\$?ref|\$?defs|definitions)$/.test(parameter)) plainSchemas(draft)
  if (!kept.has(parameter)) dropKeys(draft, new Set([parameter]))
}

/** Patterns and formats, which a grammar cannot express. */
export const dropSchemaPatterns = (draft: RequestDraft): void => dropKeys(draft, new Set(['pattern', 'format']))

/** Keys without which a schema has no meaning. */
const kept = new Set(['type', 'properties', 'items', ''])

function dropKeys(draft: RequestDraft, keys: ReadonlySet<string>): void {
  const strip = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(strip)
    if (!isNode(node)) return node
    const plain: MutableFields = {}
    for (const [key, value] of Object.entries(node)) {
      if (keys.has(key)) continue
      plain[key] =
        key === 'properties' && isNode(value)
          ? Object.fromEntries(Object.entries(value).map(([name, property]) => [name, strip(property)]))
          : literal.has(key)
            ? value
            : strip(value)
    }
    return plain
  }
  eachSchema(draft, (name, schema, write) => {
    const plain = strip(schema)
    if (JSON.stringify(plain) === JSON.stringify(schema)) return
    const message = `the schema of the tool ${name} loses ${[...keys].join(' and ')}, which the provider does not accept`
    draft.change('lossless', 'tools', message, () => write(plain))
  })
}

/** The schema of each declared tool, and how to write another. */
function eachSchema(
  draft: RequestDraft,
  visit: (name: string, schema: MutableFields, write: (plain: unknown) => void) => void,
): void {
  for (const { holder } of declaredTools(draft)) {
    const wrapped = asFields(holder.inputSchema)
    const places: readonly (readonly [MutableFields | undefined, string])[] = [
      [holder, 'parameters'],
      [holder, 'input_schema'],
      [holder, 'parametersJsonSchema'],
      [wrapped, 'json'],
    ]
    for (const [place, key] of places) {
      const schema = asFields(place?.[key])
      if (place && schema)
        visit(scalarText(holder.name), schema, plain => {
          place[key] = plain
        })
    }
  }
}

/** A schema without references. Undefined if it would have too many nodes: definitions that refer to each other multiply. */
function writeOut(root: MutableFields): MutableFields | undefined {
  let left = nodesMax
  const plainNode = (node: unknown, open: readonly string[]): unknown => {
    if (--left < 0) return node
    if (Array.isArray(node)) return node.map(one => plainNode(one, open))
    if (!isNode(node)) return node
    return typeof node.$ref === 'string' ? resolved(node, node.$ref, open) : plainFields(node, open)
  }
  const resolved = (node: MutableFields, $ref: string, open: readonly string[]): unknown => {
    const target = open.includes($ref) || open.length >= openMax ? undefined : resolve(root, $ref)
    // A definition that refers to itself has no end: any object takes its place.
    if (target === undefined) return { type: 'object' }
    const { $ref: _, ...siblings } = node
    return plainNode({ ...(target as MutableFields), ...siblings }, [...open, $ref])
  }
  const plainFields = (node: MutableFields, open: readonly string[]): MutableFields => {
    const plain: MutableFields = {}
    for (const [key, value] of Object.entries(node)) {
      if (key === '$defs' || key === 'definitions' || key === '$schema') continue
      if (key === 'properties' && isNode(value))
        plain[key] = Object.fromEntries(
          Object.entries(value).map(([name, property]) => [name, plainNode(property, open)]),
        )
      else plain[key] = literal.has(key) ? value : plainNode(value, open)
    }
    return withOneType(plain)
  }
  const plain = plainNode(root, []) as MutableFields
  return left < 0 ? undefined : plain
}

/** A single type instead of a list of types, and no type next to alternatives, each of which has it. */
function withOneType(plain: MutableFields): MutableFields {
  const types = Array.isArray(plain.type) ? plain.type.filter(type => type !== 'null') : undefined
  if (types && types.length > 0) plain.type = types[0]
  if (!Array.isArray(plain.anyOf) || plain.type === undefined) return plain
  const { type, ...rest } = plain
  return { ...rest, anyOf: plain.anyOf.map(one => (isNode(one) && one.type === undefined ? { type, ...one } : one)) }
}

const [nodesMax, openMax] = [20_000, 100]

/** A long number is an object too, and has no keys of a schema. */
const isNode = (value: unknown): value is MutableFields => isRecord(value) && !isRawNumber(value)

/** What these keys hold is data, not schema. */
const literal = new Set(['enum', 'const', 'default', 'examples', 'example', 'required'])

function resolve(root: MutableFields, ref: string): unknown {
  let value: unknown = root
  for (const step of ref.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    value = asFields(value)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')]
    if (value === undefined) return undefined
  }
  return isNode(value) ? value : undefined
}
