import { describe, expect, test } from 'vitest'
import { healRejected, readRejection } from '../../src/heal/rejections/index.ts'
import { cutBefore } from '../../src/journal/compaction/decide-compact.ts'
import type { EntryData } from '../../src/journal/entry.ts'
import { evolve, initialState } from '../../src/journal/fold.ts'

/** More than the arguments that a call can have. */
const length = 150_000

describe('[SE129] a list of any length is not passed as the arguments of a call', () => {
  test('addresses of images that a rejection names', () => {
    const url = 'https://example.com/picture.png'
    const rejection = readRejection(400, `Error while downloading ${url}.`)
    const content = Array.from({ length }, () => ({ type: 'image_url', image_url: { url } }))
    const { repairs } = healRejected({ model: 'gpt', messages: [{ role: 'user', content }] }, rejection as never)
    expect({ kind: rejection?.kind, repairs: repairs.length }).toEqual({ kind: 'image-url', repairs: length })
  })

  test('calls of a response before which a summary ends', () => {
    const state = initialState('u')
    const call = { id: 'c', name: 'look', answered: true } as const
    const made = { format: 'openai-chat', dialect: 'openai', finish: 'stop' } as const
    const entries: EntryData[] = [
      { kind: 'turn-start', turn: 1 },
      { kind: 'response-record', turn: 1, ...made, messages: [{}], calls: Array.from({ length }, () => call) },
      { kind: 'turn-end', turn: 1, status: 'done' },
    ]
    for (const [index, entry] of entries.entries()) evolve(state, { ...entry, seq: index + 1, at: 1, epoch: 1 })
    expect(cutBefore(state, 0)).toBe(2)
  })
})
