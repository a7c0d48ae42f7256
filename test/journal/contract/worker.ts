import { describe, expect, test, vi } from 'vitest'
import type { ModelRequest } from '../../../src/journal/ask-models.ts'
import { Journal } from '../../../src/journal/journal.ts'
import type { RunEvent } from '../../../src/journal/run-event.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import type { Tools } from '../../../src/journal/tool.ts'
import type { Worker, WorkOptions } from '../../../src/journal/worker.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { later } from './later.ts'
import { calls, forever, says, scripted } from './model.ts'
import type { Process } from './process.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'
import { withMethods } from './with-methods.ts'

/** Workers find what is to be done by themselves, and share it. */
export function checkWorker(fixture: Fixture): void {
  const stopped = (worker: Worker) => fixture.during(worker.stop())
  const allAreIdle = async (process: Process, count: number): Promise<boolean> => {
    const rows = await process.store.list(0, 1_000)
    return (
      rows.length === count &&
      rows.every(({ state, dueAt, leasedUntil }) => state === 'idle' && dueAt === undefined && leasedUntil === 0)
    )
  }

  describe('worker', () => {
    test('[B130] it answers every submitted input, whichever process submitted it', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await other.thread({}, 'before').submit('Hello')
      const worker = here.journal.work(echo)
      await other.thread({}, 'after').submit('Hello')
      await fixture.until(() => allAreIdle(other, 2))
      await other.thread({}, 'after').submit('Again')
      await fixture.until(async () => (await other.thread({}, 'after').status()).last?.turn === 2)
      await stopped(worker)
      expect(await kindsOf(other, 'before')).toContain('turn-end')
    })

    test('[B131] it handles a bounded number of threads at a time', async () => {
      const here = await fixture.process()
      for (const name of names(7)) await here.thread({}, name).submit('Hello')
      const busy = new Busy()
      const worker = here.journal.work({ ...echo, threads: 3, model: () => busy.during(() => fixture.pass(20)) })
      await fixture.until(() => allAreIdle(here, 7))
      await stopped(worker)
      expect(busy.most).toBe(3)
    })

    test('[B132] a busy thread does not block the others: each thread gets one turn at a time', async () => {
      const here = await fixture.process()
      for (const text of ['a1', 'a2', 'a3']) await here.thread({}, 'a').submit(text)
      await fixture.pass(10)
      for (const name of ['b', 'c']) await here.thread({}, name).submit(`${name}1`)
      const order: unknown[] = []
      const model = async ({ messages }: ModelRequest) => {
        order.push(said(messages).at(-1))
        await fixture.pass(5)
        return says('Well.')
      }
      const worker = here.journal.work({ thread, threads: 1, model })
      await fixture.until(() => order.length === 5)
      await stopped(worker)
      expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'a3'])
    })

    test('[B133] several workers share the work: every input is answered once', async () => {
      const processes = await Promise.all([fixture.process(), fixture.process(), fixture.process()])
      const asked: string[] = []
      const model = async ({ messages, thread }: ModelRequest) => {
        asked.push(`${thread}: ${said(messages).at(-1)}`)
        return says('Well.')
      }
      const workers = processes.map(({ journal }) => journal.work({ ...echo, threads: 2, model }))
      const expected: string[] = []
      for (const name of names(8))
        for (const text of ['one', 'two']) {
          await processes[expected.length % 3].thread({}, name).submit(text)
          expected.push(`${name}: ${text}`)
        }
      await fixture.until(() => allAreIdle(processes[0], 8))
      for (const worker of workers) await stopped(worker)
      expect(asked.toSorted()).toEqual(expected.toSorted())
    })

    test('[B134] it stops between two steps, hands over its turn, and starts no more', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread({}, 'a').submit('Look.')
      const cat = later<string>()
      const look = { execute: () => cat.promise }
      const worker = here.journal.work({ thread, threads: 1, model: scripted([['look']]), tools: { look } })
      await fixture.until(async () => (await kindsOf(here, 'a')).includes('call-start'))
      await here.thread({}, 'b').submit('Hello')
      let isStopped = false
      const stop = worker.stop().then(() => {
        isStopped = true
      })
      await fixture.pass(fixture.soonMs)
      expect(isStopped).toBe(false)
      cat.keep('a cat')
      await fixture.during(stop)
      expect(await kindsOf(here, 'b')).toEqual(['input-submit'])
      expect((await kindsOf(here, 'a')).slice(-2)).toEqual(['call-settle', 'turn-park'])
      const next = other.journal.work(echo)
      await fixture.until(() => allAreIdle(other, 2))
      await stopped(next)
      expect(those(await entriesOf(other, 'a'), 'turn-end')).toMatchObject([{ turn: 1, status: 'done' }])
    })

    test('[B134] an approval check that never ends does not keep a worker from stopping', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Buy.')
      let checks = 0
      const approval = () => {
        checks++
        return forever
      }
      const buy = { approval, execute: () => 'bought' }
      const worker = here.journal.work({ ...echo, model: scripted([['buy']]), tools: { buy } })
      await fixture.until(() => checks > 0)
      await stopped(worker)
      const next = other.journal.work({ ...echo, tools: { buy: { execute: buy.execute } } })
      await fixture.until(() => allAreIdle(other, 1))
      await stopped(next)
      expect(said(await here.thread().messages())).toEqual(['Buy.', 'bought'])
    })

    test('[B135] a thread whose owner has crashed is picked up, also if other workers have checked it before', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Hello')
      await taken(here.thread({ leaseMs: fixture.soonMs }))
      expect(await other.thread().turn()).toBeUndefined()
      await other.thread().reschedule()
      here.pause()
      const worker = other.journal.work(echo)
      await fixture.until(() => allAreIdle(other, 1))
      await stopped(worker)
      expect(await kindsOf(other)).toEqual([
        ...['input-submit', 'turn-start', 'input-admit', 'turn-resume', 'response-record', 'turn-end'],
      ])
    })

    test('[B136] input that arrives at the moment when a worker finds nothing to do is not missed', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      expect(await thread.turn()).toBeUndefined()
      await other.thread().submit('Hello')
      await thread.reschedule()
      expect(await here.store.due(9)).toMatchObject([{ name: 't' }])
    })

    test('[B137] a decision that arrives at that moment is not missed either', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Look.')
      const turn = await taken(here.thread())
      const [call] = await turn.record(calls(['look']))
      await turn.parkCall(call, 'approval')
      await turn.park()
      expect(await here.thread().turn()).toBeUndefined()
      await other.thread().approve(call.id)
      await here.thread().reschedule()
      expect(await here.store.due(9)).toMatchObject([{ name: 't' }])
    })

    test('[B138] a failing model is called once per input, and the error is reported', async () => {
      const here = await fixture.process()
      for (const text of ['one', 'two']) await here.thread().submit(text)
      const errors: unknown[] = []
      let asked = 0
      const worker = here.journal.work({
        ...echo,
        model: () => {
          throw new Error(`overloaded ${++asked}`)
        },
        onError: (thread, error) => errors.push([thread, (error as Error).message]),
      })
      await fixture.until(() => allAreIdle(here, 1))
      await fixture.pass(fixture.soonMs)
      await stopped(worker)
      expect(errors).toEqual([
        ['t', 'overloaded 1'],
        ['t', 'overloaded 2'],
      ])
      expect(those(await entriesOf(here), 'turn-end').map(({ status }) => status)).toEqual(['failed', 'failed'])
    })

    test('[B139] threads that cannot be worked on are left alone for a while and do not block others', async () => {
      const here = await fixture.process()
      for (const name of ['bad 1', 'bad 2', 'good']) {
        await here.thread({}, name).submit('Hello')
        await fixture.pass(1)
      }
      const bad = (await here.store.list(0, 2)).map(({ thread }) => thread)
      const journal = new Journal(withoutReading(here.store, bad), here.clock, 'worker')
      const errors: string[] = []
      const worker = journal.work({ ...echo, threads: 2, pollMs: 10_000, onError: thread => errors.push(thread) })
      await fixture.until(async () => (await here.thread({}, 'good').status()).last?.status === 'done')
      await stopped(worker)
      expect(errors.toSorted()).toEqual(['bad 1', 'bad 2'])
    })

    test('[B140] if the store cannot be queried, the worker tries again', async () => {
      const here = await fixture.process()
      await here.thread().submit('Hello')
      let failures = 0
      const flaky = withMethods(here.store, {
        due: limit => (failures++ < 3 ? Promise.reject(new Error('gone')) : here.store.due(limit)),
      })
      const errors: unknown[] = []
      const worker = new Journal(flaky, here.clock, 'worker').work({
        ...echo,
        onError: (thread, error) => errors.push([thread, (error as Error).message]),
      })
      await fixture.until(() => allAreIdle(here, 1))
      await stopped(worker)
      expect(errors).toEqual([
        ['', 'gone'],
        ['', 'gone'],
        ['', 'gone'],
      ])
    })

    test('[B141] a turn that waits for an approval or an external result is resumed when that arrives, and when it expires', async () => {
      const here = await fixture.process()
      const execute = () => 'done'
      const tools: Tools = {
        approved: { approval: true, execute },
        denied: { approval: true, execute },
        settled: {},
        expired: { approval: true, expiresMs: fixture.soonMs, execute },
      }
      const decided = ['approved', 'denied', 'settled'].map(name => here.thread({}, name))
      for (const name of Object.keys(tools)) await here.thread({}, name).submit('Go.')
      const model = ({ step, thread }: ModelRequest) => (step === 0 ? calls([thread]) : says('Well.'))
      const worker = here.journal.work({ ...echo, model, tools })
      const isParked = async (thread: Thread) => (await thread.status()).state === 'parked'
      await fixture.until(async () => (await Promise.all(decided.map(isParked))).every(isSo => isSo))
      const [approved, denied, settled] = await Promise.all(decided.map(thread => thread.openCalls()))
      await decided[0].approve(approved[0].id)
      await decided[1].deny(denied[0].id)
      await decided[2].settle(settled[0].id, 'from outside')
      await fixture.until(() => allAreIdle(here, 4))
      await stopped(worker)
      const results = await Promise.all(Object.keys(tools).map(name => here.thread({}, name).messages()))
      expect(results.map(messages => said(messages)[1])).toEqual([
        ...['done', expect.stringContaining('denied'), 'from outside', expect.stringContaining('expired')],
      ])
    })

    test('[B142] it reports every event, with its thread', async () => {
      const here = await fixture.process()
      const told: [string, RunEvent][] = []
      const worker = here.journal.work({
        ...echo,
        model: scripted([['look']], 'Seen.'),
        tools: { look: { execute: () => 'a cat' } },
        onEvent: (thread, event) => told.push([thread, event]),
      })
      await here.thread().submit('Look.')
      await fixture.until(() => told.some(([, { kind }]) => kind === 'turn-end'))
      await stopped(worker)
      expect(told.map(([thread, { kind }]) => `${thread} ${kind}`)).toEqual(
        ['turn-start', 'input', 'response', 'call-start', 'result', 'response', 'turn-end'].map(kind => `t ${kind}`),
      )
    })

    test('[B143] a listener that throws does not affect any turn', async () => {
      const here = await fixture.process()
      const errors = new Set<unknown>()
      const worker = here.journal.work({
        ...echo,
        onEvent: () => {
          throw new Error('no screen')
        },
        onError: (thread, error) => errors.add(`${thread}: ${(error as Error).message}`),
      })
      await here.thread().submit('Hello')
      await fixture.until(async () => (await here.thread().status()).last !== undefined)
      await stopped(worker)
      expect((await here.thread().status()).last).toEqual({ turn: 1, status: 'done' })
      expect([...errors]).toEqual(['t: no screen'])
    })

    test('[B144] without an error listener, a process warning is emitted', async () => {
      const here = await fixture.process()
      await here.thread().submit('Hello')
      using warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
      const worker = here.journal.work({ thread, model: scripted(new Error('overloaded')) })
      await fixture.until(() => warn.mock.calls.length > 0)
      await stopped(worker)
      expect(warn.mock.calls).toEqual([['thread t: overloaded', { code: 'ANTIPHON_WORKER' }]])
    })

    test('[B145] it uses the thread options, tools and step limit that it was given', async () => {
      const here = await fixture.process()
      await here.thread().submit('Look.')
      const tools = { look: { execute: () => 'x'.repeat(99) } }
      const worker = here.journal.work({
        pollMs: 20,
        model: () => calls(['look']),
        tools,
        maxSteps: 2,
        thread: { for: 'openai', outputBytesMax: 9 },
      })
      await fixture.until(() => allAreIdle(here, 1))
      await stopped(worker)
      const entries = await entriesOf(here)
      expect(those(entries, 'turn-end')).toMatchObject([{ status: 'limit' }])
      expect(those(entries, 'call-settle')).toMatchObject([{ outcome: { bytes: 99 } }, { outcome: { bytes: 99 } }])
    })

    test('[B146] closing a journal stops its workers', async () => {
      const here = await fixture.process()
      const journal = new Journal(withMethods(here.store, { close: async () => {} }), here.clock, 'worker')
      await here.thread().submit('Hello')
      let asked = 0
      journal.work({ ...echo, model: () => says(`${++asked}`) })
      await fixture.until(() => allAreIdle(here, 1))
      await fixture.during(journal.close())
      await here.thread().submit('Hello?')
      await fixture.pass(fixture.soonMs)
      expect(asked).toBe(1)
    })

    test('[B147] a worker that sleeps longer than its lease loses its turn, and reports it', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Hello')
      const errors: unknown[] = []
      const answer = later<unknown>()
      const slow = here.journal.work({
        ...{ model: () => answer.promise, thread: { for: 'openai', leaseMs: fixture.soonMs } as const },
        onError: (_, error) => errors.push((error as { code?: string }).code),
      })
      await fixture.until(async () => (await kindsOf(here)).includes('input-admit'))
      here.pause()
      const fast = other.journal.work(echo)
      await fixture.until(() => allAreIdle(other, 1))
      answer.keep(says('I am back.'))
      here.resume()
      await fixture.until(() => errors.length > 0)
      await stopped(slow)
      await stopped(fast)
      expect(errors).toEqual(['fenced'])
      expect(those(await entriesOf(here), 'response-record')).toHaveLength(1)
    })

    test('[B240] an error listener that throws or rejects does not affect the worker, and a process warning is emitted', async () => {
      const here = await fixture.process()
      using warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
      const failing = {
        throws: () => {
          throw new Error('no log')
        },
        rejects: async () => {
          throw new Error('no log')
        },
      }
      for (const [name, onError] of Object.entries(failing)) {
        const [bad, good] = [here.thread({}, `${name} bad`), here.thread({}, `${name} good`)]
        await bad.submit('Hello')
        const model = ({ thread }: ModelRequest) => {
          if (thread === bad.name) throw new Error('overloaded')
          return says('Well.')
        }
        const worker = here.journal.work({ ...echo, threads: 1, model, onError })
        await fixture.until(async () => (await bad.status()).last?.status === 'failed')
        await good.submit('Hello')
        await fixture.until(async () => (await good.status()).last?.status === 'done')
        await stopped(worker)
        const warnings = warn.mock.calls.splice(0).map(([text]) => text)
        expect(warnings).toEqual([`thread ${bad.name}: overloaded`, `thread ${bad.name}: no log`])
      }
    })

    test('[B241] waiting input in a thread is handled as soon as the turn before it has ended, without a pause', async () => {
      const here = await fixture.process()
      for (const text of ['one', 'two', 'three']) await here.thread().submit(text)
      const worker = here.journal.work({ ...echo, pollMs: 24 * 3_600_000 })
      await fixture.until(async () => (await here.thread().status()).last?.turn === 3)
      await stopped(worker)
      expect((await here.thread().status()).waiting).toBe(0)
    })

    test('[B242] a waiting thread keeps its place in the queue when more input is submitted', async () => {
      const here = await fixture.process()
      for (const [index, name] of ['a', 'b', 'c', 'a'].entries()) {
        await here.thread({}, name).submit(`${name}${index}`)
        await fixture.pass(10)
      }
      const order: unknown[] = []
      const model = async ({ messages }: ModelRequest) => {
        order.push(said(messages).at(-1))
        await fixture.pass(5)
        return says('Well.')
      }
      const worker = here.journal.work({ ...echo, threads: 1, model })
      await fixture.until(() => order.length === 4)
      await stopped(worker)
      expect(order).toEqual(['a0', 'b1', 'c2', 'a3'])
    })

    test('[B243] a worker that is not told the dialect of its threads does not start', async () => {
      const here = await fixture.process()
      const { thread: _, ...untold } = echo
      for (const options of [untold, { ...untold, thread: {} }])
        expect(() => here.journal.work(options as WorkOptions)).toThrow(
          expect.objectContaining({ code: 'missing-dialect' }),
        )
    })

    test('[B244] a worker that does not have the tool of an approved call leaves it to a worker that has it', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Buy.')
      const turn = await taken(here.thread())
      const [call] = await turn.record(calls(['buy']))
      await turn.parkCall(call, 'approval')
      await turn.park()
      await here.thread().approve(call.id)
      const before = await kindsOf(here)
      const errors: unknown[] = []
      const without = other.journal.work({
        ...echo,
        onError: (name, error) => errors.push([name, error]),
      })
      await fixture.until(() => errors.length > 1)
      await stopped(without)
      expect(errors[0]).toMatchObject(['t', { code: 'missing-tool', data: { call: call.id } }])
      expect(await kindsOf(here)).toEqual(before)
      const tools: Tools = { buy: { approval: true, execute: () => 'bought' } }
      const having = other.journal.work({ ...echo, tools })
      await fixture.until(() => allAreIdle(other, 1))
      await stopped(having)
      expect(said(await here.thread().messages())).toEqual(['Buy.', 'bought'])
    })
  })
}

const thread = { for: 'openai' } as const

const echo: WorkOptions = { thread, pollMs: 20, model: ({ messages }) => says(`You said ${messages.length} things.`) }

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `thread ${index}`)

/** Counts how much goes on at the same time. */
class Busy {
  most = 0
  #now = 0

  async during(work: () => Promise<void>): Promise<unknown> {
    this.most = Math.max(this.most, ++this.#now)
    await work()
    this.#now--
    return says('Well.')
  }
}

const withoutReading = (store: Store, threads: readonly number[]): Store =>
  withMethods(store, {
    read: (thread, ...rest) =>
      threads.includes(thread) ? Promise.reject(new Error('unreadable')) : store.read(thread, ...rest),
  })
