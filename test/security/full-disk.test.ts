import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTape, openTape, readTape } from '../../src/observe/tape/index.ts'
import { isTape } from '../../src/observe/tape/read-tape.ts'
import { antiphon, folder } from '../apps/cli/program.ts'

describe('a tape on a disk that is full for a while', () => {
  test('[TP25] what is recorded when there is space again can be read', () => {
    let text = ''
    let isFull = true
    const warnings: string[] = []
    const write = (line: string): void => {
      if (isFull) throw new Error('no space left')
      text += line
    }
    const tape = createTape({ write, warn: message => warnings.push(message) })
    tape.input({ content: 'lost' })
    isFull = false
    tape.input({ content: 'kept' })
    tape.input({ content: 'kept, too' })
    const { heads, entries, faults } = readTape(text)
    expect(isTape(text)).toBe(true)
    expect({ heads: heads.length, entries: entries.length }).toEqual({ heads: 1, entries: 2 })
    expect(faults).toEqual([{ line: 2, reason: '1 entry of the same writer missing before it' }])
    expect(warnings).toEqual(['the tape could not record an event: no space left'])
  })

  test('[TP25] a head line that was cut off does not end the recording, for this writer and the next', async () => {
    const file = join(folder(), 'chat.tape')
    writeFileSync(file, '{"kind":"tape","vers', { mode: 0o600 })
    for (const content of ['one', 'two']) openTape(file).input({ content })
    const text = readFileSync(file, 'utf8')
    const { heads, entries } = readTape(text)
    expect({ heads: heads.length, entries: entries.length }).toEqual({ heads: 2, entries: 2 })
    expect((await antiphon(['tape', 'show', file])).code).toBe(0)
  })
})
