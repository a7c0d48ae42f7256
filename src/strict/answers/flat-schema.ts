import { isObject, type JsonObject, objectOf, objects } from '../json.ts'

/**
 * Resolves a schema into one object: its references, everything in `allOf`, and one option of `anyOf` and `oneOf`. `isDeep`
 * prefers an option that leads no deeper, since a schema may contain itself.
 */
export function flatSchema(schema: JsonObject, root: unknown, isDeep: boolean, hops = 0): JsonObject {
  const { $ref, allOf, anyOf, oneOf, ...own } = schema
  const parts = [...referred($ref, root), ...objects(allOf), ...choice(anyOf, isDeep), ...choice(oneOf, isDeep)]
  if (hops > hopsMax) return own
  return parts.map(part => flatSchema(part, root, isDeep, hops + 1)).reduce(joined, own)
}

/** References may be circular. */
const hopsMax = 8

function choice(options: unknown, isDeep: boolean): JsonObject[] {
  const all = objects(options)
  const leaf = isDeep ? all.find(({ type }) => leaves.has(String(type).toLowerCase())) : undefined
  return leaf ? [leaf] : all.slice(0, 1)
}

const leaves = new Set(['null', 'string', 'number', 'integer', 'boolean'])

/** The target of a reference like `#/$defs/City`. Other documents are not read. */
function referred($ref: unknown, root: unknown): JsonObject[] {
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return []
  const keys = $ref.slice(1).split('/').slice(1)
  return objects([keys.map(unescaped).reduce(memberOf, root)])
}

const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined

function joined(one: JsonObject, other: JsonObject): JsonObject {
  const properties = new Map(Object.entries(objectOf(one.properties)))
  for (const [name, schema] of Object.entries(objectOf(other.properties))) {
    const known = properties.get(name)
    properties.set(name, known === undefined ? schema : { allOf: [known, schema] })
  }
  const required = [...new Set([one.required, other.required].flatMap(names => (Array.isArray(names) ? names : [])))]
  return {
    ...one,
    ...other,
    ...((isObject(one.properties) || isObject(other.properties)) && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
  }
}
