import { HumanMessage } from '@langchain/core/messages'
import { MemorySaver } from '@langchain/langgraph-checkpoint'
import { expect, test } from 'vitest'
import { Packer } from '../../../src/integrations/langgraph/pack.ts'
import { Unpacker } from '../../../src/integrations/langgraph/unpack.ts'

const { serde } = new MemorySaver()
const node = (value: unknown): Uint8Array => Buffer.from(`\n${JSON.stringify(value)}`)

async function unpack(parts: ReadonlyMap<string, Uint8Array>, first: string): Promise<unknown> {
  const unpacker = new Unpacker(serde, async names => new Map([...parts].filter(([name]) => names.includes(name))))
  await unpacker.load([first], first.length)
  return unpacker.unpack(first)
}

/** Forty nodes of which each names the next one twice. */
const doubling = (write: (next: string) => unknown): Map<string, Uint8Array> =>
  new Map([
    ...Array.from({ length: 40 }, (_, place) => [`${place}`, node(write(`${place + 1}`))] as const),
    ['40', node({ l: [] })],
  ])

const circle = (value: unknown): Map<string, Uint8Array> => new Map([['0', node(value)]])

test.each([
  ['lists', doubling(next => ({ l: [next, next] }))],
  [
    'records',
    doubling(next => ({
      r: [
        ['a', next],
        ['b', next],
      ],
    })),
  ],
  ['lists of lists', doubling(next => ({ l: [{ l: [next] }, { l: [next] }] }))],
  ['trees of lists', new Map([...doubling(next => ({ l: [next, next] })), ['0', node({ l: ['1', '1'], d: 39 })]])],
  ['a list that contains itself', circle({ l: ['0'] })],
  ['a record that contains itself', circle({ r: [['a', '0']] })],
  ['a tree that contains itself', circle({ l: ['0'], d: 1e9 })],
  ['a node that is not a node', circle(null)],
  ['a list that is none', circle({ l: 5 })],
  ['a record that is none', circle({ r: [5] })],
  ['text that is not JSON', new Map([['0', Buffer.from('\n{')]])],
])('[SE121] parts of a checkpoint that multiply or are damaged are refused: %s', async (_, parts) => {
  await expect(unpack(parts, '0')).rejects.toMatchObject({ code: 'journal-damaged', hint: expect.any(String) })
})

test('[SE121] what is really shared is read: a history that goes along to hundreds of tasks', async () => {
  const messages = Array.from({ length: 300 }, (_, place) => new HumanMessage({ id: `${place}`, content: `${place}` }))
  const value = Array.from({ length: 300 }, (_, task) => ({ task, messages }))
  const packer = new Packer(serde)
  const packed = await packer.pack(value)
  const read = (await unpack(packer.parts, packed as string)) as typeof value
  expect(read.map(({ task, messages }) => [task, messages.length])).toEqual(value.map(({ task }) => [task, 300]))
  expect(read[299].messages[299].content).toBe('299')
})
