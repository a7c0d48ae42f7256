import { statSync } from 'node:fs'
import { type AIMessage, HumanMessage } from '@langchain/core/messages'
import { Annotation, MessagesAnnotation, Send, StateGraph } from '@langchain/langgraph'
import { expect, test } from 'vitest'
import { openCheckpointer } from '../../../src/integrations/langchain/index.ts'
import { newPlaces } from './places.ts'

const newPlace = newPlaces(['sqlite'])

test.each(['edges', 'sends'] as const)(
  '[LC40] storage grows with what was said, not with its square: steps joined by %s',
  async manner => {
    const short = await bytesAfter(15, manner)
    const long = await bytesAfter(45, manner)
    // Three times as long: nine times as much if each checkpoint held the whole of it.
    expect(long / short).toBeLessThan(3.5)
    expect(long / (45 * 3 * 1024)).toBeLessThan(8)
  },
)

test('[LC13] a message that is changed in place is stored as it is now', async () => {
  const { where, options } = newPlace('sqlite')
  await using saver = await openCheckpointer(where, options)
  const change = ({ messages }: typeof MessagesAnnotation.State) => {
    const [first] = messages
    ;(first.content as { text: string }[])[0].text += '!'
    first.additional_kwargs.deep = { count: messages.length }
    return { messages: [new HumanMessage('next')] }
  }
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('one', change)
    .addNode('two', change)
    .addEdge('__start__', 'one')
    .addEdge('one', 'two')
    .compile({ checkpointer: saver })
  const config = { configurable: { thread_id: 'thread' }, durability: 'sync' as const }
  for (const _ of [1, 2])
    await graph.invoke({ messages: [new HumanMessage({ content: [{ type: 'text', text: 'said' }] })] }, config)
  const [first] = (await graph.getState(config)).values.messages
  expect(first.text).toBe('said!!!!')
  expect(first.additional_kwargs).toEqual({ deep: { count: 5 } })
})

/** Turns of three messages of 1 KiB, each of them said once. */
async function bytesAfter(turns: number, manner: 'edges' | 'sends'): Promise<number> {
  const { where, options } = newPlace('sqlite')
  await using saver = await openCheckpointer(where, { ...options, durability: 'process' })
  const State = Annotation.Root({ ...MessagesAnnotation.spec, note: Annotation<string> })
  let count = 0
  const words = () => `${count++} `.padEnd(1024, '.')
  const say = () => ({ messages: [new HumanMessage(words())] })
  const graph = new StateGraph(State)
    .addNode('one', say)
    .addNode('two', say)
    .addEdge('__start__', 'one')
    .addConditionalEdges('one', state => (manner === 'edges' ? 'two' : [new Send('two', { ...state, note: 'n' })]))
    .compile({ checkpointer: saver })
  const config = { configurable: { thread_id: 'thread' }, durability: 'sync' as const }
  for (let turn = 0; turn < turns; turn++) await graph.invoke(say(), config)
  const { messages } = (await graph.getState(config)).values as { messages: AIMessage[] }
  expect(messages.map(({ text }) => Number.parseInt(text, 10))).toEqual(messages.map((_, index) => index))
  await saver.close()
  return statSync(where.slice('sqlite:'.length)).size
}
