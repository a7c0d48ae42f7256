import { join } from 'node:path'
import type { AgentInputItem } from '@openai/agents'
import { describe, expect, test } from 'vitest'
import { journalSession } from '../../../src/integrations/openai-agents/index.ts'
import { type Journal, openJournal, type Thread } from '../../../src/journal/index.ts'
import { antiphon, folder, lines } from '../../apps/cli/program.ts'
import { answer, call, says, user } from './agents.ts'

const talk = [user('One.'), call('call_1'), answer('call_1', 'a'), says('Done.')]

const uses: Record<string, (thread: Thread) => Promise<unknown>> = {
  submit: thread => thread.submit('Hello.'),
  'submit that denies': thread => thread.submit('Hello.', { whenApproving: 'deny' }),
  turn: thread => thread.turn(),
  messages: thread => thread.messages(),
  status: thread => thread.status(),
  interrupt: thread => thread.interrupt('stop'),
  watch: thread => thread.watch({ signal: AbortSignal.timeout(1000) }).next(),
}

describe('a session and a conversation are never one thread', () => {
  test.each(Object.entries(uses))(
    '[OA13] %s of a thread that is a session is refused, and writes nothing',
    async (_, use) => {
      await using journal = await openJournal('memory:')
      const early = journal.thread('s')
      await early.status()
      const session = journalSession(journal, 's')
      await session.addItems(talk)
      const later = (await openJournal(journal.store)).thread('s')
      for (const thread of [early, later])
        await expect(use(thread)).rejects.toMatchObject({ code: 'not-a-conversation', hint: expect.any(String) })
      expect(await session.getItems()).toEqual(talk)
      expect(await rowsOf(journal)).toMatchObject([{ name: 's', head: 1, state: 'kept', epoch: 0 }])
    },
  )

  const writes: Record<string, (journal: Journal) => unknown> = {
    addItems: journal => journalSession(journal, 'chat').addItems(talk),
    replaceHistoryWithCompaction: journal => journalSession(journal, 'chat').replaceHistoryWithCompaction(talk),
    applyHistoryMutations: journal =>
      journalSession(journal, 'chat').applyHistoryMutations({
        mutations: [{ type: 'replace_function_call', callId: 'x', replacement: call('x') as never }],
      }),
    applyHistoryTransaction: journal =>
      journalSession(journal, 'chat').applyHistoryTransaction({
        ...{ operationId: 'op', transaction: { type: 'append_items', items: talk } },
      }),
  }
  test.each(Object.entries(writes))('[OA13] %s to a thread that is a conversation is refused', async (_, write) => {
    await using journal = await openJournal('memory:')
    const thread = journal.thread('chat')
    await thread.submit('Hello.')
    await expect(Promise.resolve(write(journal))).rejects.toMatchObject({ code: 'not-a-session' })
    const turn = await thread.turn()
    expect(turn?.messages).toEqual([{ role: 'user', content: 'Hello.' }])
    await turn?.[Symbol.asyncDispose]()
  })

  test.each([true, false])('[OA13] of two that come at once one has the thread, session first %s', async isFirst => {
    await using journal = await openJournal('memory:')
    const session = journalSession(journal, 'x')
    const begin = [() => session.addItems(talk), () => journal.thread('x').submit('Hello.')]
    const ends = await Promise.allSettled((isFirst ? begin : begin.toReversed()).map(start => start()))
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [{ state, head }] = await rowsOf(journal)
    expect(head).toBe(1)
    const refused = { code: state === 'kept' ? 'not-a-conversation' : 'not-a-session' }
    expect(ends.find(({ status }) => status === 'rejected')).toMatchObject({ reason: refused })
  })

  test('[OA13] a session that comes between a look at an empty thread and its first word has it', async () => {
    await using journal = await openJournal('memory:')
    const { store } = journal
    const write = store.write.bind(store)
    store.write = async first => {
      store.write = write
      await journalSession(journal, 'x').addItems(talk)
      return write(first)
    }
    await expect(journal.thread('x').submit('Hello.')).rejects.toMatchObject({ code: 'not-a-conversation' })
    expect(await rowsOf(journal)).toMatchObject([{ name: 'x', head: 1, state: 'kept' }])
  })
})

test('[OA14] the command line shows the items of a session, and exports them as they are stored', async () => {
  const file = join(folder(), 'chat.db')
  const bytes = { ...user(''), content: [{ type: 'input_image', image: new Uint8Array([1, 2]) }] } as unknown
  {
    await using journal = await openJournal(`sqlite:${file}`)
    const session = journalSession(journal, 'user-42')
    await session.addItems([user('Gone.')])
    await session.popItem()
    await session.addItems([...talk, bytes as AgentInputItem])
  }
  const { stdout, code } = await antiphon(['show', file, 'user-42'])
  expect(code).toBe(0)
  expect(lines(stdout).map(line => line.split(/\s+/).slice(0, 2).join(' '))).toEqual([
    ...['user "One."', 'assistant run({})', 'tool "a"', 'assistant "Done."'],
    ...[expect.stringMatching(/^user /), 'kept: a'],
  ])
  expect(lines(stdout).at(-1)).toBe('kept: a session of the OpenAI Agents SDK, 5 items, 3 entries')
  const stored = [
    ...talk,
    { ...(bytes as object), content: [{ type: 'input_image', image: { '$antiphon:bytes': 'AQI=' } }] },
  ]
  expect(JSON.parse((await antiphon(['show', file, 'user-42', '--json'])).stdout)).toEqual(stored)
  expect((await antiphon(['threads', file])).stdout).toMatch(/^kept +3 +0 .* user-42$/m)
  const { stdout: line } = await antiphon(['export', file, '--for', 'openai'])
  expect(JSON.parse(line)).toEqual({ thread: 'user-42', format: 'openai-agents', items: stored })
})

const rowsOf = (journal: Journal) => journal.store.list(0, 10)
