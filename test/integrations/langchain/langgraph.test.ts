import { HumanMessage } from '@langchain/core/messages'
import { Command, interrupt, MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Checkpointer, healMiddleware, openCheckpointer } from '../../../src/integrations/langchain/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { openAgent, chargeOnce as script } from './agent.ts'
import { modelAt } from './models.ts'
import { newPlaces, type PlaceKind } from './places.ts'

const kinds: readonly PlaceKind[] = ['memory', 'sqlite']
const newPlace = newPlaces(kinds)
const interruptOn: Record<string, boolean> = { charge: true }
const humanInTheLoop = humanInTheLoopMiddleware({ interruptOn } as never) as AgentMiddleware

describe('persons', () => {
  test.each(kinds)('[LC34] a tool asks a person, at %s: it goes on with the answer, and has one effect', async kind => {
    await using world = await openAgent({ script, place: newPlace(kind), ask: () => interrupt('May I?') })
    expect(await world.say('Charge it.')).toMatchObject({ __interrupt__: [{ value: 'May I?' }] })
    expect(world.effects).toEqual([])
    await world.resume(new Command({ resume: 'yes' }))
    expect(world.effects).toEqual([5])
    expect((await world.said()).map(([type]) => type)).toEqual(['human', 'ai', 'tool', 'ai'])
  })

  test('[LC35] a person approves, changes or rejects a call', async () => {
    await using world = await openAgent({ script, around: [humanInTheLoop] })
    const decide = (decision: object) => world.resume(new Command({ resume: { decisions: [decision] } }))
    expect(await world.say('One.')).toHaveProperty('__interrupt__')
    await decide({ type: 'approve' })
    await world.say('Two.')
    await decide({ type: 'edit', editedAction: { name: 'charge', args: { amount: 7 } } })
    await world.say('Three.')
    await decide({ type: 'reject', message: 'too much' })
    expect(world.effects).toEqual([5, 7])
    expect(world.refusals()).toEqual([])
  })

  test('[LC36] a user message comes instead of an answer: the call is settled, and nothing of it runs', async () => {
    const script = [{ calls: [{ name: 'charge', input: { amount: 5 } }] }, 'Good.']
    await using world = await openAgent({ script, around: [humanInTheLoop] })
    await world.say('Charge it.')
    await world.say('Never mind.')
    expect(await world.said()).toEqual([
      ['human', 'Charge it.'],
      ['ai', ''],
      ['tool', expect.stringContaining('[no result]')],
      ['human', 'Never mind.'],
      ['ai', 'Good.'],
    ])
    expect(world.effects).toEqual([])
    expect(world.refusals()).toEqual([])
  })
})

describe('states', () => {
  test('[LC37] an older checkpoint can be gone on from, and what was done stays done', async () => {
    await using world = await openAgent({ script })
    await world.say('Charge it.')
    const history = []
    for await (const snapshot of world.agent.graph.getStateHistory(world.config)) history.push(snapshot)
    const beforeTool = history.find(({ next }) => next.includes('tools'))
    await world.agent.invoke(null as never, beforeTool?.config as never)
    expect(world.effects).toHaveLength(1)
    await world.agent.graph.updateState(world.config, { messages: [{ role: 'user', content: 'Noted.' }] })
    expect((await world.said()).at(-1)).toEqual(['human', 'Noted.'])
    await world.agent.invoke({ messages: [{ role: 'user', content: 'Else.' }] }, history.at(-1)?.config as never)
    expect((await world.said()).slice(0, 2)).toEqual([
      ['human', 'Else.'],
      ['ai', ''],
    ])
  })

  test('[LC38] graphs within graphs keep their states apart, ask persons and go on', async () => {
    await using journal = await openCheckpointer('memory:')
    const inner = new StateGraph(MessagesAnnotation)
      .addNode('ask', () => ({ messages: [new HumanMessage(`answered ${interrupt('May I?')}`)] }))
      .addEdge('__start__', 'ask')
      .compile()
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('inner', inner)
      .addNode('end', () => ({ messages: [new HumanMessage('end')] }))
      .addEdge('__start__', 'inner')
      .addEdge('inner', 'end')
      .compile({ checkpointer: journal })
    const config = { configurable: { thread_id: 'nested' } }
    await graph.invoke({ messages: [new HumanMessage('start')] }, config)
    const state = await graph.getState(config, { subgraphs: true })
    expect(state.tasks[0].state).toMatchObject({ next: ['ask'] })
    const { messages } = await graph.invoke(new Command({ resume: 'yes' }), config)
    expect(messages.map(({ text }) => text)).toEqual(['start', 'answered yes', 'end'])
    await graph.invoke({ messages: [new HumanMessage('again')] }, config)
    expect((await graph.getState(config)).next).toEqual(['inner'])
  })

  test.each([undefined, 'of its own'])('[LC45] a tool may ask another agent (thread: %s)', async thread_id => {
    const ask = async () => {
      const { journal, strict, charge } = world
      const model = modelAt(strict.url, 'openai')
      const middleware = [healMiddleware({ journal })]
      const inner = createAgent({ model, tools: [charge], checkpointer: journal, middleware })
      const config = thread_id === undefined ? {} : { configurable: { thread_id } }
      const { messages } = await inner.invoke({ messages: [new HumanMessage('Do it.')] }, config)
      return messages.map(({ text }) => text).join('|')
    }
    const place = { where: 'memory:', options: { waitMs: 500 } }
    await using world = await openAgent({ script, place, act: count => (count === 1 ? ask() : 'charged') })
    await world.say('Charge it.')
    expect((await world.said())[2]).toEqual(['tool', 'Do it.||charged|Done.'])
    expect(world.effects).toHaveLength(2)
  })

  test.each([undefined, 'of its own'])(
    '[LC45] it also belongs to the run that continues after it has asked a person (thread: %s)',
    async thread_id => {
      await using strict = await startStrict({ script })
      await using journal = await openCheckpointer('memory:', { waitMs: 500 })
      const charge = (run: (amount: number) => Promise<string>) =>
        tool(({ amount }) => run(amount), {
          ...{ name: 'charge', description: 'Charges the card.', schema: z.object({ amount: z.number() }) },
        })
      const agentWith = (run: (amount: number) => Promise<string>, checkpointer?: Checkpointer) => {
        const options = { tools: [charge(run)], middleware: [healMiddleware({ journal })] }
        return createAgent({ model: modelAt(strict.url, 'openai'), ...options, ...(checkpointer && { checkpointer }) })
      }
      const inner = agentWith(
        async amount => `${amount}: ${interrupt('May I?')}`,
        thread_id === undefined ? undefined : journal,
      )
      const outer = agentWith(async () => {
        const config = thread_id === undefined ? {} : { configurable: { thread_id } }
        const { messages } = await inner.invoke({ messages: [new HumanMessage('Do it.')] }, config)
        return messages.map(({ text }) => text).join('|')
      }, journal)
      const config = { configurable: { thread_id: 'thread' } }
      await outer.invoke({ messages: [new HumanMessage('Charge it.')] }, config)
      const { messages } = await outer.invoke(new Command({ resume: 'yes' }), config)
      expect(messages.map(({ text }) => text)).toEqual(['Charge it.', '', 'Do it.||5: yes|Done.', 'Done.'])
    },
  )
})

describe('runs that end otherwise', () => {
  test('[LC39] a run that fails gives its thread back, and the next one goes on', async () => {
    const place = { where: 'memory:', options: { leaseMs: 60_000, waitMs: 0 } }
    await using world = await openAgent({ place, script: [{ fail: 'overload' }, 'Good.'] })
    await expect(world.say('Hello.')).rejects.toThrow()
    await world.resume()
    expect((await world.said()).at(-1)).toEqual(['ai', 'Good.'])
  })

  test.each(['sync', 'async', 'exit'] as const)(
    '[LC42] a graph that stops at a static breakpoint gives its thread back (%s)',
    async durability => {
      await using journal = await openCheckpointer('memory:', { leaseMs: 60_000, waitMs: 8_000 })
      const graph = threeSteps(journal, { interruptBefore: ['two'], interruptAfter: ['two'] })
      const config = { configurable: { thread_id: 'thread' }, durability }
      await graph.invoke({ messages: [] }, config)
      await graph.invoke(null, config)
      expect((await graph.invoke(null, config)).messages.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    },
  )

  test('[LC42] a run that comes to the limit of its steps gives its thread back', async () => {
    await using journal = await openCheckpointer('memory:', { leaseMs: 60_000, waitMs: 8_000 })
    const graph = threeSteps(journal)
    const config = { configurable: { thread_id: 'thread' } }
    await expect(graph.invoke({ messages: [] }, { ...config, recursionLimit: 1 })).rejects.toThrow('Recursion limit')
    expect((await graph.invoke(null, config)).messages.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  })

  test('[LC42] so does one at a static breakpoint, if the checkpointer is closed right after it', async () => {
    const { where, options } = newPlace('sqlite')
    const config = { configurable: { thread_id: 'thread' } }
    const patience = { ...options, leaseMs: 60_000, waitMs: 500 }
    const run = async (input: { messages: [] } | null) => {
      await using journal = await openCheckpointer(where, patience)
      return await threeSteps(journal).invoke(input, { ...config, interruptBefore: ['two'] })
    }
    await run({ messages: [] })
    expect((await run(null)).messages.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
  })

  test('[LC42] so does one that is streamed, and read slowly or left', async () => {
    await using journal = await openCheckpointer('memory:', { leaseMs: 60_000, waitMs: 8_000 })
    const graph = threeSteps(journal, { interruptBefore: ['three'] })
    const config = { configurable: { thread_id: 'thread' } }
    for await (const _ of await graph.stream({ messages: [] }, config)) await graph.getState(config)
    await graph.stream(null, config)
    await graph.invoke({ messages: [] }, config)
    expect((await graph.getState(config)).values.messages.map(({ text }: { text: string }) => text)).toEqual([
      ...['one', 'two', 'three', 'one', 'two'],
    ])
  })

  test('[LC39] a thread of a process that is gone can be released; until then a caller is told why it waits', async () => {
    await using journal = await openCheckpointer('memory:', { waitMs: 8_000 })
    await journal.store.claim('thread', { owner: 'gone', leaseMs: 60_000 })
    const warned = new Promise<Error>(resolve => process.once('warning', resolve))
    const running = threeSteps(journal).invoke({ messages: [] }, { configurable: { thread_id: 'thread' } })
    expect((await warned).message).toContain('is waiting for another run that owns the thread thread')
    await journal.release('thread')
    expect((await running).messages).toHaveLength(3)
  })

  test('[LC39] a run without a thread is refused before anything is done', async () => {
    await using world = await openAgent({ script })
    const asking = world.agent.invoke({ messages: [{ role: 'user', content: 'Hello.' }] }, { configurable: {} })
    await expect(asking).rejects.toMatchObject({ code: 'missing-thread-id' })
    expect(world.strict.requests).toEqual([])
  })

  test('[LC39] a resume with nothing to do does not block others for long', async () => {
    await using world = await openAgent({ script: ['One.', 'Two.'] })
    await world.say('Hello.')
    await world.resume()
    expect((await world.say('Hello?')).messages.at(-1)?.text).toBe('Two.')
  })
})

function threeSteps(
  checkpointer: Checkpointer,
  options: { interruptBefore?: ['two' | 'three']; interruptAfter?: ['two'] } = {},
) {
  const say = (text: string) => () => ({ messages: [new HumanMessage(text)] })
  return new StateGraph(MessagesAnnotation)
    .addNode('one', say('one'))
    .addNode('two', say('two'))
    .addNode('three', say('three'))
    .addEdge('__start__', 'one')
    .addEdge('one', 'two')
    .addEdge('two', 'three')
    .compile({ checkpointer, ...options })
}
