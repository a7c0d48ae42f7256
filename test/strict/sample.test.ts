import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { sample, sampleInput } from '../../src/strict/answers/sample.ts'
import type { JsonObject } from '../../src/strict/json.ts'

const fits = (schema: z.ZodType): void => {
  const value = sample(z.toJSONSchema(schema))
  expect(schema.safeParse(value).error?.issues, JSON.stringify(value)).toBeUndefined()
}

describe('a sample fits', () => {
  test.each(
    Object.entries({
      email: z.email(),
      url: z.url(),
      uuid: z.uuid(),
      'date and time': z.iso.datetime(),
      date: z.iso.date(),
      time: z.iso.time(),
      duration: z.iso.duration(),
      'IP version 4': z.ipv4(),
      'IP version 6': z.ipv6(),
      'another kind of id': z.ulid(),
      'a long text': z.string().min(9),
      'a short text': z.string().max(2),
      'no text at all': z.string().max(0),
      'three digits': z.string().regex(/^\d{3}$/),
      'classes, groups, alternatives': z.string().regex(/^[A-Z]{2}-(?:foo|bar)(x[^a-z])?\.[\w-]+$/),
      'a pattern and a length': z
        .string()
        .regex(/^[a-f]+$/)
        .min(8)
        .max(10),
      'the beginning of a text': z.string().startsWith('abc'),
      'above a bound': z.number().gt(5),
      'between two bounds': z.number().gt(0.1).lt(0.2),
      'a whole number between two bounds': z.int().gt(5).lt(7),
      'below zero': z.number().negative(),
      multiples: z.int().multipleOf(7).min(20),
      'some of a list': z.array(z.string()).min(3),
      'a tuple': z.tuple([z.string(), z.number()]),
      'one of several': z.union([z.object({ kind: z.literal('a') }), z.string()]),
      'two at once': z.intersection(z.object({ a: z.string() }), z.object({ b: z.number().min(5) })),
      'maybe nothing': z.string().nullable(),
    }),
  )('%s', (_, schema) => {
    fits(z.object({ value: schema }))
    fits(schema)
  })

  test('a schema that holds itself', () => {
    const node = z.object({
      value: z.number(),
      get next(): z.ZodNullable<typeof node> {
        return node.nullable()
      },
    })
    fits(node)
  })

  test.each<[string, JsonObject, unknown]>([
    [
      'references',
      {
        $ref: '#/$defs/a~1b',
        $defs: {
          'a/b': { type: 'object', properties: { c: { $ref: '#/$defs/C' } }, required: ['c'] },
          C: { const: 7 },
        },
      },
      { c: 7 },
    ],
    [
      'what is chosen beside properties',
      { type: 'object', properties: { a: { type: 'integer' } }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 1 },
    ],
    [
      'what a choice says of a property',
      { properties: { a: { enum: [1, 2] } }, oneOf: [{ properties: { a: { const: 2 } }, required: ['a'] }] },
      { a: 2 },
    ],
    ['all of several', { allOf: [{ required: ['a'] }, { type: 'object', required: ['b'] }] }, { a: 'word', b: 'word' }],
    [
      'an older draft',
      { required: ['n'], properties: { n: { type: 'integer', minimum: 5, exclusiveMinimum: true } } },
      { n: 6 },
    ],
    [
      "Gemini's capitals",
      {
        type: 'OBJECT',
        properties: { a: { type: 'ARRAY', minItems: '2', items: { type: 'NUMBER' } } },
        required: ['a'],
      },
      { a: [1, 1] },
    ],
    [
      'names that every object has',
      { required: ['constructor', 'toString'], properties: { toString: { type: 'null' } } },
      { constructor: 'word', toString: null },
    ],
  ])('%s', (_, schema, value) => {
    expect(sample(schema)).toEqual(value)
  })
})

test('the input of a tool is an object, whatever its schema says', () => {
  for (const schema of [undefined, null, 7, {}, { type: 'array', minItems: 2 }, { type: 'string' }, { enum: [1] }])
    expect(sampleInput(schema)).toEqual({})
})

describe('a sample is small', () => {
  const nested = (depth: number): JsonObject =>
    depth === 0 ? { type: 'string' } : { type: 'array', minItems: 10, items: nested(depth - 1) }
  const twins = { type: 'object', properties: { a: { $ref: '#' }, b: { $ref: '#' } }, required: ['a', 'b'] }

  test.each<[string, JsonObject]>([
    ['lists in lists', nested(9)],
    ['one long list', { type: 'array', minItems: 1e9, items: {} }],
    ['a schema that holds itself twice', twins],
    ['a schema that is itself', { $ref: '#' }],
    ['a long text', { type: 'string', minLength: 1e9 }],
    ['a pattern of a long text', { type: 'string', pattern: '((a{9999}){9999}){9999}' }],
    ['a deep pattern', { type: 'string', pattern: `${'('.repeat(1e5)}${')'.repeat(1e5)}` }],
  ])('%s', (_, schema) => {
    expect(JSON.stringify(sample(schema)).length).toBeLessThan(20_000)
  })
})
