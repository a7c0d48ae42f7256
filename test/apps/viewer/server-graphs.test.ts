import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HumanMessage } from '@langchain/core/messages'
import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Notice, StoredDocument } from '../../../src/apps/viewer/protocol.ts'
import { openCheckpointer } from '../../../src/integrations/langchain/index.ts'
import { openJournal } from '../../../src/journal/index.ts'
import { type Server, startServer } from '../../journal/stores/postgres-server.ts'
import { folder } from '../cli/program.ts'
import { fillGraphs } from '../graph-threads.ts'
import { documentOf, eventsOf, itemsOf, withViewer } from './viewer-server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

async function newPlace(kind: 'sqlite' | 'postgres') {
  const isFile = kind === 'sqlite'
  const path = isFile ? join(folder(), 'chat.db') : server.url()
  const [where, options] = isFile ? [`sqlite:${path}`, {}] : [path, { schema: 'viewed' }]
  await fillGraphs(where, options)
  return { path, where, options }
}

describe.each(['sqlite', 'postgres'] as const)('LangGraph checkpoints in %s', kind => {
  test('[VW70] threads of the LangGraph checkpointer are listed with their state, and drawn with their defects', async () => {
    const { path, where, options } = await newPlace(kind)
    const bytes = kind === 'sqlite' ? readFileSync(path) : undefined
    await withViewer({ paths: [path], ...options }, async viewer => {
      const items = await itemsOf(viewer)
      const system = 'LangGraph checkpoints'
      expect(items).toMatchObject([
        { title: 'waits', state: 'parked', system },
        { title: 'waits (tools)', state: 'parked', system, parent: items[0]?.id },
        { title: 'done', state: 'idle', system },
        { title: 'done (tools)', state: 'idle', system, parent: items[2]?.id },
        { title: 'fails', state: 'failed', system },
        { title: 'fails (tools)', state: 'failed', system, parent: items[4]?.id },
        { title: 'broken', state: 'broken', system, counts: { calls: 1, unanswered: 1 } },
      ])
      const [waits, , done] = items
      expect(await documentOf(viewer, done as never)).toMatchObject({
        ...{ kind: 'stored', name: 'done', system, state: 'healthy', repairs: [], remaining: [] },
        messages: [{ role: 'user' }, { role: 'assistant' }, { role: 'tool' }, { role: 'assistant' }],
      })
      expect(await documentOf(viewer, waits as never)).toMatchObject({ state: 'pending', repairs: [] })
      const broken = await documentOf(viewer, items[6] as never)
      expect(broken).toMatchObject({ state: 'broken', repairs: [{ rule: 'unanswered-call' }] })
      expect(broken).not.toHaveProperty('fix')
      if (bytes) expect(readFileSync(path).equals(bytes)).toBe(true)
    })
    await using journal = await openJournal(where, { ...options, telemetry: false })
    await journal.thread('user-42').submit('Hello?')
    await withViewer({ paths: [path], ...options }, async viewer => {
      const items = await itemsOf(viewer)
      expect(items).toHaveLength(8)
      const own = items.find(({ title }) => title === 'user-42')
      expect(await documentOf(viewer, own as never)).toMatchObject({ kind: 'thread', name: 'user-42' })
    })
  })
})

test('[VW71] a thread that a graph adds is listed while the page is open, and again when it is continued', async () => {
  const { path, where } = await newPlace('sqlite')
  await using checkpointer = await openCheckpointer(where)
  const still = new StateGraph(MessagesAnnotation).addNode('still', () => ({})).addEdge(START, 'still')
  const graph = still.compile({ checkpointer })
  const say = () => graph.invoke({ messages: [new HumanMessage('Hi')] }, { configurable: { thread_id: 'later' } })
  await withViewer({ paths: [path] }, async viewer => {
    const ids: string[] = []
    for await (const notice of eventsOf<Notice>(`${viewer.url}api/events`)) {
      if (notice.kind === 'listed') await say()
      if (notice.kind !== 'item' || notice.item.title !== 'later' || notice.item.state !== 'idle') continue
      const { messages } = (await documentOf(viewer, notice.item)) as StoredDocument
      ids.push(notice.item.id)
      if (messages.length === 2) break
      await say()
    }
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids).size).toBe(1)
  })
})
