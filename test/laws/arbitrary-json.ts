import type { Random } from './random.ts'

/** Any JSON value: nothing about it has to look like a message, but its keys often do. */
export function arbitraryJson(random: Random, depth = 4): unknown {
  const kind = random.int(depth > 0 ? 10 : 5)
  if (kind < 2) return random.pick(texts)
  if (kind === 2) return random.pick(numbers)
  if (kind === 3) return random.pick([null, true, false])
  if (kind === 4) return random.sentence()
  if (kind < 7) return arbitraryArray(random, depth)
  return arbitraryObject(random, depth)
}

/** A list of any values, often objects: the worst that a reader of histories is ever given. */
export function arbitraryHistory(random: Random): unknown[] {
  return Array.from({ length: random.int(8) }, () =>
    random.chance(0.7) ? arbitraryObject(random, 4) : arbitraryJson(random),
  )
}

function arbitraryArray(random: Random, depth: number): unknown[] {
  return Array.from({ length: random.int(4) }, () => arbitraryJson(random, depth - 1))
}

function arbitraryObject(random: Random, depth: number): unknown {
  const value: Record<string, unknown> = {}
  const count = random.int(6)
  for (let index = 0; index < count; index++) {
    value[random.pick(keys)] = random.chance(0.3) ? random.pick(names) : arbitraryJson(random, depth - 1)
  }
  return random.chance(0.05) ? withProtoKey(value, arbitraryJson(random, depth - 1)) : value
}

/** Only a parser makes an own key of this name; an assignment would set the prototype. */
function withProtoKey(value: Record<string, unknown>, proto: unknown): unknown {
  const entries = Object.entries({ ...value, PROTO: proto })
  const json = entries.map(
    ([key, entry]) => `${JSON.stringify(key).replace('PROTO', '__proto__')}:${JSON.stringify(entry)}`,
  )
  return JSON.parse(`{${json.join(',')}}`)
}

const keys = [
  'role',
  'type',
  'content',
  'text',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'tool_calls',
  'function',
  'arguments',
  'name',
  'input',
  'output',
  'parts',
  'summary',
  'thinking',
  'signature',
  'constructor',
  'toString',
  'length',
  '0',
  '',
  'ключ',
  '\ud800',
]

const names = [
  'user',
  'assistant',
  'system',
  'tool',
  'model',
  'message',
  'text',
  'tool_use',
  'tool_result',
  'function_call',
  'function_call_output',
  'reasoning',
  'thinking',
  'call_1',
]

const texts = [
  '',
  ' ',
  '\u0000',
  '\ud83d',
  'x\udc00y',
  '__proto__',
  'constructor',
  '{',
  '[]',
  'null',
  '\u2028',
  '\ufeff',
]

const numbers = [0, 1, -1, 0.1, 2 ** 31, 2 ** 53, -1e-7, 1e21, Number.MAX_VALUE, Number.MIN_VALUE]
