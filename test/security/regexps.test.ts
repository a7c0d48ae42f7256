import { join } from 'node:path'
import { expect, test } from 'vitest'
import { placeholdersOfOthers } from '../../src/core/placeholders-of-others.ts'
import { readRejection } from '../../src/heal/rejections/read-rejection.ts'
import { cleanText } from '../../src/observe/tape/clean-url.ts'
import { sampleOf } from '../sample.ts'
import { endsWithin, hostileTo, isNested, regexpsIn } from './regexps.ts'

/** Code that reads foreign text; the strict providers are for tests, and read those of the tester. */
const all = regexpsIn(join(import.meta.dirname, '../../src')).filter(({ file }) => !file.startsWith('strict'))

/** Each round of these begins with a letter that cannot end the one before, so there is one way to read a text. */
const plainRounds = new Set(['doctor/systems/plain/index.ts'])

test('[SE11] every pattern is found', () => {
  expect(all.length).toBeGreaterThan(300)
  expect(all.some(({ source }) => source.includes('Request interrupted by user'))).toBe(true)
  expect(['(a+)+', '(?:x*y)*z', '((ab)*c){2,}', '(a|b+)*'].map(isNested)).toEqual([true, true, true, true])
  expect(['(ab)+', 'a+b+', '(a{1,9})+', '[(a+)]+', String.raw`\(a+\)+`].map(isNested)).toEqual(Array(5).fill(false))
})

test('[SE11] none repeats without end what is repeated without end', () => {
  expect(all.filter(({ file, source }) => isNested(source) && !plainRounds.has(file))).toEqual([])
})

test('[SE11] each comes to its end on long texts that are made of what it looks for', () => {
  const endless = all.filter(one => /[*+]|\d,\}/.test(one.source))
  const texts = (one: (typeof all)[number]): string[] => [
    ...hostileTo(one, 60_000).filter(text => text[40] === text[41]),
    ...hostileTo(one, 6_000).filter((_, index) => index % 4 === 0),
  ]
  // A machine that is taken may stop for seconds: those that seem slow get a second try.
  const slow = sampleOf(endless, Math.ceil(endless.length / 4)).filter(one => !endsWithin(one, texts(one), 5_000))
  expect(slow.filter(one => !endsWithin(one, texts(one), 15_000))).toEqual([])
})

test('[SE11] a pattern that reads every rest of a text is noticed', () => {
  const bad = { file: '', source: String.raw`\w+ is not one of`, flags: '' }
  expect(endsWithin(bad, ['a'.repeat(200_000)], 1_000)).toBe(false)
})

test('[SE11] what is searched for refusals and keys may be as long as it comes', () => {
  const long = (unit: string): string => unit.repeat(Math.ceil((256 * 1024) / unit.length))
  const units = [
    'a',
    'tool_call_id of ',
    'Invalid input[1].id: ',
    'Function name was ',
    'eyJ-',
    'bearer ',
    'key=',
    '://',
    '@',
    '"',
  ]
  for (const unit of units) {
    expect(readRejection(400, long(unit))).toBeUndefined()
    expect(cleanText(long(unit).slice(0, 16 * 1024)).length).toBeGreaterThan(0)
  }
  for (const pattern of placeholdersOfOthers) expect(pattern.source.startsWith('^')).toBe(true)
})
