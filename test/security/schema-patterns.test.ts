import { expect, test } from 'vitest'
import { sampleText } from '../../src/strict/answers/sample-text.ts'

const hostile = [
  String.raw`^(\w+)+!$`,
  '^(a|a)*!$',
  '^(a|aa|aaa|a?)+!$',
  String.raw`^\w*\w*\w*\w*\w*\w*\w*\w*\w*\w*!$`,
  String.raw`^(\w?){60}\w{60}!$`,
  '^(?:(?:(?:x{100}){100}){100}){100}$',
  String.raw`^(?=(\w+)+!)`,
  String.raw`^(.*)\1\1\1!$`,
]

test.each(hostile)("[SE109] a schema's own pattern does not stop the strict providers: %s", pattern => {
  for (const minLength of [0, 28, 60, 5_000])
    expect(typeof sampleText({ type: 'string', pattern, minLength })).toBe('string')
})

test.each([
  [String.raw`^\d{4}-\d{2}-\d{2}$`, {}],
  ['^[A-Z]{2}[0-9]{6}$', {}],
  ['^[a-z0-9-]{3,63}$', { minLength: 40 }],
  ['^(GET|POST)$', {}],
  ['^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$', {}],
  [String.raw`^[^\s@]+@[^\s@]+\.[a-z]+$`, {}],
  ['^(ab)+c$', {}],
])('[SE109] an answer still fits the pattern of its schema: %s', (pattern, lengths) => {
  expect(sampleText({ type: 'string', pattern, ...lengths })).toMatch(new RegExp(pattern))
})
