import { setTimeout as sleep } from 'node:timers/promises'
import { ToolMessage } from '@langchain/core/messages'
import { Command, MemorySaver } from '@langchain/langgraph'
import { createAgent, toolRetryMiddleware } from 'langchain'
import { describe, expect, test } from 'vitest'
import { healMiddleware } from '../../../src/integrations/langchain/index.ts'
import { deafFrom, Gate, openAgent, chargeOnce as script, until } from './agent.ts'
import { modelAt } from './models.ts'
import { newPlaces, type Place } from './places.ts'

const newPlaceOf = newPlaces(['sqlite'])

/** Where the lease of one that is gone ends soon. */
const newPlace = (): Place => {
  const { where, options } = newPlaceOf('sqlite')
  return { where, options: { ...options, leaseMs: 1_500 } }
}
const call = { calls: [{ name: 'charge', input: { amount: 5 } }] }
const unknown = '[no result] No result of this call was recorded. Whether it ran is not known.'

describe('a tool has one effect', () => {
  test('[LC46] a tool that was aborted has not failed: its outcome is unknown', async () => {
    const gate = new Gate()
    const act = (count: number) => {
      if (count === 2) throw new Error('no card')
      return gate.opened.then(() => 'charged')
    }
    const calls = [5, 7].map(amount => ({ name: 'charge', input: { amount } }))
    await using world = await openAgent({ script: [{ calls }, 'Done.'], act, heal: { toolErrors: 'throw' } })
    await expect(world.say('Charge it.')).rejects.toThrow('no card')
    gate.open()
    await world.resume()
    const answers = (await world.said()).filter(([type]) => type === 'tool').map(([, text]) => text)
    expect(answers).toEqual([unknown, expect.stringContaining('no card')])
    expect(world.effects).toEqual([5, 7])
  })

  test('[LC14] the state that asked for a tool is stored before it runs, however slow the store is', async () => {
    const seen: unknown[] = []
    const look = async () => {
      const { checkpoint } = (await world.journal.getTuple(world.config)) ?? {}
      const messages = checkpoint?.channel_values.messages as { tool_calls?: { name: string }[] }[]
      seen.push(messages.at(-1)?.tool_calls?.[0].name, await world.journal.store.effect('thread', started[0]))
      return 'charged'
    }
    await using world = await openAgent({ script, act: look })
    const { store } = world.journal
    const [write, startEffect] = [store.write.bind(store), store.startEffect.bind(store)]
    const started: string[] = []
    Object.assign(store, {
      write: (...change: Parameters<typeof write>) => sleep(20).then(() => write(...change)),
      startEffect: (...start: Parameters<typeof startEffect>) => {
        started.push(start[2].key)
        return startEffect(...start)
      },
    })
    await world.say('Charge it.', { durability: 'async' })
    expect(seen).toEqual(['charge', { state: 'started', owner: expect.any(String) }])
  })

  test('[LC23] a crash in the tool, and the tool is safe to run again: it is', async () => {
    const place = newPlace()
    const lost = new Gate()
    await using before = await openAgent({ script, place, act: () => lost.opened.then(() => 'lost') })
    void before.say('Charge it.').catch(() => {})
    await until(() => before.effects.length === 1)
    await before.journal.close()
    await using after = await openAgent({
      strict: before.strict,
      place,
      heal: { tools: { charge: { replay: 'safe' } } },
    })
    await after.resume()
    expect(after.effects).toHaveLength(1)
    expect((await after.said())[2]).toEqual(['tool', 'charged'])
  })

  test.each([undefined, 'Are you there?'])(
    '[LC24] a crash when the tool was done and nobody had heard: its result counts (then: %s)',
    async words => {
      const place = newPlace()
      const done = new Gate()
      await using before = await openAgent({ script: [call, 'Good.'], place, around: [deafFrom(done)] })
      void before.say('Charge it.').catch(() => {})
      await done.opened
      await before.journal.close()
      await using after = await openAgent({ strict: before.strict, place })
      await (words === undefined ? after.resume() : after.say(words))
      const spoken = words === undefined ? [] : [['human', words]]
      const charged = [
        ['human', 'Charge it.'],
        ['ai', ''],
        ['tool', 'charged'],
      ]
      expect(await after.said()).toEqual([...charged, ...spoken, ['ai', 'Good.']])
      expect(after.effects).toEqual([])
      expect(after.refusals()).toEqual([])
    },
  )

  test('[LC25] of calls that were made together each has its own fate', async () => {
    const place = newPlace()
    const calls = [1, 2, 3].map(amount => ({ name: 'charge', input: { amount } }))
    const lost = new Gate()
    await using before = await openAgent({
      place,
      script: [{ calls }, 'Good.'],
      act: count => (count === 2 ? lost.opened.then(() => 'lost') : `charge ${count}`),
    })
    void before.say('Charge all.').catch(() => {})
    await until(() => before.settled() === 2)
    await before.journal.close()
    await using after = await openAgent({ strict: before.strict, place })
    await after.resume()
    const results = (await after.said()).filter(([type]) => type === 'tool').map(([, text]) => text)
    expect(results).toEqual(['charge 1', unknown, 'charge 3'])
    expect(after.effects).toEqual([])
  })

  test('[LC29] equal calls of later turns are calls of their own', async () => {
    const same = { calls: [{ id: 'same', name: 'charge', input: { amount: 5 } }] }
    await using world = await openAgent({ script: ({ turnResults }) => (turnResults.length > 0 ? 'Done.' : same) })
    for (const words of ['Once.', 'Twice.', 'Thrice.']) await world.say(words)
    expect(world.effects).toEqual([5, 5, 5])
  })

  test('[LC29] equal calls beside each other are calls of their own', async () => {
    const same = { id: 'same', name: 'charge', input: { amount: 5 } }
    await using world = await openAgent({ script: [{ calls: [same, same] }, 'Done.'] })
    await world.say('Twice.')
    expect(world.effects).toEqual([5, 5])
    expect(world.refusals()).toEqual([])
  })

  test('[LC30] what a tool throws is told to the model, as without a middleware, and is not tried again', async () => {
    const act = () => Promise.reject(new Error('no money'))
    await using world = await openAgent({ script, act })
    await world.say('Charge it.')
    expect((await world.said())[2]).toEqual(['tool', 'Error: no money\n Please fix your mistakes.'])
    await using bare = await openAgent({ script, act, bare: true })
    await bare.say('Charge it.')
    expect(await bare.said()).toEqual(await world.said())
    expect(world.effects).toHaveLength(1)
  })

  test('[LC30] arguments that do not fit a tool are told to the model, and the tool runs when they do', async () => {
    const call = (amount: unknown) => ({ calls: [{ name: 'charge', input: { amount } }] })
    await using world = await openAgent({ script: [call('much'), call(5), 'Done.'] })
    await world.say('Charge it.')
    expect((await world.said()).map(([type]) => type)).toEqual(['human', 'ai', 'tool', 'ai', 'tool', 'ai'])
    expect(world.effects).toEqual([5])
  })

  test('[LC31] with toolErrors "throw" a middleware that stands around it tries again', async () => {
    await using world = await openAgent({
      script,
      heal: { toolErrors: 'throw' },
      around: [toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 })],
      act: count => (count < 3 ? Promise.reject(new Error('busy')) : 'charged'),
    })
    await world.say('Charge it.')
    expect((await world.said())[2]).toEqual(['tool', 'charged'])
    expect(world.effects).toHaveLength(3)
  })

  test('[LC32] what a tool commands the graph is kept as well', async () => {
    const place = newPlace()
    const done = new Gate()
    const script = [{ calls: [{ id: 'mine', name: 'charge', input: { amount: 5 } }] }, 'Good.']
    const result = new ToolMessage({ content: 'by command', tool_call_id: 'mine' })
    const act = () => new Command({ update: { messages: [result] } })
    await using before = await openAgent({ script, place, around: [deafFrom(done)], act })
    void before.say('Charge it.').catch(() => {})
    await done.opened
    await before.journal.close()
    await using after = await openAgent({ strict: before.strict, place, act })
    await after.resume()
    expect((await after.said()).slice(2)).toEqual([
      ['tool', 'by command'],
      ['ai', 'Good.'],
    ])
    expect(after.effects).toEqual([])
  })

  test('[LC33] what is not a journal, and a replay that does not exist, are refused at once', async () => {
    expect(() => healMiddleware({ journal: new MemorySaver() as never })).toThrow('not an Antiphon checkpointer')
    await using world = await openAgent()
    const tools = { charge: { replay: 'always' as never } }
    expect(() => healMiddleware({ journal: world.journal, tools })).toThrow('unknown value of replay of the tool')
  })

  test('[LC33] another checkpointer may keep the state, or none', async () => {
    await using world = await openAgent({ script })
    const middleware = [healMiddleware({ journal: world.journal })]
    const model = modelAt(world.strict.url, 'openai')
    const other = createAgent({ model, tools: [world.charge], middleware, checkpointer: new MemorySaver() })
    const none = createAgent({ model, tools: [world.charge], middleware })
    for (const agent of [other, none]) {
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Charge it.' }] }, world.config)
      expect(messages.map(({ type }) => type)).toEqual(['human', 'ai', 'tool', 'ai'])
    }
    expect(world.effects).toHaveLength(2)
  })
})
