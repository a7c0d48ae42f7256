import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/journal/clock.ts'
import { Journal } from '../../src/journal/journal.ts'
import { MemoryStore } from '../../src/journal/stores/memory.ts'
import { calls, says } from './contract/model.ts'
import { taken } from './contract/turn.ts'
import { withMethods } from './contract/with-methods.ts'

const opened = () => new Journal(new MemoryStore(), systemClock, 'here').thread('t')

describe('a turn that was given away', () => {
  test('[B251] cannot be used by its old owner, except to submit a result', async () => {
    const thread = opened()
    await thread.submit('Buy.')
    const turn = await taken(thread)
    const [bought, asked] = await turn.record(calls(['buy'], ['ask']))
    const over = { code: 'turn-over', hint: expect.any(String) }
    await turn.handOver()
    await expect(turn.perform(bought, () => expect.unreachable())).rejects.toMatchObject(over)
    await expect(turn.record(says('Well.'))).rejects.toMatchObject(over)
    await expect(turn.parkCall(asked, 'approval')).rejects.toMatchObject(over)
    await expect(turn.finish()).rejects.toMatchObject(over)
    expect(await thread.settle(bought.id, 'done')).toMatchObject({ outcome: { content: 'done' } })
    await turn[Symbol.asyncDispose]()
    expect(await thread.status()).toMatchObject({ state: 'parked', openCalls: 1 })
  })
})

test('[B252] if the end of an interrupted turn could not be written, it is written when the turn is disposed of', async () => {
  const memory = new MemoryStore()
  let isDown = false
  const write: MemoryStore['write'] = async each => {
    if (isDown && each.entries.some(({ kind }) => kind === 'turn-end')) throw new Error('the disk is gone')
    return memory.write(each)
  }
  const thread = new Journal(withMethods(memory, { write }), systemClock, 'here').thread('t')
  await thread.submit('Look.')
  const turn = await taken(thread)
  isDown = true
  await thread.interrupt('enough')
  await expect(turn[Symbol.asyncDispose]()).rejects.toThrow('the disk is gone')
  isDown = false
  await turn[Symbol.asyncDispose]()
  expect(await thread.status()).toMatchObject({ state: 'idle', last: { status: 'interrupted' } })
})
