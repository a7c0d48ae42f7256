import { expect, test } from 'vitest'
import { loadQuoteFinder, surrogateFlag, wasmPageBytes } from '../../../src/integrations/proxy/outline/find-quotes.ts'
import { Random } from '../../laws/random.ts'

/** The same, byte by byte. */
function lookFor(bytes: Buffer, open: number): number[] {
  const found: number[] = []
  let isEscaped = open === 1
  for (const [at, byte] of bytes.entries()) {
    if (!isEscaped && byte === 0x22) found.push(at)
    isEscaped = !isEscaped && byte === 0x5c
  }
  return found
}

test('[PX20] quotes that are not escaped, and escapes of surrogates, are found, however many quotes and backslashes there are', () => {
  const finder = loadQuoteFinder()
  if (!finder) throw new Error('no WebAssembly')
  for (let seed = 1; seed <= 400; seed++) {
    const random = new Random(seed)
    const length = seed === 1 ? wasmPageBytes : random.int(300)
    const letters = random.pick([
      '"',
      '\\',
      '"\\',
      '\\\\\\"',
      '"\\abc',
      '\\abcdefghijklmnop',
      '"abcdefghijklmnop\0\xff',
      '\\uudDa"',
    ])
    const bytes = Buffer.from(Array.from({ length }, () => random.pick([...letters])).join(''), 'latin1')
    const open = random.int(2)
    finder.memory.fill(0x22)
    finder.memory.set(bytes)
    finder.memory.fill(0, length, length + 64)
    const found = finder.findQuotes(length, open)
    const count = found % surrogateFlag
    expect(found !== count, `seed ${seed}`).toBe(/\\u[dD]/.test(bytes.toString('latin1')))
    expect([...finder.places.subarray(0, count)], `seed ${seed}`).toEqual(lookFor(bytes, open))
  }
})
