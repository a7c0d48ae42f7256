import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { RunnableConfig } from '@langchain/core/runnables'
import { type BaseCheckpointSaver, MemorySaver, Send } from '@langchain/langgraph'
import { type Checkpoint, type CheckpointTuple, emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint'
import { describe, expect, test } from 'vitest'
import { openCheckpointer } from '../../../src/integrations/langchain/index.ts'
import { newPlaces, type PlaceKind } from './places.ts'

const kinds: readonly PlaceKind[] = ['memory', 'sqlite', 'postgres']
const newPlace = newPlaces(kinds)

describe.each(kinds)('%s', kind => {
  test.each(Object.entries(stories()))(
    '[LC10] a checkpointer answers as the MemorySaver of LangGraph does: %s',
    async (_, story) => {
      const { where, options } = newPlace(kind)
      await using saver = await openCheckpointer(where, options)
      const expected = await play(new MemorySaver(), story)
      const answers = await play(saver, story)
      expect(expected.length).toBeGreaterThan(0)
      expect(answers).toEqual(expected)
    },
  )

  test('[LC11] what was put is there for another that opens the same place', async () => {
    const { where, options } = newPlace(kind)
    await using first = await openCheckpointer(where, options)
    const at = await first.put(inThread('t'), checkpoint(1, { messages }), { source: 'loop', step: 0, parents: {} }, {})
    await first.putWrites(at, [['messages', [new HumanMessage('pending')]]], 'task')
    // What is in memory is there for nobody else.
    await using second = kind === 'memory' ? undefined : await openCheckpointer(where, options)
    const tuple = await (second ?? first).getTuple(inThread('t'))
    expect(tuple?.checkpoint.channel_values.messages).toEqual(messages)
    expect(tuple?.pendingWrites).toEqual([['task', 'messages', [new HumanMessage('pending')]]])
  })

  test('[LC47] a thread that is named by a number is deleted by it', async () => {
    const { where, options } = newPlace(kind)
    await using saver = await openCheckpointer(where, options)
    await saver.put({ configurable: { thread_id: 7 } }, checkpoint(1, { messages }), {
      source: 'loop',
      step: 0,
      parents: {},
    })
    expect(await saver.getTuple({ configurable: { thread_id: 7 } })).toBeDefined()
    await saver.deleteThread(7 as never)
    expect(await saver.getTuple({ configurable: { thread_id: 7 } })).toBeUndefined()
  })

  test('[SE192] a checkpoint with a function as a value, or a channel with a name of the language, can be read', async () => {
    const { where, options } = newPlace(kind)
    await using saver = await openCheckpointer(where, options)
    const values = { messages, call: () => 1 }
    const at = await saver.put(inThread('t'), checkpoint(1, values), { source: 'loop', step: 0, parents: {} }, {})
    const writes = ['constructor', '__proto__', 'call'].map((name): [string, unknown] => [name, name])
    await saver.putWrites(at, [...writes, ['call', () => 1]], 'task')
    const tuple = await saver.getTuple(inThread('t'))
    expect(tuple?.checkpoint.channel_values).toMatchObject({ messages, call: null })
    expect(tuple?.pendingWrites).toEqual([...writes.map(write => ['task', ...write]), ['task', 'call', null]])
  })

  test('[LC12] names and words may hold any letter', async () => {
    const { where, options } = newPlace(kind)
    await using saver = await openCheckpointer(where, options)
    const odd = 'a\u0000b \\ "q" \' -- __proto__'
    const words = `${odd} \ud800`
    const name = odd.replace('\0', '')
    const thread = { configurable: { thread_id: name, checkpoint_ns: '' } }
    const values = { [odd]: words, messages: [new HumanMessage(words)] }
    const at = await saver.put(thread, checkpoint(1, values), { source: 'loop', step: 0, parents: {} }, {})
    await saver.putWrites(at, [[odd, { [odd]: words }]], odd)
    const tuple = await saver.getTuple(thread)
    expect(tuple?.checkpoint.channel_values).toEqual(values)
    expect(tuple?.pendingWrites).toEqual([[odd, odd, { [odd]: words }]])
    expect(tuple?.config.configurable?.thread_id).toBe(name)
    for (const bad of [odd, words]) await expect(saver.getTuple(inThread(bad))).rejects.toThrow('must be a non-empty')
  })
})

type Act = (saver: BaseCheckpointSaver, tell: (answer: unknown) => void) => Promise<void>

const messages = [
  new HumanMessage({ content: 'Hi', id: 'h' }),
  new AIMessage({ content: '', id: 'a', tool_calls: [{ id: 'c', name: 'bash', args: { command: 'ls' } }] }),
  new ToolMessage({ content: 'files', tool_call_id: 'c', id: 't', artifact: { raw: [1] } }),
]

const ids = Array.from({ length: 60 }, (_, index) => uuid6(index))

const inThread = (thread_id: string, checkpoint_ns = '', checkpoint_id?: string): RunnableConfig => ({
  configurable: { thread_id, checkpoint_ns, ...(checkpoint_id === undefined ? {} : { checkpoint_id }) },
})

const checkpoint = (count: number, channel_values: Record<string, unknown> = {}): Checkpoint => ({
  ...emptyCheckpoint(),
  id: ids[count],
  ts: '2026-01-01T00:00:00.000Z',
  channel_values,
  channel_versions: Object.fromEntries(Object.keys(channel_values).map(name => [name, count])),
  versions_seen: { node: { messages: count } },
})

const loop = (step: number, more: object = {}) => ({ source: 'loop' as const, step, parents: {}, ...more })

/** What a saver is asked, in order; what it answers is compared. */
function stories(): Record<string, Act> {
  return {
    'an empty thread': async (saver, tell) => {
      tell(await saver.getTuple(inThread('none')))
      tell(await saver.getTuple(inThread('none', '', ids[3])))
      tell(await all(saver.list(inThread('none'))))
      await saver.deleteThread('none')
    },
    'a chain of checkpoints, whole or by name': async (saver, tell) => {
      let at: RunnableConfig = inThread('t')
      for (const count of [1, 2, 3]) {
        at = await saver.put(at, checkpoint(count, { messages: messages.slice(0, count) }), loop(count), {
          messages: count,
        })
        tell(at)
      }
      tell(await saver.getTuple(inThread('t')))
      for (const id of [ids[1], ids[2], ids[9]]) tell(await saver.getTuple(inThread('t', '', id)))
      tell(await saver.get(inThread('t')))
    },
    'lists, with filters, limits and before': async (saver, tell) => {
      let at: RunnableConfig = inThread('t')
      for (let count = 1; count <= 55; count++)
        at = await saver.put(at, checkpoint(count), loop(count, { even: count % 2 === 0, who: 'me' }), {})
      await saver.put(inThread('other'), checkpoint(57), loop(1), {})
      await saver.put(inThread('t', 'sub:1'), checkpoint(58), loop(1), {})
      for (const options of [
        ...[
          {},
          { limit: 2 },
          { limit: 0 },
          { filter: { even: true } },
          { filter: { even: true, who: 'me' }, limit: 3 },
        ],
        ...[{ filter: { who: 'you' } }, { filter: {} }, { before: inThread('t', '', ids[4]) }],
        { before: inThread('t', '', ids[40]), limit: 2, filter: { even: false } },
      ])
        tell(idsOf(await all(saver.list(inThread('t'), options))))
      // A graph stores its checkpoints without waiting for those of the graph around it.
      await saver.put(inThread('late', 'sub'), checkpoint(6), loop(1), {})
      await saver.put(inThread('late', 'sub'), checkpoint(8), loop(2), {})
      await saver.put(inThread('late'), checkpoint(7), loop(1), {})
      tell(idsOf(await all(saver.list(inThread('late', 'sub'), { before: inThread('late', '', ids[7]) }))))
      tell(idsOf(await all(saver.list(inThread('t', '', ids[7])))))
      tell(idsOf(await all(saver.list({ configurable: { thread_id: 't', checkpoint_ns: 'sub:1' } }))))
      tell(idsOf(await all(saver.list({ configurable: { thread_id: 't' } }))).sort())
      tell(idsOf(await all(saver.list({}))).sort())
    },
    'namespaces of graphs within graphs': async (saver, tell) => {
      await saver.put(inThread('t'), checkpoint(1, { a: 1 }), loop(1), {})
      await saver.put(inThread('t', 'sub:x'), checkpoint(2, { a: 2 }), loop(1), {})
      await saver.put(inThread('t', 'sub:x|deep:y'), checkpoint(3, { a: 3 }), loop(1), {})
      for (const namespace of ['', 'sub:x', 'sub:x|deep:y', 'sub:z'])
        tell(await saver.getTuple(inThread('t', namespace)))
    },
    'pending writes, also those of LangGraph itself': async (saver, tell) => {
      const at = await saver.put(inThread('t'), checkpoint(1), loop(1), {})
      await saver.putWrites(
        at,
        [
          ['a', 1],
          ['b', { deep: [undefined, null, 1] }],
          ['a', 2],
        ],
        'one',
      )
      await saver.putWrites(at, [['a', 'not taken']], 'one')
      await saver.putWrites(at, [['__interrupt__', { value: 'first' }]], 'two')
      await saver.putWrites(
        at,
        [
          ['__interrupt__', { value: 'second' }],
          ['__resume__', ['yes']],
        ],
        'two',
      )
      await saver.putWrites(at, [['__error__', { message: 'boom', name: 'Error' }]], 'three')
      await saver.putWrites(at, [['messages', messages]], 'four')
      await saver.putWrites(
        at,
        [['__pregel_tasks', new Send('tools', { messages, lg_tool_call: { id: 'c' } })]],
        'five',
      )
      tell(await saver.getTuple(inThread('t')))
      tell(await saver.getTuple(inThread('t', '', ids[1])))
    },
    'writes that come before their checkpoint': async (saver, tell) => {
      await saver.putWrites(inThread('t', '', ids[1]), [['a', 1]], 'one')
      tell(await saver.getTuple(inThread('t')))
      await saver.put(inThread('t'), checkpoint(1), loop(1), {})
      tell(await saver.getTuple(inThread('t')))
    },
    'a checkpoint that is put twice': async (saver, tell) => {
      await saver.put(inThread('t'), checkpoint(1, { a: 1 }), loop(1), {})
      await saver.put(inThread('t', '', ids[1]), checkpoint(2, { a: 2 }), loop(2), {})
      await saver.put(inThread('t'), checkpoint(1, { a: 'new' }), loop(1), {})
      tell(await saver.getTuple(inThread('t')))
      tell(await all(saver.list(inThread('t'))))
    },
    'values of every sort': async (saver, tell) => {
      const long = Array.from({ length: 40 }, (_, index) => new HumanMessage({ content: `${index}`, id: `${index}` }))
      const values = {
        ...{ nothing: undefined, none: null, zero: 0, no: false, text: '', empty: [], list: [1, [2, [3]]] },
        ...{ set: new Set([1]), map: new Map([['k', { v: 1 }]]), pattern: /a+/gi, error: new Error('x') },
        ...{
          long,
          one: long.slice(0, 16),
          more: long.slice(0, 17),
          twice: { first: long, second: [long[0], 'x', null] },
        },
        ...{
          message: messages[1],
          sends: [new Send('a', { messages: long }), new Send('b', 'plain')],
          big: 'x'.repeat(500),
        },
        ...{ mixed: [messages[0], 'text', undefined, { nested: { messages } }] },
      }
      await saver.put(inThread('t'), checkpoint(1, values), loop(1, { extra: { messages } }), {})
      tell(await saver.getTuple(inThread('t')))
    },
    'a thread that is deleted': async (saver, tell) => {
      for (const thread of ['t', 'u']) {
        const at = await saver.put(inThread(thread), checkpoint(1, { messages }), loop(1), {})
        await saver.putWrites(at, [['a', 1]], 'one')
      }
      await saver.deleteThread('t')
      for (const thread of ['t', 'u']) tell(await saver.getTuple(inThread(thread)))
      tell(idsOf(await all(saver.list({ configurable: { thread_id: 't' } }))))
      await saver.put(inThread('t'), checkpoint(2, { messages }), loop(1), {})
      tell(await saver.getTuple(inThread('t')))
    },
    'the history of a delta channel': async (saver, tell) => {
      let at: RunnableConfig = inThread('t')
      for (const count of [1, 2, 3, 4]) {
        at = await saver.put(at, checkpoint(count, count === 2 ? { delta: ['seed'] } : {}), loop(count), {})
        await saver.putWrites(
          at,
          [
            ['delta', count],
            ['other', count],
          ],
          `task ${count}`,
        )
      }
      tell(await saver.getDeltaChannelHistory({ config: at, channels: ['delta', 'other', 'none'] }))
    },
  }
}

async function play(saver: BaseCheckpointSaver, story: Act): Promise<unknown[]> {
  const answers: unknown[] = []
  await story(saver, answer => answers.push(answer))
  return answers
}

async function all(tuples: AsyncGenerator<CheckpointTuple>): Promise<CheckpointTuple[]> {
  const found: CheckpointTuple[] = []
  for await (const tuple of tuples) found.push(tuple)
  return found
}

const idsOf = (tuples: readonly CheckpointTuple[]): string[] => tuples.map(({ checkpoint }) => checkpoint.id)
