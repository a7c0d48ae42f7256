import { expect, test } from 'vitest'
import { systemClock } from '../../src/journal/clock.ts'
import { Journal } from '../../src/journal/journal.ts'
import { MemoryStore } from '../../src/journal/stores/memory.ts'
import { taken } from './contract/turn.ts'
import { withMethods } from './contract/with-methods.ts'

test.each([
  ['done', undefined],
  ['failed', new Error('the key is wrong')],
] as const)('[B229] a turn that could not be ended as %s is when it is disposed of', async (status, error) => {
  const memory = new MemoryStore()
  let isDown = false
  const write: MemoryStore['write'] = async each => {
    if (isDown) throw new Error('the disk is gone')
    return memory.write(each)
  }
  const thread = new Journal(withMethods(memory, { write }), systemClock, 'here').thread('t')
  await thread.submit('Hello?')
  const turn = await taken(thread)
  isDown = true
  await expect(turn.finish(status, error)).rejects.toThrow('the disk is gone')
  isDown = false
  await turn[Symbol.asyncDispose]()
  const last = (await memory.read(1, 0)).at(-1)
  expect(last).toMatchObject({ kind: 'turn-end', status, ...(error && { error: { message: error.message } }) })
})
