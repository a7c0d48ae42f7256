import { expect, test } from 'vitest'
import { packBytes, unpackBytes } from '../../src/journal/bytes.ts'
import { openJournal } from '../../src/journal/index.ts'

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values)

test('[B59] binary data comes back as binary data', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('pictures', { for: 'bedrock' })
  const question = {
    role: 'user',
    content: [{ text: 'What is it?' }, { image: { format: 'png', source: { bytes: bytes(0, 255) } } }],
  }
  const reply = {
    role: 'assistant',
    content: [{ reasoningContent: { redactedContent: bytes(9, 8) } }, { text: 'A cat.' }],
  }
  await thread.submit(question)
  await using turn = await thread.turn()
  await turn?.record({ output: { message: reply }, stopReason: 'end_turn' })
  expect(await thread.messages()).toEqual([question, reply])
})

test('[B59] what has no bytes is the very same, and what only looks like bytes is left alone', () => {
  const value = { content: ['a', { b: [1, null] }], '$antiphon:bytes': 'CQg=' }
  expect(packBytes(value)).toBe(value)
  expect(unpackBytes(value)).toBe(value)
  expect(unpackBytes(JSON.parse(JSON.stringify(packBytes({ deep: [{ data: bytes(1, 2, 3) }] }))))).toEqual({
    deep: [{ data: bytes(1, 2, 3) }],
  })
})

const mark = '$antiphon:bytes'

test.each<[string, unknown]>([
  ['bytes', { data: new Uint8Array([1, 2, 3]), list: [new Uint8Array()] }],
  ['an object that looks like stored bytes', { content: { [mark]: 'AAAA' } }],
  ['one that looks like such an object when it is stored', { content: { [`${mark}~`]: { [mark]: 'AAAA' } } }],
  ['the field without a text', [{ [mark]: 5 }, { [mark]: new Uint8Array([9]) }]],
  ['the field beside another', { [mark]: 'AAAA', other: 1 }],
])('[B426] is read back as it was stored: %s', (_, value) => {
  const stored = JSON.parse(JSON.stringify(packBytes(value)))
  expect(unpackBytes(stored)).toEqual(value)
})

test('[B426] what was stored before comes back as before', () => {
  expect(unpackBytes({ data: { [mark]: 'AQID' } })).toEqual({ data: new Uint8Array([1, 2, 3]) })
})
