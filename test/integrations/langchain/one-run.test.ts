import { HumanMessage } from '@langchain/core/messages'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { describe, expect, test } from 'vitest'
import { openCheckpointer } from '../../../src/integrations/langchain/index.ts'
import { chargeOnce, Gate, openAgent, until } from './agent.ts'
import { newPlaces, type PlaceKind } from './places.ts'

const kinds: readonly PlaceKind[] = ['memory', 'sqlite']
const newPlace = newPlaces(kinds)
const script = chargeOnce
const unknown = '[no result] No result of this call was recorded. Whether it ran is not known.'

describe('one run at a time', () => {
  test.each(kinds)(
    '[LC22] two invokes at once in one process at %s: both are answered, each tool runs once',
    async kind => {
      const gate = new Gate()
      await using world = await openAgent({
        script,
        place: newPlace(kind),
        act: () => gate.opened.then(() => 'charged'),
      })
      const first = world.say('One.')
      await until(() => world.effects.length === 1)
      const second = world.say('Two.')
      gate.open()
      expect((await first).messages).toHaveLength(4)
      expect((await second).messages).toHaveLength(8)
      const turn = ['human', 'ai', 'tool', 'ai']
      expect((await world.said()).map(([type]) => type)).toEqual([...turn, ...turn])
      expect(world.effects).toHaveLength(2)
    },
  )

  test('[LC22] a graph that joins its branches has its thread until it ends', async () => {
    await using journal = await openCheckpointer('memory:', { waitMs: 0 })
    const [reached, gate] = [new Gate(), new Gate()]
    const say = (text: string) => () => ({ messages: [new HumanMessage(text)] })
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('one', say('one'))
      .addNode('two', say('two'))
      .addNode('both', () => {
        reached.open()
        return gate.opened.then(say('both'))
      })
      .addEdge('__start__', 'one')
      .addEdge('__start__', 'two')
      .addEdge(['one', 'two'], 'both')
      .compile({ checkpointer: journal })
    const config = { configurable: { thread_id: 'thread' }, durability: 'sync' as const }
    const first = graph.invoke({ messages: [] }, config)
    await reached.opened
    await expect(graph.invoke({ messages: [] }, config)).rejects.toMatchObject({ code: 'thread-busy' })
    gate.open()
    await first
    expect((await graph.invoke({ messages: [] }, config)).messages).toHaveLength(6)
  })

  test('[LC22] a tool that takes longer than the lease keeps its thread', async () => {
    const gate = new Gate()
    const place = { where: 'memory:', options: { leaseMs: 2_000 } }
    await using world = await openAgent({ script, place, act: () => gate.opened.then(() => 'charged') })
    const { store } = world.journal
    const renew = store.renew.bind(store)
    let renewed = 0
    Object.assign(store, {
      renew: (...lease: Parameters<typeof renew>) => {
        renewed++
        return renew(...lease)
      },
    })
    const first = world.say('One.')
    await until(() => world.effects.length === 1)
    const second = world.say('Two.')
    await until(() => renewed >= 4)
    expect(world.effects).toHaveLength(1)
    gate.open()
    expect([await first, await second].map(({ messages }) => messages.length)).toEqual([4, 8])
  })

  test('[LC43] a node that takes longer than the lease keeps its thread', async () => {
    await using journal = await openCheckpointer('memory:', { leaseMs: 1_000, waitMs: 2_500 })
    const gate = new Gate()
    let entered = 0
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('slow', async () => {
        if (++entered === 1) await gate.opened
        return { messages: [new HumanMessage('slow')] }
      })
      .addEdge('__start__', 'slow')
      .compile({ checkpointer: journal })
    const config = { configurable: { thread_id: 'thread' } }
    const first = graph.invoke({ messages: [] }, config)
    await expect(graph.invoke({ messages: [] }, config)).rejects.toMatchObject({ code: 'thread-busy' })
    gate.open()
    expect((await first).messages).toHaveLength(1)
  })

  test('[LC26] who waits for longer than it has patience gets a clear error, and nothing of it is run or stored', async () => {
    const gate = new Gate()
    const place = { where: 'memory:', options: { waitMs: 30 } }
    await using world = await openAgent({ script, place, act: () => gate.opened.then(() => 'charged') })
    const first = world.say('One.')
    await until(() => world.effects.length === 1)
    await expect(world.say('Two.')).rejects.toMatchObject({ code: 'thread-busy', data: { thread: 'thread' } })
    gate.open()
    await first
    expect((await world.said()).map(([, text]) => text)).not.toContain('Two.')
    expect(world.effects).toHaveLength(1)
  })

  test('[LC27] a run that lost its thread to another one can store nothing more and run no tool', async () => {
    const gate = new Gate()
    let slowed = 0
    const slow = { name: 'slow', beforeModel: () => (slowed++ === 0 ? gate.opened.then(() => undefined) : undefined) }
    const place = { where: 'memory:', options: { leaseMs: 300 } }
    await using world = await openAgent({ script, place, around: [slow as never] })
    // Nothing is heard of the first one for longer than its lease, so the second one need not wait for it to end.
    const { store } = world.journal
    const { renew } = store
    Object.assign(store, { renew: () => new Promise(() => {}) })
    const first = world.say('One.')
    await until(() => slowed === 1)
    await world.say('Two.')
    Object.assign(store, { renew })
    gate.open()
    await expect(first).rejects.toMatchObject({ cause: { code: 'fenced' } })
    expect((await world.said()).map(([type]) => type)).toEqual(['human', 'human', 'ai', 'tool', 'ai'])
    expect(world.effects).toHaveLength(1)
  })

  test('[LC28] an aborted run gives its thread back at once', async () => {
    const gate = new Gate()
    const place = { where: 'memory:', options: { leaseMs: 60_000 } }
    await using world = await openAgent({
      script,
      place,
      act: count => (count === 1 ? gate.opened.then(() => 'late') : 'charged'),
    })
    const stop = new AbortController()
    const first = world.say('One.', { signal: stop.signal })
    await until(() => world.effects.length === 1)
    stop.abort()
    await expect(first).rejects.toThrow()
    expect((await world.say('Two.')).messages.at(-1)?.text).toBe('Done.')
    gate.open()
    expect((await world.said())[2]).toEqual(['tool', unknown])
  })
})
