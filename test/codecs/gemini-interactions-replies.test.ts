import { expect, test } from 'vitest'
import { replies } from '../../src/codecs/shared/replies.ts'

const { read, fold } = replies['gemini-interactions']

function folded(events: readonly unknown[]) {
  const run = fold()
  for (const event of events) run.push(event)
  return { reply: run.end() }
}

const end = (id: string, status: string, more: object = {}) => ({
  ...{ event_type: 'interaction.completed', interaction: { id, status, ...more } },
})
const words = (text: string) => ({ type: 'text', text })
const says = (...texts: string[]) => ({ type: 'model_output', content: texts.map(words) })
const asks = (text: string) => ({ type: 'user_input', content: [words(text)] })
const call = { type: 'function_call', id: 'a1', name: 'look', arguments: {} }

test('the reply of a stored interaction is what follows its request', () => {
  const stored = (...steps: object[]) => ({ id: 'v1', object: 'interaction', status: 'completed', steps })
  const result = { type: 'function_result', call_id: 'a1', name: 'look', result: 'a cat' }
  const history = [asks('Hi'), says('Ho'), asks('What is this?')]
  expect(read(stored(...history, says('New')))?.messages).toEqual([says('New')])
  expect(read(stored(...history, call, result, says('A cat')))?.messages).toEqual([says('A cat')])
  expect(read(stored(says('New')))?.messages).toEqual([says('New')])
  expect(read(stored(...history))?.messages).toEqual([])
  expect(folded([end('v1', 'completed', stored(...history, says('New')))]).reply.messages).toEqual([says('New')])
})
