import { describe, expect, test } from 'vitest'
import type { OpenCall } from '../../../src/journal/calls/open-calls.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { run } from '../../../src/journal/run.ts'
import type { RunEvent } from '../../../src/journal/run-event.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import { type AgentOptions, agent, type Tools } from '../../../src/journal/tool.ts'
import type { ToolContext } from '../../../src/journal/tool-run.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { forever, type Reply, says, scripted } from './model.ts'
import type { Process } from './process.ts'
import { said } from './said.ts'

/** The id of the only open call of a thread. */
const onlyCall = async (thread: Thread): Promise<string> => {
  const [call] = await thread.openCalls()
  if (!call) throw new Error('no call is open')
  return call.id
}

const where = ({ name, path, thread, parked }: OpenCall) => ({ name, path, thread, why: parked?.why })

const namesOf = async (journal: Journal, children = false): Promise<string[]> => {
  const names: string[] = []
  for await (const { name } of journal.threads({ children })) names.push(name)
  return names
}

/** A call can be run by another model, in a thread of its own. */
export function checkAgents(fixture: Fixture): void {
  /** A thread with one call of an agent that asks for an approval, and waits. */
  const waitingAgent = async (process: Process, more: Partial<AgentOptions> = {}) => {
    const started = await startAgent(process, more)
    expect(started.outcome).toEqual({ status: 'parked', turn: 1 })
    return started
  }

  const startAgent = async (process: Process, more: Partial<AgentOptions>) => {
    const ran: string[] = []
    const pay = {
      approval: true,
      execute: (_: never, { key }: ToolContext) => {
        ran.push(key)
        return 'paid'
      },
    }
    const parentModel = scripted([['buy', { what: 'Buy a ticket.' }]], 'It is bought.')
    const childModel = scripted([['pay', { eur: 5 }]], 'The ticket is bought.')
    const tools: Tools = { buy: agent({ model: childModel, tools: { pay }, ...more }) }
    const thread = process.thread()
    await thread.submit('I need a ticket')
    const go = (by = process) => fixture.during(run(by.thread(), { model: parentModel, tools }))
    return { thread, tools, parentModel, childModel, ran, go, outcome: await go() }
  }

  describe('agents', () => {
    test('[B520] an agent runs a call in a thread of its own, and its last words are the result', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await thread.submit('What is new?')
      const childModel = scripted([['look', { at: 'news' }]], 'There is snow.')
      const look = { execute: () => 'snow' }
      const research = agent({ model: childModel, tools: { look } })
      const model = scripted([['research', { task: 'Find the news.' }]], 'It snows.')
      const events: RunEvent[] = []
      const running = run(thread, { model, tools: { research }, onEvent: event => events.push(event) })
      expect(await fixture.during(running)).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[1])).toEqual(['What is new?', 'There is snow.'])
      expect(said(childModel.asked[1])).toEqual(['Find the news.', 'snow'])
      const [start] = events.filter(event => event.kind === 'agent-start')
      expect(start).toMatchObject({ name: 'research', input: { task: 'Find the news.' } })
      const name = `t/agent:${start?.call}`
      expect(start?.thread).toBe(name)
      expect(await kindsOf(here)).toEqual([
        ...['input-submit', 'turn-start', 'input-admit', 'response-record', 'call-park', 'turn-park'],
        ...['call-settle', 'turn-resume', 'response-record', 'turn-end'],
      ])
      expect(await thread.child(start?.call ?? '').status()).toMatchObject({ state: 'idle', last: { status: 'done' } })
      const inner = events.filter(event => event.kind === 'agent-event')
      expect(inner.every(event => event.thread === name)).toBe(true)
      expect(inner.map(({ event }) => event.kind)).toContain('result')
      expect(await here.store.due(10)).toEqual([])
    })

    test('[B520] agents run side by side, and beside the other calls of the response', async () => {
      const here = await fixture.process()
      await here.thread().submit('Both, please')
      let arrived = 0
      const together = async (words: string) => {
        arrived++
        await fixture.until(() => arrived === 3)
        return words
      }
      const answering =
        (words: string): Reply =>
        async () =>
          says(await together(words))
      const tools = {
        one: agent({ model: scripted(answering('One is done.')) }),
        two: agent({ model: scripted(answering('Two is done.')) }),
        look: { execute: () => together('a cat') },
      }
      const model = scripted([['one', { a: 'x' }], ['two', { a: 'y' }], ['look']], 'All is done.')
      expect(await fixture.during(run(here.thread(), { model, tools }))).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[1])).toEqual(['Both, please', 'One is done.', 'Two is done.', 'a cat'])
    })

    test('[B601] an agent whose call gets a result before it is parked is not started', async () => {
      const [here, there] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Go')
      const validate = async (value: unknown) => {
        for (const { id } of await there.thread().openCalls()) await there.thread().settle(id, 'It was found.')
        return { value }
      }
      const inputSchema = { '~standard': { version: 1 as const, vendor: 'test', validate } }
      const find = agent({ model: scripted(), inputSchema })
      const model = scripted([['find', { task: 'Look' }]], 'Done.')
      expect(await fixture.during(run(here.thread(), { model, tools: { find } }))).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[1])).toEqual(['Go', 'It was found.'])
      expect(await namesOf(here.journal, true)).toEqual(['t'])
    })

    test('[B601] an agent whose process crashes before it has its input is not started once its call has a result', async () => {
      const [here, there] = [await fixture.process(), await fixture.process()]
      let isCreated = false
      const store = new Proxy(here.store, {
        get: (target, name: keyof Store) => {
          if (name !== 'open') return (target[name] as () => unknown).bind?.(target) ?? target[name]
          return async (thread: string) => {
            const row = await target.open(thread)
            if (!thread.includes('/agent:')) return row
            isCreated = true
            return new Promise(() => {})
          }
        },
      })
      const settings = { leaseMs: fixture.soonMs }
      const crashing = new Journal(store, here.clock, 'crashing').thread('t', settings)
      await crashing.submit('Go')
      const find = agent({ model: scripted() })
      void run(crashing, { model: scripted([['find', { a: 'it' }]]), tools: { find } }).catch(() => {})
      await fixture.until(() => isCreated)
      here.pause()
      await fixture.pass(3 * fixture.soonMs)
      const thread = there.thread(settings)
      const call = await onlyCall(thread)
      await thread.settle(call, 'It was found.')
      const [model, child] = [scripted('Done.'), scripted()]
      const tools = { find: agent({ model: child }) }
      expect(await fixture.during(run(thread, { model, tools }))).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[0])).toEqual(['Go', 'It was found.'])
      expect(child.asked).toEqual([])
      const name = `t/agent:${call}`
      expect(await there.store.find(name)).toMatchObject({ head: 0, state: 'idle' })
      expect(await thread.erase()).toEqual({ isErased: true })
      expect(await there.store.find(name)).toMatchObject({ head: 0, state: 'erased' })
    })

    test('[B521] the model of an agent gets its system prompt, and its prompt is made from the input', async () => {
      const here = await fixture.process()
      await here.thread().submit('Go')
      let system: string | undefined
      const childModel = scripted(request => {
        system = request.system
        return says('Found.')
      })
      const prompt = ({ task, at }: { task: string; at: string }): string => `${task} at ${at}`
      const find = agent({ model: childModel, system: 'Be short.', prompt })
      const model = scripted([['find', { task: 'Look', at: 'home' }]], 'Done.')
      await fixture.during(run(here.thread(), { model, tools: { find } }))
      expect(system).toBe('Be short.')
      expect(said(childModel.asked[0])).toEqual(['Look at home'])
      expect(said(model.asked[1])).toEqual(['Go', 'Found.'])
    })

    test.for<[string, Partial<AgentOptions>, string]>([
      ['its model fails', { model: scripted(new Error('no credit')) }, 'The agent failed: no credit'],
      [
        'it needs too many steps',
        { model: scripted([['look']], [['look']]), maxSteps: 1, tools: { look: { execute: () => 'a cat' } } },
        'The agent stopped at its maximum number of steps.',
      ],
      [
        'its prompt fails',
        {
          model: scripted(),
          prompt: () => {
            throw new Error('no task')
          },
        },
        'The agent could not be started: no task',
      ],
      [
        'its prompt is not a message',
        { model: scripted(), prompt: () => 5 },
        'The agent could not be started: input must be a text that is not blank, or a user message in the format of the thread',
      ],
    ])('[B522] the result says what went wrong if %s', async ([, options, message]) => {
      const here = await fixture.process()
      await here.thread().submit('Go')
      const model = scripted([['find', { task: 'Look' }]], 'Sorry.')
      const tools = { find: agent(options as AgentOptions) }
      expect(await fixture.during(run(here.thread(), { model, tools }))).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[1])).toEqual(['Go', message])
    })

    test('[B523] an agent that waits for an approval parks its parents, and the question has its path', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const { thread, ran, go, parentModel, childModel } = await waitingAgent(here)
      const outer = await onlyCall(thread)
      const child = `t/agent:${outer}`
      expect((await other.thread().openCalls({ deep: true })).map(where)).toEqual([
        { name: 'buy', path: [], thread: 't', why: 'agent' },
        { name: 'pay', path: [outer], thread: child, why: 'approval' },
      ])
      expect((await thread.openCalls()).map(where)).toEqual([
        { name: 'buy', path: undefined, thread: undefined, why: 'agent' },
      ])
      const [, question] = await other.thread().openCalls({ deep: true })
      expect(question?.input).toEqual({ eur: 5 })
      expect(await other.thread().approve(question?.id ?? '', { reason: 'fine' })).toEqual({
        ...{ isFirst: true, status: 'approved', reason: 'fine' },
      })
      expect(await thread.deny(question?.id ?? '')).toEqual({ isFirst: false, status: 'approved', reason: 'fine' })
      expect(await go()).toEqual({ status: 'done', turn: 1 })
      expect(ran).toEqual([question?.id])
      expect(said(childModel.asked[1])).toEqual(['Buy a ticket.', 'paid'])
      expect(said(parentModel.asked[1])).toEqual(['I need a ticket', 'The ticket is bought.'])
      await expect(thread.approve('x-1-0')).rejects.toMatchObject({ code: 'unknown-call' })
    })

    test('[B523] a call of an agent can be denied, or settled from outside, through its parent', async () => {
      const here = await fixture.process()
      const { thread, ran, go, childModel } = await waitingAgent(here)
      const [, question] = await thread.openCalls({ deep: true })
      expect(await thread.deny(question?.id ?? '', 'too dear')).toMatchObject({ isFirst: true, status: 'denied' })
      expect(await thread.settle(question?.id ?? '', 'paid')).toMatchObject({ isFirst: false })
      expect(await go()).toEqual({ status: 'done', turn: 1 })
      expect(ran).toEqual([])
      expect(said(childModel.asked[1])[1]).toContain('too dear')
    })

    test('[B523] a call that an agent works on cannot be approved or denied, since it has begun', async () => {
      const here = await fixture.process()
      const { thread } = await waitingAgent(here)
      const outer = await onlyCall(thread)
      expect(await thread.deny(outer)).toEqual({ isFirst: false, status: 'started' })
      expect(await thread.approve(outer)).toEqual({ isFirst: false, status: 'started' })
    })

    test('[B524] agents call agents, and a question of the innermost has the whole path', async () => {
      const here = await fixture.process()
      const pay = { approval: true, execute: () => 'paid' }
      const clerk = agent({ model: scripted([['pay']], 'Paid.'), tools: { pay } })
      const office = agent({ model: scripted([['clerk', { a: 'Pay it.' }]], 'The clerk paid.'), tools: { clerk } })
      const model = scripted([['office', { a: 'Have it paid.' }]], 'Done.')
      const thread = here.thread()
      await thread.submit('Pay')
      const go = () => fixture.during(run(thread, { model, tools: { office } }))
      expect(await go()).toEqual({ status: 'parked', turn: 1 })
      const calls = await thread.openCalls({ deep: true })
      const [one, two, three] = calls
      expect(calls.map(where)).toMatchObject([
        { name: 'office', path: [] },
        { name: 'clerk', path: [one?.id] },
        { name: 'pay', path: [one?.id, two?.id], thread: `t/agent:${one?.id}/agent:${two?.id}` },
      ])
      await thread.approve(three?.id ?? '')
      expect(await go()).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[1])).toEqual(['Pay', 'The clerk paid.'])
    })

    test('[B534] an agent whose prompt never comes does not keep an interrupted run, and is not started', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await thread.submit('Go')
      let isAsked = false
      const prompt = () => {
        isAsked = true
        return forever
      }
      const tools = { find: agent({ model: scripted(), prompt }) }
      const running = Promise.resolve(run(thread, { model: scripted([['find']]), tools }))
      await fixture.until(() => isAsked)
      const call = await onlyCall(other.thread())
      await other.thread().interrupt('enough')
      expect(await fixture.during(running)).toEqual({ status: 'interrupted', turn: 1 })
      expect(await here.store.find(`t/agent:${call}`)).toBeUndefined()
    })

    test('[B525] an interruption of the parent interrupts its agents', async () => {
      const here = await fixture.process()
      const { thread } = await waitingAgent(here)
      const child = thread.child(await onlyCall(thread))
      expect(await thread.interrupt('enough')).toEqual({ isInterrupted: true, turn: 1 })
      expect(await child.status()).toMatchObject({ state: 'idle', last: { status: 'interrupted' } })
      expect(await thread.status()).toMatchObject({ state: 'idle', last: { status: 'interrupted' } })
      const [settle] = those(await entriesOf(here), 'call-settle')
      expect(settle?.outcome).toMatchObject({ status: 'made-up', state: 'interrupted' })
    })

    test.for([
      { how: 'an interruption from another process' },
      { how: 'an interruption whose process crashed before it reached the agent' },
      { how: 'a signal' },
      { how: 'a result from outside' },
    ])('[B525] an agent that runs is stopped by $how', async ({ how }) => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread({ graceMs: 0 })
      await thread.submit('Go')
      let isStopped = false
      let hasBegun = false
      const work = {
        execute: (_: never, { signal }: ToolContext) => {
          hasBegun = true
          signal.addEventListener('abort', () => {
            isStopped = true
          })
          return forever
        },
      }
      const find = agent({ model: scripted([['work']]), tools: { work } })
      const isSettled = how === 'a result from outside'
      const model = scripted([['find', { a: 'Look.' }]], ...(isSettled ? ['Thanks.'] : []))
      const stop = new AbortController()
      const running = Promise.resolve(run(thread, { model, tools: { find }, signal: stop.signal }))
      await fixture.until(() => hasBegun)
      const call = await onlyCall(other.thread())
      if (how === 'a signal') stop.abort()
      else if (isSettled) await other.thread().settle(call, 'found elsewhere')
      else if (how === 'an interruption from another process') await other.thread().interrupt('enough')
      else {
        const row = await other.store.find('t')
        const { head = 0 } = row ?? {}
        const place = { step: those(await entriesOf(other), 'response-record')[0]?.seq ?? 0, index: 0 }
        await other.store.write({
          ...{ thread: row?.thread ?? 0, head, state: 'idle', dueAt: null, release: true },
          entries: [
            { kind: 'turn-interrupt', turn: 1 },
            { kind: 'call-settle', call: place, outcome: { status: 'made-up', state: 'interrupted', content: '' } },
            { kind: 'turn-end', turn: 1, status: 'interrupted' },
          ],
        })
      }
      const status = isSettled ? 'done' : 'interrupted'
      expect(await fixture.during(running)).toEqual({ status, turn: 1 })
      expect(isStopped).toBe(true)
      expect(await thread.child(call).status()).toMatchObject({ state: 'idle', last: { status: 'interrupted' } })
    })

    test('[B526] a worker runs agents and their parents, and a decision wakes all of them', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const ran: string[] = []
      const pay = { approval: true, execute: (_: never, { key }: ToolContext) => ran.push(key) && 'paid' }
      const clerk = agent({ model: scripted([['pay']], 'Paid.'), tools: { pay } })
      const office = agent({ model: scripted([['clerk', { a: 'Pay it.' }]], 'The clerk paid.'), tools: { clerk } })
      const model = scripted([['office', { a: 'Have it paid.' }]], 'Done.')
      const worker = here.journal.work({ model, tools: { office }, thread: { for: 'openai' }, pollMs: 20 })
      await other.thread().submit('Pay')
      const waiting = async () => (await other.thread().openCalls({ deep: true })).find(({ name }) => name === 'pay')
      await fixture.until(async () => (await waiting())?.parked)
      const question = await waiting()
      await other.thread().approve(question?.id ?? '')
      await fixture.until(async () => (await other.thread().status()).last?.status === 'done')
      await fixture.during(worker.stop())
      expect(ran).toEqual([question?.id])
      expect(said(model.asked[1])).toEqual(['Pay', 'The clerk paid.'])
      expect(await here.store.due(10)).toEqual([])
    })

    test('[B526] a worker without the agent leaves its thread alone, and says so', async () => {
      const here = await fixture.process()
      const { thread } = await waitingAgent(here)
      const [, question] = await thread.openCalls({ deep: true })
      await thread.approve(question?.id ?? '')
      const errors: unknown[] = []
      const worker = here.journal.work({
        ...{ model: scripted(), thread: { for: 'openai' }, pollMs: 20 },
        onError: (name, error) => errors.push([name, error]),
      })
      await fixture.until(() => errors.length > 0)
      await fixture.during(worker.stop())
      expect(errors[0]).toEqual([question?.thread, expect.objectContaining({ code: 'missing-tool' })])
      expect((await thread.openCalls({ deep: true })).map(({ name }) => name)).toEqual(['buy', 'pay'])
    })

    test('[B527] two agents, one of which waits for an approval, survive three crashes: one result each, no effect twice', async () => {
      const processes = [
        await fixture.process(),
        await fixture.process(),
        await fixture.process(),
        await fixture.process(),
      ]
      const [first, second, third, last] = processes as [Process, Process, Process, Process]
      const effects: string[] = []
      let reached = 0
      const settings = { leaseMs: fixture.soonMs }
      const effect = (name: string) => ({
        ...{ replay: 'safe' as const, approval: name === 'pay' },
        execute: (_: never, { key }: ToolContext) => {
          effects.push(`${name} ${key}`)
          return `${name} done`
        },
      })
      /** Every process has the same agents; the model of one of them never answers in a process that is to crash. */
      const options = (hangsAt: string) => {
        const answers = (at: string, says: unknown) => {
          if (hangsAt !== at) return says
          reached++
          return forever
        }
        const stepOf = (who: string, first: Reply, words: string) => (request: { messages: unknown[] }) => {
          const isAnswered = request.messages.some(message => (message as { role: string }).role === 'tool')
          return answers(`${who} ${isAnswered ? 2 : 1}`, scripted(isAnswered ? words : first)(request as never))
        }
        const tools = {
          buyer: agent({ model: stepOf('buyer', [['pay']], 'Bought.'), tools: { pay: effect('pay') } }),
          finder: agent({ model: stepOf('finder', [['look']], 'Found.'), tools: { look: effect('look') } }),
        }
        const first = [
          ['buyer', { a: 'Buy.' }],
          ['finder', { a: 'Find.' }],
        ] as const
        return { model: stepOf('parent', first, 'Both are done.'), tools }
      }
      const crashAt = async (process: Process, hangsAt: string): Promise<void> => {
        const before = reached
        void run(process.thread(settings), options(hangsAt)).catch(() => {})
        await fixture.until(() => reached > before)
        process.pause()
        await fixture.pass(3 * fixture.soonMs)
      }
      await first.thread().submit('Do both')
      await crashAt(first, 'finder 2')
      const question = async () => (await last.thread().openCalls({ deep: true })).find(({ name }) => name === 'pay')
      await fixture.until(async () => (await question())?.parked)
      await last.thread().approve((await question())?.id ?? '')
      await crashAt(second, 'buyer 2')
      await crashAt(third, 'parent 2')
      expect(await fixture.during(run(last.thread(settings), options('')))).toEqual({ status: 'done', turn: 1 })
      expect(effects.map(text => text.split(' ')[0]).toSorted()).toEqual(['look', 'pay'])
      expect(new Set(effects).size).toBe(2)
      const entries = await entriesOf(last)
      expect(
        those(entries, 'call-settle')
          .map(({ outcome }) => outcome.content)
          .toSorted(),
      ).toEqual([...['Bought.', 'Found.']])
      for (const name of (await namesOf(last.journal, true)).filter(name => name !== 't')) {
        const inner = await entriesOf(last, name)
        for (const kind of ['input-submit', 'turn-start', 'call-start', 'call-settle', 'turn-end'] as const)
          expect(those(inner, kind), `${name}: ${kind}`).toHaveLength(1)
      }
    })

    test('[B528] agents that are nested too deep, or too many for one turn, get an error that the model can read', async () => {
      const here = await fixture.process()
      const tools: Record<string, ReturnType<typeof agent>> = {}
      const depths: string[] = []
      const model = (request: { messages: unknown[]; thread: string }) => {
        const results = said(request.messages).slice(1)
        if (results.length > 0) depths.push(String(results[0]))
        return scripted(results.length > 0 ? 'Well.' : [['again', { a: 'Deeper.' }]])(request as never)
      }
      tools.again = agent({ model, tools })
      await here.thread().submit('Go')
      await fixture.during(run(here.thread(), { model, tools, agentLimits: { depth: 2 } }))
      expect(depths).toEqual([expect.stringContaining('at most 2 deep'), 'Well.', 'Well.'])
      expect(await namesOf(here.journal, true)).toHaveLength(3)
      const parent = scripted(
        [
          ['one', { a: '1' }],
          ['one', { a: '2' }],
        ],
        [
          ['one', { a: '3' }],
          ['one', { a: '4' }],
        ],
        'Enough.',
      )
      const other = here.thread({}, 'many')
      await other.submit('Go')
      const one = agent({ model: request => scripted('Yes.')(request) })
      await fixture.during(run(other, { model: parent, tools: { one }, agentLimits: { perTurn: 3 } }))
      expect(said(parent.asked[2])).toEqual(['Go', 'Yes.', 'Yes.', 'Yes.', expect.stringContaining('At most 3 agents')])
    })

    test('[B529] threads of agents are listed only on request, and cannot be made by anyone else', async () => {
      const here = await fixture.process()
      const { thread } = await waitingAgent(here)
      const outer = await onlyCall(thread)
      expect(await namesOf(here.journal)).toEqual(['t'])
      expect(await namesOf(here.journal, true)).toEqual(['t', `t/agent:${outer}`])
      const foreign = here.thread({}, 't/agent:abcdefghijkm-9-0')
      await expect(foreign.submit('Hello')).rejects.toMatchObject({ code: 'unknown-thread' })
      expect(await here.store.find('t/agent:abcdefghijkm-9-0')).toBeUndefined()
    })

    test('[B530] erasing a thread erases its agents, and none can be started after that', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const { thread, tools } = await waitingAgent(here)
      const child = thread.child(await onlyCall(thread))
      await child.messages()
      expect(await other.thread().erase()).toEqual({ isErased: true })
      const erased = { code: 'thread-erased' }
      await expect(child.messages()).rejects.toMatchObject(erased)
      await expect(child.submit('more')).rejects.toMatchObject(erased)
      expect(await here.store.find(child.name)).toMatchObject({ state: 'erased', head: 0 })
      expect(await namesOf(other.journal, true)).toEqual([])
      await expect(run(thread, { model: scripted(), tools })).rejects.toMatchObject(erased)
    })

    test('[B530] an erasure that comes between the call and its agent leaves nothing behind', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const store = new Proxy(here.store, {
        get: (target, name: keyof Store) => {
          if (name !== 'open') return (target[name] as () => unknown).bind?.(target) ?? target[name]
          return async (thread: string) => {
            if (thread.includes('/agent:')) await other.thread().erase()
            return target.open(thread)
          }
        },
      })
      const journal = new Journal(store, here.clock, 'racing')
      await journal.thread('t').submit('Go')
      const tools = { find: agent({ model: scripted() }) }
      const running = run(journal.thread('t'), { model: scripted([['find', { a: 'secret' }]]), tools })
      await expect(fixture.during(running)).rejects.toMatchObject({ code: 'thread-erased' })
      for (const row of await other.store.list(0, 10)) expect(row).toMatchObject({ state: 'erased', head: 0 })
    })

    test('[B530] the erasure of an agent alone gives its call a placeholder', async () => {
      const here = await fixture.process()
      const { thread, go, parentModel } = await waitingAgent(here)
      expect(await thread.child(await onlyCall(thread)).erase()).toEqual({ isErased: true })
      expect(await go()).toEqual({ status: 'done', turn: 1 })
      expect(said(parentModel.asked[1])[1]).toContain('was erased')
    })

    test('[B531] agents expire with their parent, which is not idle as long as they are not', async () => {
      const here = await fixture.process()
      const { thread } = await waitingAgent(here)
      const { updatedAt } = (await here.store.find('t')) ?? { updatedAt: 0 }
      const [, question] = await thread.openCalls({ deep: true })
      await fixture.pass(20)
      await thread.approve(question?.id ?? '')
      const journalAt = (now: number): Journal => {
        const store = new Proxy(here.store, {
          get: (target, name: keyof Store) =>
            name === 'now' ? async () => now : ((target[name] as () => unknown).bind?.(target) ?? target[name]),
        })
        return new Journal(store, here.clock, 'expirer')
      }
      const dayMs = 24 * 3_600_000
      expect(await journalAt(updatedAt + dayMs).expire({ idleDays: 1 })).toEqual([])
      const later = journalAt(updatedAt + dayMs + 3_600_000)
      expect(await later.expire({ idleDays: 1 })).toMatchObject([{ name: 't' }])
      expect(await namesOf(here.journal, true)).toEqual([])
    })

    test('[B532] an agent that takes too long is stopped, and its call says so', async () => {
      const here = await fixture.process()
      const { go, parentModel, outcome } = await startAgent(here, { expiresMs: fixture.soonMs })
      // On a slow machine the time is over before the agent waits.
      const isParked = outcome.status === 'parked'
      if (isParked) await fixture.pass(2 * fixture.soonMs)
      expect(isParked ? await go() : outcome).toEqual({ status: 'done', turn: 1 })
      expect(said(parentModel.asked[1])[1]).toContain('took longer than allowed')
      const [name] = (await namesOf(here.journal, true)).filter(name => name.includes('/agent:'))
      expect(await here.journal.thread(name ?? '').status()).toMatchObject({
        state: 'idle',
        last: { status: 'interrupted' },
      })
    })

    test('[B533] an agent whose call has a result is ended by a worker, and has no more effects', async () => {
      const here = await fixture.process()
      const { thread, tools, ran } = await waitingAgent(here)
      const [outer, question] = await thread.openCalls({ deep: true })
      await thread.settle(outer?.id ?? '', 'bought elsewhere')
      await thread.approve(question?.id ?? '')
      const model = scripted('Fine.')
      const worker = here.journal.work({ model, tools, thread: { for: 'openai' }, pollMs: 20 })
      const child = thread.child(outer?.id ?? '')
      await fixture.until(async () => (await child.status()).last?.status === 'interrupted')
      await fixture.until(async () => (await thread.status()).last?.status === 'done')
      await fixture.during(worker.stop())
      expect(ran).toEqual([])
      expect(said(model.asked[0])).toEqual(['I need a ticket', 'bought elsewhere'])
      expect(await here.store.due(10)).toEqual([])
    })

    test.each<{ by: string; act: (thread: Thread, call: string) => Promise<unknown> }>([
      { by: 'a result from outside', act: (thread, call) => thread.settle(call, 'bought elsewhere') },
      { by: 'input that takes its place', act: thread => thread.submit('No', { whenApproving: 'deny' }) },
      { by: 'an edited input', act: thread => thread.edit(1, 'I need two tickets') },
      { by: 'a new answer', act: thread => thread.regenerate() },
      {
        by: 'another branch',
        act: async thread => thread.switch((await thread.fork({ at: 0 })).branch, { whenBusy: 'interrupt' }),
      },
    ])('[SE260] an agent that waits is ended by $by, without a worker', async ({ act }) => {
      const here = await fixture.process()
      const inner = agent({ model: scripted([['pay', { eur: 5 }]]), tools: { pay: { approval: true } } })
      const { thread, ran } = await waitingAgent(here, { model: scripted([['ask', { x: 1 }]]), tools: { ask: inner } })
      const [outer, middle] = await thread.openCalls({ deep: true })
      const there = await fixture.process()
      await act(there.thread(), outer?.id ?? '')
      const child = thread.child(outer?.id ?? '')
      expect((await child.status()).last?.status).toBe('interrupted')
      expect((await child.child(middle?.id ?? '').status()).last?.status).toBe('interrupted')
      expect(ran).toEqual([])
    })
  })
}
