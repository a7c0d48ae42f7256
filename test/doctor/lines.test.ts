import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseVerbatim } from '../../src/core/json/exact-json.ts'
import { type ArrangedRecord, recordsIn } from '../../src/doctor/arrange.ts'
import { examineEntries } from '../../src/doctor/examine-entries.ts'
import { examineLines } from '../../src/doctor/examine-lines.ts'
import { plainLineFile } from '../../src/doctor/line-file.ts'
import { inFolder } from './contract.ts'
import { type ToyLine, toy } from './toy.ts'

describe('records in lines', () => {
  test('[DR1] a file that is read in ranges is repaired as if it had been read whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 24 }), async entries => {
        expect(await healedInPieces(entries)).toEqual(healedWhole(entries))
      }),
      { numRuns: 400, examples: [[repeatedIdAfterAnotherDefect]] },
    )
  })

  test('[DR2] a repaired file is healthy, and every line that was there still is or was dropped with a reason', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 24 }), async entries => {
        const healed = healedWhole(entries)
        const again = examineEntries(healed, toy)
        expect(again.judgement.repairs).toEqual([])
        const { dropped } = examineEntries(entries, toy)
        expect(dropped.every(({ rule }) => rule !== '')).toBe(true)
        const words = (lines: readonly ToyLine[]): unknown[] =>
          lines.map(({ user, words }) => user ?? words).filter(Boolean)
        expect(words(healed)).toEqual(words(entries))
      }),
      { numRuns: 400 },
    )
  })

  test('[DR3] untouched lines keep their bytes, their ends and the end of the file', async () => {
    const lines = [
      '{ "user" : "caf\\u00e9", "size": 1.0 }\r\n',
      'not json at all\n',
      '{"call":"a","step":"1"}\n',
      '\n',
      '{"noise":1e5}\n',
      '{"user":"go on"}',
    ]
    const healed = [...lines.slice(0, 3), '{"answers":["a"],"made":true}\n', ...lines.slice(3)].join('')
    expect(await healedText(lines.join(''))).toBe(healed)
  })

  test('[DR4] a line whose results belong to two steps is split, each half in its place', async () => {
    const before = [{ call: 'a' }, { user: 'wait' }, { call: 'b' }, { answers: ['b', 'a'] }, { user: 'thanks' }]
    expect(healedWhole(before)).toEqual([
      { call: 'a' },
      { answers: ['a'] },
      { user: 'wait' },
      { call: 'b' },
      { answers: ['b'] },
      { user: 'thanks' },
    ])
    expect(await healedInPieces(before)).toEqual(healedWhole(before))
  })
})

/** Read in ranges, the repeated id is checked once more than read whole. */
const repeatedIdAfterAnotherDefect: ToyLine[] = [
  { call: 'a', step: '1' },
  { answers: ['d'] },
  { user: 'hi' },
  { call: 'b', step: '1' },
  { call: 'b', step: '1' },
  { answers: ['b'] },
  { answers: ['b'] },
]

const ids = fc.constantFrom('a', 'b', 'c', 'd')
const anyLine: fc.Arbitrary<ToyLine> = fc.oneof(
  fc.constantFrom('hi', 'go on').map(user => ({ user })),
  fc.record({ words: fc.constantFrom('well', 'so') }),
  { weight: 3, arbitrary: fc.record({ call: ids, step: fc.constantFrom('1', '2') }) },
  { weight: 4, arbitrary: fc.record({ answers: fc.uniqueArray(ids, { minLength: 1, maxLength: 2 }) }) },
  fc.record({ noise: fc.nat(9) }),
)

function healedWhole(entries: readonly ToyLine[]): ToyLine[] {
  const { places } = examineEntries<unknown>(entries, toy)
  return [...recordsIn(places, entries.length)].map(line => entryOf(line, entries))
}

function entryOf(line: ArrangedRecord, entries: readonly ToyLine[]): ToyLine {
  const entry = entries[line.record]
  if (line.kind === 'kept') return entry
  const made =
    line.kind === 'made' ? toy.answer(line.call, entry, line.result) : toy.write(entry, line.parts, line.copy)
  return made as ToyLine
}

async function healedInPieces(entries: readonly ToyLine[]): Promise<ToyLine[]> {
  const text = await healedText(entries.map(entry => `${JSON.stringify(entry)}\n`).join(''))
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => parseVerbatim(line) as ToyLine)
}

const healedText = (text: string): Promise<string> =>
  inFolder(async folder => {
    const path = join(folder, 'toy.jsonl')
    writeFileSync(path, text)
    await examineLines(plainLineFile(path), toy).storeRepair?.apply()
    return readFileSync(path, 'utf8')
  })
