import { expect, test } from 'vitest'
import { newestFirst } from '../../src/apps/cli/graph-threads.ts'
import { graphMessages } from '../../src/apps/graphs/examine-graph.ts'
import { GraphStates } from '../../src/integrations/langgraph/graph-state.ts'
import type { GraphReader, GraphThread } from '../../src/integrations/langgraph/graph-store.ts'

const upTo = <T>(length: number, one: (index: number) => T): T[] => Array.from({ length }, (_, index) => one(index))

const threadOf = (namespace: string): GraphThread => ({
  ...{ thread: 't', namespace, checkpoints: 1, last: 1, isLeased: false },
})

/** A thread whose checkpoints all have these values, and one part that they name. */
function readerOf(values: Readonly<Record<string, unknown>>, part: unknown) {
  const body = JSON.stringify({ ts: '2026-01-01T00:00:00Z', values })
  let read = 0
  const reader: Pick<GraphReader, 'find' | 'parts'> = {
    find: async (thread, namespace) => ({ thread, namespace, id: '1', seq: 1, body, metadata: '{}', writes: [] }),
    parts: async hashes => {
      read++
      return new Map([...hashes].length > 0 ? [['part', Buffer.from(`json\n${JSON.stringify(part)}`)]] : [])
    },
  }
  return { states: new GraphStates(reader as GraphReader), reads: () => read }
}

test('[SE461] what the channels and subgraphs of a LangGraph thread have in common is read once', async () => {
  const channels = upTo(200, index => `join:${index}a+b:c`)
  const named = Object.fromEntries([...channels, 'other', 'messages'].map(channel => [channel, 'part']))
  const messages = [{ role: 'user', content: 'Hello?' }]
  const { states, reads } = readerOf(named, messages)
  for (const namespace of ['', ...upTo(50, index => `sub${index}`)]) {
    const state = await states.read(threadOf(namespace))
    expect(state && (await graphMessages(state))).toEqual(messages)
  }
  expect(reads()).toBe(1)
})

test('[SE461] one long list in very many channels of LangGraph is an error, and not read for each of them', async () => {
  const channels = upTo(5_000, index => `channel${index}`)
  const values = Object.fromEntries(channels.map(channel => [channel, 'part']))
  const { states } = readerOf(values, Array(10_000).fill(1))
  const state = await states.read(threadOf(''))
  expect(await state?.value('channel0')).toHaveLength(10_000)
  const readAll = async (): Promise<void> => {
    for (const channel of channels) await state?.value(channel)
  }
  await expect(readAll()).rejects.toMatchObject({ code: 'journal-damaged' })
})

test('[SE461] any number of subgraphs of one thread are listed with the newest first in linear time', () => {
  const many = 60_000
  const listed = newestFirst(upTo(many, index => threadOf(index === 0 ? '' : `sub${index}`)))
  expect(listed).toHaveLength(many)
})
