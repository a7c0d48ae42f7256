import type { Random } from '../laws/random.ts'

/** A value with some changes to its structure: parts replaced, left out, repeated, put elsewhere, of other types, or deeply nested. */
export function mutateJson(value: unknown, random: Random, changes = random.range(1, 3)): unknown {
  let changed = value
  for (let change = 0; change < changes; change++) changed = mutateOnce(changed, random)
  return changed
}

function mutateOnce(value: unknown, random: Random): unknown {
  const place = random.pick(placesIn(value))
  return put(value, place, old => changedNode(old, value, random))
}

type Place = readonly (string | number)[]

/** Where anything stands. */
function placesIn(value: unknown, at: Place = [], found: Place[] = []): Place[] {
  found.push(at)
  if (found.length > 5_000 || typeof value !== 'object' || value === null) return found
  for (const [key, item] of Object.entries(value))
    placesIn(item, [...at, Array.isArray(value) ? Number(key) : key], found)
  return found
}

function put(value: unknown, [key, ...rest]: Place, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value)
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? put(item, rest, change) : item))
  return Object.fromEntries(
    Object.entries(value as object).map(([name, item]) => [name, name === key ? put(item, rest, change) : item]),
  )
}

function changedNode(old: unknown, whole: unknown, random: Random): unknown {
  const inside = typeof old === 'object' && old !== null
  if (inside && random.chance(0.6)) return Array.isArray(old) ? changedList(old, random) : changedRecord(old, random)
  if (typeof old === 'string' && random.chance(0.5)) return changedText(old, random)
  switch (random.int(8)) {
    case 0:
      return [old]
    case 1:
      return { [random.pick(keys)]: old }
    case 2:
      return nested(old, random.pick([20, 200, 2_000]))
    case 3:
      return at(whole, random.pick(placesIn(whole)))
    default:
      return random.pick(values)
  }
}

function changedList(list: readonly unknown[], random: Random): unknown {
  const index = random.int(list.length + 1)
  switch (random.int(6)) {
    case 0:
      return list.toSpliced(index, 1)
    case 1:
      return list.length === 0 ? [null] : list.toSpliced(index, 0, random.pick(list))
    case 2:
      return random.shuffle(list)
    case 3:
      return list.slice(0, index)
    case 4:
      return list.toSpliced(index, 0, random.pick(values))
    default:
      return { ...list }
  }
}

function changedRecord(record: object, random: Random): unknown {
  const entries = Object.entries(record)
  const index = random.int(entries.length + 1)
  const known = entries.length === 0 ? 'id' : random.pick(entries)[0]
  switch (random.int(6)) {
    case 0:
      return Object.fromEntries(entries.toSpliced(index, 1))
    case 1:
      return Object.fromEntries([...entries, [random.pick(keys), random.pick(values)]])
    case 2:
      return Object.fromEntries(entries.map(([key, item]) => [key, key === known ? random.pick(values) : item]))
    case 3:
      return Object.fromEntries(random.shuffle(entries))
    case 4:
      return entries.length < 2
        ? entries
        : Object.fromEntries(entries.map(([key], place) => [key, entries[(place + 1) % entries.length][1]]))
    default:
      return Object.values(record)
  }
}

function changedText(text: string, random: Random): unknown {
  try {
    const inner: unknown = JSON.parse(text)
    if (typeof inner === 'object' && inner !== null && random.chance(0.7))
      return JSON.stringify(mutateOnce(inner, random))
  } catch {
    // It is text and nothing else.
  }
  switch (random.int(6)) {
    case 0:
      return text.slice(0, random.int(text.length + 1))
    case 1:
      return text + text
    case 2:
      return text.toUpperCase()
    case 3:
      return ` ${text}\u0000\ud800`
    case 4:
      return Number(text)
    default:
      return random.pick(texts)
  }
}

function nested(value: unknown, depth: number): unknown {
  let outer = value
  for (let level = 0; level < depth; level++) outer = level % 2 === 0 ? [outer] : { content: outer }
  return outer
}

function at(value: unknown, place: Place): unknown {
  let found = value
  for (const key of place) found = (found as Record<string | number, unknown>)[key]
  return found
}

const keys = [
  ...['id', 'type', 'role', 'content', 'parts', 'messages', 'tool_calls', 'call_id', 'name', 'input', 'output'],
  ...['__proto__', 'constructor', 'toString', 'length', '0', '', 'toJSON', 'then', 'parentUuid', 'payload', 'status'],
]

const texts = [
  ...['', ' ', '\n', '\u0000', '\ud800', '💥', '__proto__', 'null', '{', '[]', '{"a":1}', '-1', '1e999', '../../x'],
  ...['user', 'assistant', 'tool', 'system', 'tool_use', 'tool_result', 'text', 'function_call', 'x'.repeat(5_000)],
]

const values: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e300, Number.MAX_SAFE_INTEGER + 2, [], {}, [[]], [null], { id: null }],
  ...[['a', 1, {}], { type: 'text', text: 7 }, { role: 'tool' }, { type: 'tool_use', id: 'x', name: 'y', input: 3 }],
  ...[
    { role: 'assistant', content: [{ type: 'tool_use' }] },
    { type: 'tool_result', tool_use_id: [] },
  ],
  ...texts,
]
