import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, type AgentInputItem, MemorySession, RunState, type Session } from '@openai/agents'
import { describe, expect, test } from 'vitest'
import { AntiphonError, type Report } from '../../../src/index.ts'
import {
  healInputFilter,
  type JournalSessionOptions,
  journalSession,
} from '../../../src/integrations/openai-agents/index.ts'
import { openJournal } from '../../../src/journal/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { failureNames, failures } from '../fetch/failures.ts'
import { agentFor, answer, ask, call, itemsOf, runTool, says, user } from './agents.ts'

const talk = [user('One.'), call('call_1'), answer('call_1', 'a'), says('Done.')]
const gate = { calls: [{ name: 'run', input: {} }] }

describe('a session', () => {
  test('[OA6] keeps items in order and as they came, for every process', async () => {
    await using place = scratch()
    const bytes = { ...answer('call_2', ''), output: [{ type: 'input_image', image: new Uint8Array([1, 2]) }] }
    const odd = [
      { type: 'reasoning', id: 'rs_1', content: [], providerData: { encrypted_content: 'x', deep: { a: [1] } } },
      { ...call('call_2'), id: 'fc_2', namespace: 'n' },
      bytes,
    ] as AgentInputItem[]
    {
      await using journal = await openJournal(place.url)
      const session = journalSession(journal, 'user-42')
      await session.addItems(talk)
      await session.addItems([])
      await session.addItems([user('Two.'), ...odd])
      expect(await session.getSessionId()).toBe('user-42')
    }
    await using journal = await openJournal(place.url)
    const session = journalSession(journal, 'user-42', { onError: fail })
    expect(await session.getItems()).toEqual([...talk, user('Two.'), ...odd])
    expect(await session.getItems(1)).toEqual([])
    expect(await session.getItems(3)).toEqual(odd)
    expect(await journalSession(journal, 'user-43').getItems()).toEqual([])
    expect(await journal.store.due(10)).toEqual([])
  })

  test('[OA6] changing the items it returned changes nothing in it', async () => {
    const { session } = await openSession(talk)
    const [first] = await session.getItems()
    Object.assign(first, { content: 'Two.' })
    expect((await session.getItems())[0]).toEqual(user('One.'))
  })

  test('[OA6] pops, clears and is rewritten as one in memory is', async () => {
    const { session } = await openSession(talk)
    const memory = new MemorySession({ initialItems: talk })
    const replacement = { ...call('call_1'), arguments: '{"a":1}' } as ReturnType<typeof call> & {
      type: 'function_call'
    }
    for (const either of [session, memory]) {
      expect(await either.popItem()).toEqual(says('Done.'))
      await either.applyHistoryMutations({
        mutations: [{ type: 'replace_function_call', callId: 'call_1', replacement }],
      })
    }
    expect(await session.getItems()).toEqual(await memory.getItems())
    expect(await session.getItems()).toContainEqual(replacement)
    await session.clearSession()
    expect([await session.getItems(), await session.popItem()]).toEqual([[], undefined])
    await session.addItems(talk)
    await session.replaceHistoryWithCompaction([user('Short.')])
    expect(await session.getItems()).toEqual([user('Short.')])
  })

  const lost = {
    Map: new Map([[1, 2]]),
    Blob: new Blob(['x']),
    Error: new Error('x'),
    buffer: new ArrayBuffer(2),
    run() {},
    'a value nested 1,200 deep': JSON.parse('['.repeat(1200) + ']'.repeat(1200)),
  }
  test.each(Object.entries(lost))('[OA15] what could not be read again is refused, not lost: %s', async (_, value) => {
    const { session } = await openSession(talk)
    const item = { ...user('x'), providerData: { deep: [{ value }] } } as AgentInputItem
    for (const write of [
      () => session.addItems([item]),
      () => session.replaceHistoryWithCompaction([item]),
      async () =>
        session.applyHistoryTransaction({ operationId: 'a', transaction: { type: 'append_items', items: [item] } }),
    ])
      await expect(write()).rejects.toMatchObject({ code: 'not-json' })
    expect(await session.getItems()).toEqual(talk)
  })

  test('[OA7] a transaction happens once, as a whole or not at all', async () => {
    const { session, journal } = await openSession(talk)
    const append = { operationId: 'op-1', transaction: { type: 'append_items' as const, items: [user('Two.')] } }
    await session.applyHistoryTransaction(append)
    await session.applyHistoryTransaction(append)
    await journalSession(journal, 's').applyHistoryTransaction(append)
    expect((await session.getItems()).length).toBe(talk.length + 1)
    const other = { ...append, transaction: { type: 'append_items' as const, items: [user('Three.')] } }
    await expect(Promise.resolve(session.applyHistoryTransaction(other))).rejects.toMatchObject({ code: 'key-taken' })
    const replace = {
      operationId: 'op-2',
      transaction: {
        ...{ type: 'replace_suffix' as const, expectedSuffix: [says('Done.'), user('Two.')] },
        replacement: [says('Blocked.')],
      },
    }
    await session.applyHistoryTransaction(replace)
    await session.applyHistoryTransaction(replace)
    expect(await session.getItems()).toEqual([...talk.slice(0, 3), says('Blocked.')])
    const stale = Promise.resolve(session.applyHistoryTransaction({ ...replace, operationId: 'op-3' }))
    await expect(stale).rejects.toMatchObject({ code: 'suffix-moved' })
    expect(await session.getItems()).toEqual([...talk.slice(0, 3), says('Blocked.')])
  })

  test('[OA7] many writers at once lose nothing', async () => {
    await using place = scratch()
    await using one = await openJournal(place.url)
    await using other = await openJournal(place.url)
    const sessions = [journalSession(one, 's'), journalSession(other, 's')]
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => sessions[index % 2].addItems([user(`${index}`), says('Yes.')])),
    )
    const popped = await Promise.all(sessions.flatMap(session => [session.popItem(), session.popItem()]))
    expect(popped.filter(item => item !== undefined).length).toBe(4)
    const [items, same] = await Promise.all(sessions.map(session => session.getItems()))
    expect(items).toEqual(same)
    expect(items.length).toBe(36)
  })

  test('[OA8] no worker takes a session for a thread that has something to do, and no session a thread for its own', async () => {
    const { session, journal } = await openSession(talk)
    expect(await journal.store.due(10)).toEqual([])
    await journal.thread('chat').submit('Hello.')
    await expect(journalSession(journal, 'chat').getItems()).rejects.toMatchObject({ code: 'not-a-session' })
    expect(() => journalSession(journal, '')).toThrow(AntiphonError)
    const circle: Record<string, unknown> = {}
    circle.self = circle
    const bad = session.addItems([{ ...user('x'), providerData: { circle } } as AgentInputItem])
    await expect(bad).rejects.toThrow()
    expect(await session.getItems()).toEqual(talk)
  })
})

describe('what comes back is valid', () => {
  test.each(failureNames)('[OA9] %s: the next run is answered', async name => {
    await using strict = await startStrict({ script: () => 'Yes.' })
    for (const api of ['responses', 'chat'] as const) {
      const { session } = await openSession(itemsOf(failures[name]))
      const { finalOutput } = await ask({ url: strict.url, api, session }, 'And now?')
      expect(finalOutput).toBe('Yes.')
    }
  })

  test('[OA9] a call without its result stays, with a placeholder; the SDK alone drops it in silence', async () => {
    await using strict = await startStrict({ script: () => 'Yes.' })
    const items = itemsOf(failures.unanswered)
    const reports: Report[] = []
    const { session } = await openSession(items, { onRepair: report => reports.push(report) })
    for (const either of [new MemorySession({ initialItems: items }), session])
      await ask({ url: strict.url, session: either }, 'And now?')
    const types = strict.requests.map(({ body }) => (body as { input: AgentInputItem[] }).input.map(({ type }) => type))
    expect(types).toEqual([
      [undefined, undefined, undefined],
      [undefined, 'function_call', 'function_call_output', undefined, undefined],
    ])
    expect(reports).toMatchObject([{ repairs: [{ rule: 'unanswered-call' }] }])
    expect((await session.getStoredItems()).slice(0, 3)).toEqual(items)
  })

  test('[OA9] whatever is popped, or however few are asked for', async () => {
    await using strict = await startStrict({ script: () => 'Yes.' })
    const both = [
      user('Go.'),
      call('call_1'),
      call('call_2'),
      answer('call_1', 'a'),
      answer('call_2', 'b'),
      says('Ok.'),
    ]
    const { session } = await openSession([...talk, ...both])
    for (let left = talk.length + both.length; left > 0; left--) {
      for (let limit = 0; limit <= left; limit++) {
        const items = await session.getItems(limit)
        expect(items.length).toBeLessThanOrEqual(limit)
        await ask({ url: strict.url, api: 'chat' }, [...items, user('Well?')])
      }
      await ask({ url: strict.url, api: 'chat' }, [...(await session.getItems()), user('Well?')])
      await session.popItem()
    }
    expect(new Set(strict.requests.map(({ verdict }) => verdict))).toEqual(new Set(['accepted']))
  })

  test('[OA10] a process that dies in a tool leaves a session that goes on', async () => {
    await using place = scratch()
    await using strict = await startStrict()
    const child = spawn(process.execPath, [join(import.meta.dirname, 'dying.ts'), place.url, strict.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await using journal = await openJournal(place.url)
    const session = journalSession(journal, 's')
    const kinds = (await session.getStoredItems()).map(({ type }) => type)
    expect(kinds).toEqual(['message', 'function_call', 'function_call_result', 'message', 'message', 'function_call'])
    strict.script(() => 'Yes.')
    const { finalOutput } = await ask({ url: strict.url, session, api: 'chat' }, 'Are you there?')
    expect(finalOutput).toBe('Yes.')
    expect(strict.requests.at(-1)?.verdict).toBe('accepted')
  })
})

describe('runs', () => {
  const forms = [false, true].flatMap(stream => (['responses', 'chat'] as const).map(api => ({ stream, api })))

  test.each(forms)(
    '[OA11] an approval, other words meanwhile, and then its result: $api, streaming $stream',
    async form => {
      await using strict = await startStrict({ script: [gate] })
      const { session } = await openSession([])
      const question = { ...form, url: strict.url, session, tools: [runTool(() => 'paid', true)] }
      const agent = agentFor(question)
      const waiting = await ask(question, 'Pay.', agent)
      expect(waiting.interruptions.length).toBe(1)
      const state = await RunState.fromString<unknown, Agent>(agent, waiting.state.toString())
      strict.script(() => 'Yes.')
      await ask(question, 'Never mind?', agent)
      for (const item of state.getInterruptions()) state.approve(item)
      await ask(question, state as never, agent)
      const kinds = (await session.getItems()).map(({ type }) => type)
      expect(kinds).toEqual([...['message', 'function_call', 'function_call_result', 'message', 'message', 'message']])
      await ask(question, 'And now?', agent)
      expect(JSON.stringify(await session.getItems())).toContain('paid')
      expect(strict.requests.map(({ verdict }) => verdict)).toEqual(Array(4).fill('accepted'))
    },
  )

  test.each(forms)('[OA11] a run that is aborted in a tool, and the next one: $api, streaming $stream', async form => {
    await using strict = await startStrict({ script: [gate] })
    const { session } = await openSession([])
    const stop = new AbortController()
    const tools = [runTool(() => stop.abort())]
    await ask({ ...form, url: strict.url, session, tools, signal: stop.signal }, 'Run it.').catch(() => {})
    strict.script(() => 'Yes.')
    const { finalOutput } = await ask({ ...form, url: strict.url, session }, 'Are you there?')
    expect(finalOutput).toBe('Yes.')
  })

  test.each(forms)('[OA11] two runs at once on one session, and the next one: $api, streaming $stream', async form => {
    await using strict = await startStrict({ script: [gate, gate, 'One.', 'Two.', 'Three.'] })
    const { session } = await openSession([])
    const question = { ...form, url: strict.url, session, filter: healInputFilter({ onError: fail }) }
    await Promise.all([ask(question, 'One?'), ask(question, 'Two?')])
    const { finalOutput } = await ask(question, 'And now?')
    expect(finalOutput).toBe('Three.')
  })

  test('[OA11] words that a guardrail blocks are kept as by the session in memory', async () => {
    const kept: unknown[] = []
    for (const session of [new MemorySession(), (await openSession([])).session]) {
      await using strict = await startStrict({ script: [gate, 'Bad words.'] })
      const agent = agentFor({ url: strict.url })
      agent.outputGuardrails = [{ name: 'no', execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) }]
      await expect(ask({ url: strict.url, session }, 'Hello.', agent)).rejects.toThrow('guardrail')
      kept.push((await storedIn(session)).map(({ type }) => type))
    }
    expect(kept[1]).toEqual(kept[0])
    expect(kept[0]).toEqual(['message', 'function_call', 'function_call_result'])
  })
})

async function openSession(items: AgentInputItem[], options: JournalSessionOptions = {}) {
  const journal = await openJournal('memory:')
  const session = journalSession(journal, 's', { onError: fail, ...options })
  await session.addItems(items)
  return { journal, session }
}

const storedIn = (session: Session): Promise<AgentInputItem[]> =>
  'getStoredItems' in session ? (session as ReturnType<typeof journalSession>).getStoredItems() : session.getItems()

function scratch(): AsyncDisposable & { url: string } {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-session-'))
  return {
    url: `sqlite:${join(folder, 'chat.db')}`,
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true })
    },
  }
}

function fail(error: unknown): never {
  throw error
}
