import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tombstoneName } from '../../src/journal/erasure/tombstone.ts'
import { openJournal } from '../../src/journal/index.ts'
import { folder } from '../apps/cli/program.ts'

describe.each(['memory', 'sqlite'] as const)('a journal in %s', kind => {
  const open = () => openJournal(kind === 'memory' ? 'memory:' : `sqlite:${join(folder(), 'chat.db')}`)

  test('[SE130] a client cannot take the name that the thread of another has when it is erased', async () => {
    await using journal = await open()
    for (const name of [tombstoneName('bob'), `${tombstoneName('bob')}:1`])
      expect(() => journal.thread(name, { for: 'openai' })).toThrow(expect.objectContaining({ code: 'invalid-name' }))
    await journal.thread('erased:bob', { for: 'openai' }).submit('an ordinary name')
  })

  test('[SE184] a client cannot choose a very long name or key, and agents of a thread with a long name work', async () => {
    await using journal = await open()
    const tooLong = expect.objectContaining({ code: 'invalid-name' })
    const name = 'x'.repeat(1_000)
    for (const long of [`${name}x`, `${name.repeat(4)}/agent:c-1-0`])
      expect(() => journal.thread(long, { for: 'openai' })).toThrow(tooLong)
    const thread = journal.thread(name, { for: 'openai' })
    await expect(thread.submit('hi', { key: `${name}x` })).rejects.toEqual(tooLong)
    await thread.submit('hi', { key: name })
    await expect(thread.child('c-1-0').status()).rejects.toMatchObject({ code: 'unknown-thread' })
  })

  test('[SE130] a thread that has such a name already does not get the words of another', async () => {
    await using journal = await open()
    const { store } = journal
    const old = await store.open(tombstoneName('bob'))
    await journal.thread('bob', { for: 'openai' }).submit('a secret')
    expect(await store.read(old.thread, 0)).toEqual([])
    expect((await store.find('bob'))?.name).toBe('bob')
    expect((await store.find('alice'))?.name).toBeUndefined()
  })
})
