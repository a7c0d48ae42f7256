import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keptHistory } from '../../../src/apps/cli/session.ts'
import { startViewer, type Viewer } from '../../../src/apps/viewer/index.ts'
import type { CatalogueItem, Document, Notice, ThreadAction, ThreadFacts } from '../../../src/apps/viewer/protocol.ts'
import { sessionFormat } from '../../../src/integrations/openai-agents/session-items.ts'
import { openJournal, run } from '../../../src/journal/index.ts'
import { calls, scripted } from '../../journal/contract/model.ts'
import { type Server, startServer } from '../../journal/stores/postgres-server.ts'
import { programFile } from '../../programs.ts'
import { folder } from '../cli/program.ts'
import { type Answer, ask, documentOf, eventsOf, itemsOf, smallPage, withViewer } from './viewer-server.ts'

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

/** A viewer on a journal that another process works on. */
async function live(
  where: string,
  path: string,
  work: (viewer: Viewer, submit: Submit) => Promise<void>,
): Promise<void> {
  const journal = await openJournal(where, { telemetry: false })
  const worker = fork(programFile('viewer-work'), [where])
  try {
    await withViewer({ paths: [path] }, viewer => work(viewer, (name, words) => journal.thread(name).submit(words)))
  } finally {
    worker.disconnect()
    await once(worker, 'exit')
    await journal.close()
  }
}

type Submit = (thread: string, words: string) => Promise<unknown>

const places: readonly (readonly [string, () => { where: string; path: string }])[] = [
  [
    'SQLite',
    () => {
      const path = join(folder(), 'chat.db')
      return { where: `sqlite:${path}`, path }
    },
  ],
  ['PostgreSQL', () => ({ where: server.url(), path: server.url() })],
]

/** Waits until a thread is in the list in some state. */
async function itemNamed({ url }: Viewer, name: string, states: readonly string[]): Promise<CatalogueItem> {
  for await (const notice of eventsOf<Notice>(`${url}api/events`))
    if (notice.kind === 'item' && notice.item.title === name && states.includes(notice.item.state)) return notice.item
  throw new Error(`the stream ended before ${name} was ${states.join(' or ')}`)
}

async function factsWhen(
  { url }: Viewer,
  { source, id }: CatalogueItem,
  isSo: (facts: ThreadFacts) => boolean,
): Promise<ThreadFacts> {
  for await (const facts of eventsOf<ThreadFacts>(`${url}api/threads/${source}/${id}/events`))
    if (isSo(facts)) return facts
  throw new Error('the stream ended before that')
}

const act = (
  { url }: Viewer,
  { source, id }: Pick<CatalogueItem, 'source' | 'id'>,
  action: ThreadAction | string,
): Promise<Answer> =>
  ask(`${url}api/threads/${source}/${id}`, {
    method: 'POST',
    headers: { origin: new URL(url).origin, 'content-type': 'application/json' },
    body: typeof action === 'string' ? action : JSON.stringify(action),
  })

const messagesOf = (document: Document): unknown[] => (document.kind === 'thread' ? [...document.history] : [])

describe.each(places)('a journal in %s, while another process works on it', (_, placed) => {
  test('[VW15] a waiting call is shown and decided, and of two decisions at once the first counts', async () => {
    const { where, path } = placed()
    await live(where, path, async (viewer, submit) => {
      await submit('user <42>', 'drop')
      const item = await itemNamed(viewer, 'user <42>', ['parked'])
      const facts = await factsWhen(viewer, item, ({ open }) => open[0]?.state === 'approval')
      expect(facts).toMatchObject({
        state: 'parked',
        turn: { number: 1 },
        open: [{ name: 'drop', input: '{"name":"staging"}' }],
      })
      const document = await documentOf(viewer, item)
      expect(document).toMatchObject({ kind: 'thread', name: 'user <42>', format: 'openai-chat', for: 'openai' })
      expect(messagesOf(document)).toHaveLength(3)
      const call = facts.open[0].id
      const answers = await Promise.all([
        act(viewer, item, { do: 'approve', call }),
        act(viewer, item, { do: 'deny', call, reason: 'too dear' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const [approved, denied] = answers.map(({ body }) => JSON.parse(body).message)
      expect([`${approved}; ${denied}`]).toEqual(
        approved === 'approved'
          ? ['approved; it was already approved']
          : ['it was already denied: too dear; denied: too dear'],
      )
      const over = await factsWhen(viewer, item, ({ ended }) => ended !== undefined)
      expect(over).toMatchObject({ ended: { status: 'done' }, open: [] })
      const last = JSON.stringify(messagesOf(await documentOf(viewer, item)).at(-1))
      expect(last).toContain(approved === 'approved' ? 'The result was: dropped' : 'The result was: ')
    })
  })

  test('[VW40] what an agent waits for is shown on the page of its parent with its path, and decided there', async () => {
    const { where, path } = placed()
    await live(where, path, async (viewer, submit) => {
      await submit('parent', 'delegate')
      const item = await itemNamed(viewer, 'parent', ['parked'])
      const facts = await factsWhen(
        viewer,
        item,
        ({ open, agents }) => open[1]?.state === 'approval' && agents[0]?.state === 'parked',
      )
      expect(facts.open).toMatchObject([
        { name: 'delegate', state: 'agent' },
        { name: 'drop', path: ['delegate'], input: '{"name":"staging"}' },
      ])
      const [{ item: id, call }] = facts.agents
      expect(facts.agents).toMatchObject([{ name: 'delegate', call: facts.open[0].id, state: 'parked' }])
      const child = await itemNamed(viewer, `parent/agent:${call}`, ['parked'])
      expect(child).toMatchObject({ id, parent: item.id })
      const parent = { item: item.id, name: 'parent' }
      expect(await documentOf(viewer, child)).toMatchObject({ thread: { parent, open: [{ name: 'drop' }] } })
      const { body } = await act(viewer, item, { do: 'approve', call: facts.open[1].id })
      expect(JSON.parse(body).message).toBe('approved')
      const over = await factsWhen(viewer, item, ({ ended }) => ended !== undefined)
      expect(over).toMatchObject({ open: [], agents: [{ item: id, state: 'idle' }], ended: { status: 'done' } })
    })
  })

  test('[VW16] a running turn is shown with its owner, and interrupted', async () => {
    const { where, path } = placed()
    await live(where, path, async (viewer, submit) => {
      await submit('busy', 'wait')
      const item = await itemNamed(viewer, 'busy', ['running'])
      const facts = await factsWhen(viewer, item, ({ open }) => open[0]?.state === 'started')
      expect(facts).toMatchObject({ state: 'running', lease: { owner: 'the-worker' }, open: [{ name: 'wait' }] })
      await submit('busy', 'and then')
      await factsWhen(viewer, item, ({ waiting }) => waiting[0]?.text === 'and then')
      const { status, body } = await act(viewer, item, { do: 'interrupt', reason: 'enough', turn: 1 })
      expect({ status, ...JSON.parse(body) }).toEqual({ status: 200, message: 'turn 1 is being interrupted' })
      await factsWhen(viewer, item, ({ turns }) => turns === 2)
      const again = await act(viewer, item, { do: 'interrupt', reason: 'enough', turn: 1 })
      expect(JSON.parse(again.body).message).toMatch(/^nothing was done|^no turn is running/)
    })
  })
})

describe('an idle journal', () => {
  /** One thread with a call that waits for an approval. */
  async function quiet(): Promise<string> {
    const path = join(folder(), 'chat.db')
    await using journal = await openJournal(`sqlite:${path}`, { telemetry: false })
    const thread = journal.thread('quiet')
    await thread.submit('hello')
    await using turn = await thread.turn()
    const [call] = (await turn?.record(calls(['drop', {}]) as never)) ?? []
    await turn?.parkCall(call, 'approval')
    await turn?.park()
    return path
  }

  test('[VW17] it is only read until a user acts', async () => {
    const path = await quiet()
    const before = readFileSync(path)
    await withViewer({ paths: [path] }, async viewer => {
      const [item] = await itemsOf(viewer)
      expect(item).toMatchObject({ title: 'quiet', state: 'parked', note: '1 open call' })
      await documentOf(viewer, item)
    })
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('[VW27] a thread whose last turn failed is listed and shown as failed, until it has something to do', async () => {
    const path = join(folder(), 'chat.db')
    await using journal = await openJournal(`sqlite:${path}`, { telemetry: false })
    const thread = journal.thread('down')
    await thread.submit('hello')
    const model = () => {
      throw new Error('the model is down')
    }
    await run(thread, { model }).catch(() => {})
    await withViewer({ paths: [path] }, async viewer => {
      const item = await itemNamed(viewer, 'down', ['failed'])
      const ended = { status: 'failed', error: 'the model is down' }
      expect(await documentOf(viewer, item)).toMatchObject({ thread: { state: 'failed', ended } })
      await thread.submit('again')
      await itemNamed(viewer, 'down', ['ready'])
      expect(await factsWhen(viewer, item, ({ state }) => state === 'idle')).toMatchObject({ waiting: { length: 1 } })
    })
  })

  test('[VW41] branches are shown with titles and origins, and switched', async () => {
    for (const [, placed] of places) {
      const { where, path } = placed()
      const journal = await openJournal(where, { telemetry: false })
      const thread = journal.thread('branched')
      const answer = (words: string) => run(thread, { model: scripted(words) })
      const { seq } = await thread.submit('Plan a trip\nto Lisbon')
      await answer('By train.')
      await thread.edit(seq, { role: 'user', content: [{ type: 'text', text: 'Plan a trip to Porto' }] })
      await answer('By bus.')
      await thread.fork()
      await thread.switch(3)
      await withViewer({ paths: [path] }, async viewer => {
        const item = await itemNamed(viewer, 'branched', ['idle'])
        const branches = (current: number) =>
          [
            { branch: 1, title: 'Plan a trip to Lisbon' },
            { branch: 2, from: 1, title: 'Plan a trip to Porto' },
            { branch: 3, from: 2, title: '' },
          ].map(branch => ({ ...branch, isCurrent: branch.branch === current }))
        expect(await documentOf(viewer, item)).toMatchObject({ thread: { branches: branches(3) } })
        const { body } = await act(viewer, item, { do: 'switch', branch: 1 })
        expect(JSON.parse(body).message).toBe('branch 1 is the current one')
        const switched = await documentOf(viewer, item)
        expect(switched).toMatchObject({ thread: { branches: branches(1) } })
        expect(JSON.stringify(messagesOf(switched))).toMatch(/Lisbon.*By train/)
        for (const [branch, status] of [
          [4, 409],
          ['1', 400],
        ])
          expect((await act(viewer, item, JSON.stringify({ do: 'switch', branch }))).status).toBe(status)
        await thread.submit('And then?')
        await using _ = await thread.turn()
        const refused = await act(viewer, item, { do: 'switch', branch: 2 })
        expect({ ...refused, body: JSON.parse(refused.body) }).toMatchObject({
          ...{ status: 409, body: { error: expect.stringMatching(/^[^\n]*turn[^\n]*$/) } },
        })
      })
      await journal.close()
    }
  })

  test('[VW26] a session that an SDK keeps in it is drawn too', async () => {
    const path = join(folder(), 'chat.db')
    const items = [
      { type: 'message', role: 'user', content: 'hi' },
      { type: 'function_call', callId: 'call_1', name: 'look', arguments: '{}' },
    ]
    {
      await using journal = await openJournal(`sqlite:${path}`, { telemetry: false })
      const { thread } = await journal.store.open('session')
      const content = { do: 'append', items }
      const entries = [{ kind: 'input-submit', content, format: sessionFormat, when: 'queue' } as const]
      await journal.store.write({ thread, entries, state: 'kept' })
    }
    await withViewer({ paths: [path], readKept: keptHistory }, async viewer => {
      const [item] = await itemsOf(viewer)
      expect(item).toMatchObject({ title: 'session', state: 'kept' })
      expect(await documentOf(viewer, item)).toMatchObject({
        format: 'openai-responses',
        history: [{ role: 'user' }, { type: 'function_call', call_id: 'call_1' }],
        thread: { state: 'kept', waiting: [] },
      })
    })
  })

  test('[VW18] an action that is not allowed is refused in one line, and creates no journal', async () => {
    const path = await quiet()
    await withViewer({ paths: [path] }, async viewer => {
      const [item] = await itemsOf(viewer)
      const rejected = async (action: ThreadAction | string, of: Pick<CatalogueItem, 'source' | 'id'> = item) => {
        const { status, body } = await act(viewer, of, action)
        expect(JSON.parse(body).error).toMatch(/^[^\n]+$/)
        return status
      }
      for (const action of [
        '',
        'x',
        '[]',
        '{}',
        '{"do":"drop"}',
        '{"do":"approve"}',
        '{"do":"deny","call":1}',
        '{"do":"interrupt"}',
      ])
        expect(await rejected(action), action).toBe(400)
      expect(await rejected(`{"do":"interrupt","reason":"${'x'.repeat(70_000)}"}`)).toBe(413)
      expect(await rejected({ do: 'approve', call: 'nothing-1-0' })).toBe(404)
      expect(await rejected({ do: 'interrupt', reason: 'x' }, { source: '1', id: '99' })).toBe(404)
      rmSync(path)
      expect(await rejected({ do: 'interrupt', reason: 'x' })).toBeGreaterThanOrEqual(400)
      expect(existsSync(path)).toBe(false)
    })
  })

  test('[VW19] a database without a journal is not changed into one, and no password is shown', async () => {
    await server.sql('create database bare')
    const address = server.url().replace(/postgres$/, 'bare')
    const error = await startViewer({ paths: [address], page: smallPage }).catch((error: Error) => error)
    expect(String(error)).toMatch(/bare has no journal/)
    expect(String(error)).not.toContain(new URL(address).password)
  })
})
