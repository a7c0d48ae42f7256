import { isUtf8 } from 'node:buffer'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeMarkedLines } from '../../../src/doctor/skim/marked-lines.ts'
import { Random } from '../../laws/random.ts'
import { inFolder } from '../contract.ts'

interface Line {
  readonly text: string
  /** The places of its quotes. */
  readonly quotes: readonly number[]
}

function linesOf(path: string): Line[] | undefined {
  const lines: Line[] = []
  const isWhole = takeMarkedLines(path, ({ text, start, end, words, firstQuote, quoteCount }) => {
    const quotes = [...words.subarray(firstQuote, firstQuote + quoteCount)].map(place => place - start)
    lines.push({ text: text.toString('latin1', start, end), quotes })
    return true
  })
  return isWhole ? lines : undefined
}

/** The same, by a regular expression for what may be between quotes. */
function expectedOf(bytes: Buffer): Line[] | undefined {
  const text = bytes.toString('latin1')
  if (!isUtf8(bytes) || (text !== '' && !text.endsWith('\n'))) return undefined
  const lines: Line[] = []
  for (const line of text.split('\n').slice(0, -1)) {
    const hasControls = [...line].some(one => one < ' ')
    if (hasControls || !/^(?:[^\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*$/.test(line)) return undefined
    const plain = line.replace(/\\./g, '__')
    lines.push({ text: line, quotes: [...plain.matchAll(/"/g)].map(({ index }) => index) })
  }
  return lines
}

const pieces = [
  '"',
  '\\"',
  '\\\\',
  '\\n',
  '\\u00e9',
  '\\u12',
  '\\',
  'word',
  ' ',
  '\xc3\xa9',
  '\n',
  '\xc3',
  '\t',
  '/',
  'ub',
]

test('[DD87] lines and quotes are found, and what is not JSON is seen', async () => {
  await inFolder(async folder => {
    const path = join(folder, 'file')
    const random = new Random(11)
    let [whole, doubted] = [0, 0]
    for (let run = 0; run < 3_000; run++) {
      const common = random.chance(0.7) ? 11 : pieces.length
      const harmless = random.chance(0.6) ? pieces.slice(0, common).filter(one => !/\\u12|^\\$/.test(one)) : pieces
      const text = Array.from({ length: random.range(0, 200) }, () => random.pick(harmless)).join('')
      const bytes = Buffer.from(`${text}${random.chance(0.9) ? '\n' : ''}`, 'latin1')
      writeFileSync(path, bytes)
      const found = linesOf(path)
      expect({ run, text, found }).toEqual({ run, text, found: expectedOf(bytes) })
      if (found) whole++
      else doubted++
    }
    expect(Math.min(whole, doubted)).toBeGreaterThan(300)
  })
})

test('[DD87] lines of every length around those of the blocks', async () => {
  await inFolder(async folder => {
    const path = join(folder, 'file')
    for (const length of [1_000_000, 262_143, 262_144, 65_536, 131_071, 600_000, 3]) {
      const line = `{"a":"${'x\\"'.repeat(length / 3)}"}`
      const bytes = Buffer.from(`${line}\n{}\n\n${line}\n`.repeat(3))
      writeFileSync(path, bytes)
      const found = linesOf(path)
      expect(found?.map(({ text }) => text.length)).toEqual(expectedOf(bytes)?.map(({ text }) => text.length))
      expect(found?.map(({ quotes }) => quotes)).toEqual(expectedOf(bytes)?.map(({ quotes }) => quotes))
    }
  })
})

test('[DD87] a line of many megabytes, or of marks alone, is not skimmed', async () => {
  await inFolder(async folder => {
    const path = join(folder, 'file')
    writeFileSync(path, `{"a":"${'x'.repeat(20_000_000)}"}\n`)
    expect(linesOf(path)).toBeUndefined()
    writeFileSync(path, `{"a":"${'x'.repeat(10_000_000)}"}\n`)
    expect(linesOf(path)?.[0].quotes).toEqual([1, 3, 5, 10_000_006])
    writeFileSync(path, `${'"'.repeat(30_000_000)}\n`)
    expect(linesOf(path)).toBeUndefined()
  })
})
