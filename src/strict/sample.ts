import { isObject, objectOf, objects } from './json.ts'

/** A small value that fits a JSON schema: what is required is filled in, and nothing else. No schema gives `{}`. */
export function sample(schema: unknown, depth = 0): unknown {
  if (!isObject(schema)) return depth === 0 ? {} : 'word'
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0]
  const [choice] = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(objects)
  if (choice && depth < depthMax) return sample(choice, depth + 1)
  return byType(schema, depth)
}

function byType(schema: { [key: string]: unknown }, depth: number): unknown {
  const type = String(Array.isArray(schema.type) ? schema.type[0] : schema.type).toLowerCase()
  if (type === 'number' || type === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 1
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'array')
    return Array.from({ length: Number(schema.minItems ?? 0) }, () => sample(schema.items, depth + 1))
  if (type === 'string') return 'word'
  if (type === 'object' || isObject(schema.properties) || depth === 0) return required(schema, depth)
  return 'word'
}

function required(schema: { [key: string]: unknown }, depth: number): unknown {
  const names = Array.isArray(schema.required) && depth < depthMax ? schema.required.map(String) : []
  const properties = objectOf(schema.properties)
  return Object.fromEntries(names.map(name => [name, sample(properties[name], depth + 1)]))
}

/** A schema may hold itself. */
const depthMax = 8
