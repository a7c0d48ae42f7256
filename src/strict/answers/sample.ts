import { isObject, type JsonObject, objectOf, objects } from '../json.ts'
import { flatSchema } from './flat-schema.ts'
import { sampleNumber } from './sample-number.ts'
import { sampleText } from './sample-text.ts'

/** A small value that matches a JSON schema: only required fields are filled in. Without a schema it is `{}`. */
export const sample = (schema: unknown): unknown => valueFor(schema, { root: schema, left: valuesMax }, 0)

/** The same for the input of a tool, which is always an object. */
export const sampleInput = (schema: unknown): JsonObject => objectOf(sample(schema))

/** State of one sample: the root for references, and how many values it may still create. */
interface Walk {
  root: unknown
  left: number
}

/** A schema may contain itself, or require very many values. */
const valuesMax = 1000
const depthMax = 16

function valueFor(written: unknown, walk: Walk, depth: number): unknown {
  walk.left -= 1
  if (!isObject(written)) return depth === 0 ? {} : 'word'
  const schema = flatSchema(written, walk.root, depth > depthMax / 2)
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0]
  const type = typeOf(schema) ?? (depth === 0 ? 'object' : 'string')
  if (type === 'number' || type === 'integer') return sampleNumber(schema, type === 'integer')
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'array') return arrayOf(schema, walk, depth)
  return type === 'object' ? requiredOf(schema, walk, depth) : sampleText(schema)
}

/** The declared type, or the one that other keywords imply. Gemini writes types in capitals. */
function typeOf(schema: JsonObject): string | undefined {
  const [type] = [schema.type].flat()
  if (typeof type === 'string') return type.toLowerCase()
  return Object.entries(hints).find(([, keys]) => keys.some(key => Object.hasOwn(schema, key)))?.[0]
}

const hints = {
  object: ['properties', 'required'],
  array: ['items', 'prefixItems', 'minItems'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
}

function arrayOf({ items, prefixItems, minItems }: JsonObject, walk: Walk, depth: number): unknown[] {
  const first = objects(prefixItems ?? items)
  const length = Math.max(first.length, Number(minItems) || 0)
  const values: unknown[] = []
  while (values.length < length && hasRoom(walk, depth))
    values.push(valueFor(first[values.length] ?? items, walk, depth + 1))
  return values
}

function requiredOf({ required, properties, additionalProperties }: JsonObject, walk: Walk, depth: number): JsonObject {
  if (!Array.isArray(required) || !hasRoom(walk, depth)) return {}
  const known = new Map(Object.entries(objectOf(properties)))
  return Object.fromEntries(
    required.map(name => [String(name), valueFor(known.get(String(name)) ?? additionalProperties, walk, depth + 1)]),
  )
}

const hasRoom = ({ left }: Walk, depth: number): boolean => left > 0 && depth < depthMax
