import { describe, expect, test } from 'vitest'
import type { ModelRequest } from '../../../src/journal/ask-models.ts'
import { type RunResult, run } from '../../../src/journal/run.ts'
import type { RunEvent } from '../../../src/journal/run-event.ts'
import type { Tool } from '../../../src/journal/tool.ts'
import type { ToolContext } from '../../../src/journal/tool-run.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { later } from './later.ts'
import { calls, chunks, forever, type Reply, says, scripted, stream } from './model.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'

/** A turn can be stopped at any time, from anywhere, and the conversation goes on after it. */
export function checkInterrupt(fixture: Fixture): void {
  /** Runs until something says that it is reached, interrupts from there, and runs the next turn. */
  const interrupted = async ({ replies, tools = {}, from }: Moment & { from: 'here' | 'elsewhere' }) => {
    const [here, other] = [await fixture.process(), await fixture.process()]
    const thread = here.thread({ graceMs: fixture.soonMs })
    await thread.submit('Go.')
    const reached = later<void>()
    const events: RunEvent[] = []
    const scripts = replies(reached.keep)
    const ready = Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, tool(reached.keep)]))
    const running = run(thread, { model: scripted(...scripts), tools: ready, onEvent: event => events.push(event) })
    const ended = fixture.during(running)
    await reached.promise
    const stopped = await (from === 'here' ? thread : other.thread()).interrupt('user pressed stop')
    expect(stopped).toEqual({ isInterrupted: true, turn: 1 })
    return { here, thread, events, ended: await ended }
  }

  describe('interrupt', () => {
    for (const from of ['here', 'elsewhere'] as const)
      for (const [when, moment] of Object.entries(moments))
        test(`[B100] ${when}, from ${from}: the turn ends as interrupted, and the next one continues`, async () => {
          const { here, thread, events, ended } = await interrupted({ ...moment, from })
          expect(ended).toEqual({ status: 'interrupted', turn: 1 } satisfies RunResult)
          expect(await thread.status()).toEqual({
            ...{ state: 'idle', last: { turn: 1, status: 'interrupted' }, waiting: 0, openCalls: 0 },
          })
          const entries = await entriesOf(here)
          expect(those(entries, 'turn-interrupt')).toMatchObject([{ turn: 1, reason: 'user pressed stop' }])
          expect(entries.at(-1)).toMatchObject({ kind: 'turn-end', status: 'interrupted' })
          expect(entries.at(-1)).not.toHaveProperty('error')
          const results = events.flatMap(event => (event.kind === 'result' ? [event.outcome.content] : []))
          expect(results).toEqual(moment.results)
          expect(events.at(-1)).toEqual({ kind: 'turn-end', turn: 1, status: 'interrupted' })
          await thread.submit('And now?')
          const model = scripted('Well.')
          expect(await fixture.during(run(thread, { model }))).toEqual({ status: 'done', turn: 2 })
          expect(words(model.asked[0])).toEqual(['Go.', ...moment.said, 'And now?'])
        })

    test('[B101] interrupting a parked turn ends it', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Go.')
      const tools = { ask: {}, buy: { approval: true, execute: () => 'bought' } }
      await fixture.during(run(here.thread(), { model: scripted([['ask'], ['buy']]), tools }))
      expect(await other.thread().interrupt()).toEqual({ isInterrupted: true, turn: 1 })
      expect(await other.thread().status()).toMatchObject({
        state: 'idle',
        last: { status: 'interrupted' },
        openCalls: 0,
      })
      expect(said(await here.thread().messages())).toEqual([
        ...['Go.', expect.stringContaining('not known'), expect.stringContaining('never started')],
      ])
      expect(await here.store.due(9)).toEqual([])
    })

    test('[B102] interrupting a turn that was handed over ends it', async () => {
      const here = await fixture.process()
      await here.thread().submit('Go.')
      await (await taken(here.thread())).handOver()
      expect(await here.thread().interrupt()).toEqual({ isInterrupted: true, turn: 1 })
      expect(await here.thread().status()).toMatchObject({ state: 'idle', last: { status: 'interrupted' } })
    })

    test('[B103] twice in a row has the same effect as once', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Go.')
      const turn = await taken(here.thread())
      const answers = await Promise.all(
        [here, other, here, other].map(process => process.thread().interrupt(`by ${process.store.name}`)),
      )
      expect(answers.filter(({ isInterrupted }) => isInterrupted)).toHaveLength(1)
      await fixture.until(() => turn.status)
      expect(await other.thread().interrupt()).toEqual({ isInterrupted: false })
      expect(those(await entriesOf(here), 'turn-interrupt')).toHaveLength(1)
      expect(those(await entriesOf(here), 'turn-end')).toMatchObject([{ status: 'interrupted' }])
    })

    test('[B104] if no turn runs it does nothing, and the return value says so', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      expect(await thread.interrupt()).toEqual({ isInterrupted: false })
      await thread.submit('Go.')
      expect(await thread.interrupt()).toEqual({ isInterrupted: false })
      expect(await fixture.during(run(thread, { model: scripted('Gone.') }))).toEqual({ status: 'done', turn: 1 })
      expect(await thread.interrupt()).toEqual({ isInterrupted: false })
      expect(await kindsOf(here)).not.toContain('turn-interrupt')
    })

    test('[B105] it affects only the turn that it names', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      for (const text of ['one', 'two']) await thread.submit(text)
      await fixture.during(run(thread, { model: scripted('1', '2') }))
      await thread.submit('three')
      const turn = await taken(thread)
      for (const other of [1, 2, 4, 0])
        expect(await thread.interrupt('late click', { turn: other })).toEqual({ isInterrupted: false, turn: 3 })
      expect(turn.open).toBe(true)
      expect(await thread.interrupt('in time', { turn: 3 })).toEqual({ isInterrupted: true, turn: 3 })
      await fixture.until(() => turn.status === 'interrupted')
    })

    test('[B106] at the moment when the turn ends it affects this turn or none', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      for (const round of [1, 2, 3]) {
        for (const text of ['Go.', 'Then this.']) await here.thread().submit(text)
        const turn = await taken(here.thread())
        const [, { isInterrupted }] = await Promise.all([
          turn.record(says('Gone.')).catch(error => expect(error).toMatchObject({ code: 'turn-over' })),
          other.thread().interrupt('stop', { turn: turn.number }),
        ])
        await fixture.until(() => turn.status)
        expect(turn.status).toBe(isInterrupted ? 'interrupted' : 'done')
        expect(await fixture.during(run(here.thread(), { model: scripted('Done.') }))).toEqual({
          status: 'done',
          turn: round * 2,
        })
      }
    })

    test('[B107] after it no tool is started', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Go.')
      const turn = await taken(here.thread({ graceMs: 3_600_000 }))
      const [first, second] = await turn.record(calls(['look'], ['look']))
      const seen = later<string>()
      const work = turn.perform(first, () => seen.promise)
      await fixture.until(async () => (await kindsOf(other)).includes('call-start'))
      await other.thread().interrupt()
      let runs = 0
      expect(await turn.perform(second, () => ++runs)).toMatchObject({ status: 'made-up', state: 'not-started' })
      expect(runs).toBe(0)
      seen.keep('a cat')
      expect(await fixture.during(work)).toEqual({ status: 'done', content: 'a cat' })
      await fixture.until(() => turn.status)
      expect(said(await here.thread().messages())).toEqual(['Go.', 'a cat', '[no result] This call was never started.'])
    })

    test('[B108] the abort reason of the signals says what stopped it', async () => {
      const here = await fixture.process()
      await here.thread().submit('Go.')
      const turn = await taken(here.thread({ graceMs: fixture.soonMs }))
      const [call] = await turn.record(calls(['look']))
      const signals: AbortSignal[] = [turn.signal]
      const work = turn.perform(call, ({ signal }) => {
        signals.push(signal)
        return forever
      })
      await fixture.until(() => signals.length === 2)
      await here.thread().interrupt('user pressed stop')
      for (const { aborted, reason } of signals) {
        expect(aborted).toBe(true)
        expect(reason).toMatchObject({ code: 'interrupted', message: 'user pressed stop', data: { turn: 1 } })
      }
      expect({ open: turn.open, isInterrupted: turn.isInterrupted }).toEqual({ open: false, isInterrupted: true })
      expect(await fixture.during(work)).toMatchObject({ status: 'made-up', state: 'interrupted' })
      await fixture.until(() => turn.status === 'interrupted')
    })

    test('[B109] an interrupted turn whose owner has crashed is ended by the next owner', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Go.')
      const turn = await taken(here.thread({ leaseMs: fixture.soonMs }))
      const [first] = await turn.record(calls(['look'], ['look']))
      await turn.start(first)
      here.pause()
      expect(await other.thread().interrupt()).toEqual({ isInterrupted: true, turn: 1 })
      await other.thread().submit('And now?')
      const model = scripted('Well.')
      const next = run(other.thread(), {
        model,
        tools: { look: { replay: 'safe', execute: () => 'ran' } },
        waitMs: 3_600_000,
      })
      expect(await fixture.during(next)).toEqual({ status: 'done', turn: 2 })
      expect(said(model.asked[0])).toEqual([
        ...['Go.', expect.stringContaining('interrupted'), expect.stringContaining('never started'), 'And now?'],
      ])
    })

    test('[B110] an error that is not caused by an interruption reaches the caller, also after an interrupted turn', async () => {
      const here = await fixture.process()
      for (const text of ['one', 'two']) await here.thread().submit(text)
      const model = scripted(async () => {
        await here.thread().interrupt()
        throw new Error('aborted by the user')
      }, new Error('overloaded'))
      await expect(fixture.during(run(here.thread(), { model }))).rejects.toThrow('overloaded')
      expect(those(await entriesOf(here), 'turn-end')).toMatchObject([
        { turn: 1, status: 'interrupted' },
        { turn: 2, status: 'failed', error: { message: 'overloaded' } },
      ])
    })

    test('[B111] a turn that was interrupted ends as interrupted, even if its owner ends it otherwise', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      for (const end of ['done', 'failed', 'limit'] as const) {
        await here.thread().submit('Go.')
        const turn = await taken(here.thread())
        here.pause()
        await other.thread().interrupt()
        await turn.finish(end, end === 'failed' ? new Error('no') : undefined)
        expect(turn.status).toBe('interrupted')
        here.resume()
      }
      expect(those(await entriesOf(here), 'turn-end').map(({ status, error }) => ({ status, error }))).toEqual(
        Array.from({ length: 3 }, () => ({ status: 'interrupted', error: undefined })),
      )
    })

    test('[B223] the owner of a turn that is being interrupted can call `fail` or `finish`, and waits for its end', async () => {
      const here = await fixture.process()
      for (const end of ['fail', 'finish', 'hand over'] as const) {
        await here.thread().submit('Go.')
        const turn = await taken(here.thread({ graceMs: fixture.soonMs }))
        const [call] = await turn.record(calls(['look']))
        const work = turn.perform(call, () => forever)
        await fixture.until(async () => (await kindsOf(here)).at(-1) === 'call-start')
        await here.thread().interrupt()
        const ended =
          end === 'fail' ? turn.fail(new Error('aborted')) : turn[end === 'finish' ? 'finish' : 'handOver']()
        await fixture.during(Promise.all([ended, work]))
        expect(turn.status, end).toBe('interrupted')
        if (end === 'fail') await turn.fail(new Error('again'))
      }
    })

    test('[B112] aborting the signal of a run interrupts its turn, and the run starts no other turn', async () => {
      const here = await fixture.process()
      for (const text of ['one', 'two']) await here.thread().submit(text)
      const stop = new AbortController()
      const model = ({ signal }: ModelRequest) => {
        stop.abort()
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      }
      expect(await fixture.during(run(here.thread(), { model, signal: stop.signal }))).toEqual({
        ...{ status: 'interrupted', turn: 1 },
      })
      expect(await fixture.during(run(here.thread(), { model, signal: stop.signal }))).toEqual({ status: 'nothing' })
      expect(await here.thread().status()).toMatchObject({ state: 'waiting', waiting: 1 })
    })

    test('[B113] waiting input is added after it: queued or steering, in a turn of its own', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await thread.submit('Go.')
      const model = scripted(async () => {
        await thread.submit('queued')
        await thread.submit('steered', { whenBusy: 'steer' })
        await thread.interrupt()
        return calls(['look'])
      }, 'Well.')
      expect(await fixture.during(run(thread, { model }))).toEqual({ status: 'done', turn: 2 })
      expect(said(model.asked[1]).slice(-2)).toEqual(['queued', 'steered'])
    })

    test('[B114] a turn run by hand that is disposed of after an interruption ends as interrupted, not failed', async () => {
      const here = await fixture.process()
      await here.thread().submit('Go.')
      const leave = async () => {
        await using turn = await taken(here.thread())
        await here.thread().interrupt()
        expect(await turn.record(says('Gone.'))).toEqual([])
        expect(turn.open).toBe(false)
        throw new Error('left')
      }
      await expect(leave()).rejects.toThrow('left')
      expect((await here.thread().status()).last).toEqual({ turn: 1, status: 'interrupted' })
    })
  })
}

interface Moment {
  /** What the model does; `reached` says that it is time to interrupt. */
  replies(reached: () => void): Reply[]
  readonly tools?: Record<string, (reached: () => void) => Tool>
  /** The results that a user interface hears of. */
  readonly results: unknown[]
  /** What stands between the input and the next one. */
  readonly said: unknown[]
}

const hearing = ({ signal }: { signal: AbortSignal }) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

const wasInterrupted = '[no result] This call was interrupted before its result was recorded. It may have run in part.'
const neverStarted = '[no result] This call was never started.'

const moments: Record<string, Moment> = {
  'before the model answers': {
    replies: reached => [
      request => {
        reached()
        return hearing(request)
      },
    ],
    results: [],
    said: [],
  },
  'before a model answers that hears nothing': {
    replies: reached => [
      () => {
        reached()
        return forever
      },
    ],
    results: [],
    said: [],
  },
  'in the middle of a stream': {
    replies: reached => [
      () =>
        stream(
          chunks(['Let me ', 'see'], ['look']).slice(0, 3),
          Promise.resolve().then(() => {
            setImmediate(reached)
            return forever
          }),
        ),
    ],
    results: [],
    said: ['Let me see'],
  },
  'in a stream that has said nothing': {
    replies: reached => [
      () =>
        stream(
          [],
          Promise.resolve().then(() => {
            setImmediate(reached)
            return forever
          }),
        ),
    ],
    results: [],
    said: [],
  },
  'in a tool that hears its signal': {
    replies: () => [[['look']]],
    tools: {
      look: reached => ({
        execute(_: object, context: ToolContext) {
          reached()
          return hearing(context)
        },
      }),
    },
    results: [wasInterrupted],
    said: [wasInterrupted],
  },
  'in a tool that hears nothing': {
    replies: () => [[['look']]],
    tools: {
      look: reached => ({
        execute() {
          reached()
          return forever
        },
      }),
    },
    results: [wasInterrupted],
    said: [wasInterrupted],
  },
  'in a tool that still gives its result': {
    replies: () => [[['look']]],
    tools: {
      look: reached => ({
        execute: (_: object, { signal }: ToolContext) =>
          new Promise(resolve => {
            signal.addEventListener('abort', () => resolve('a cat'))
            reached()
          }),
      }),
    },
    results: ['a cat'],
    said: ['a cat'],
  },
  'between calls': {
    replies: () => [[['see'], ['look'], ['ask'], ['buy']]],
    tools: {
      see: () => ({ execute: () => 'a dog' }),
      look: reached => ({
        async execute(_: object, context: ToolContext) {
          setImmediate(reached)
          return hearing(context)
        },
      }),
      ask: () => ({}),
      buy: () => ({ approval: true, execute: () => 'bought' }),
    },
    results: ['a dog', wasInterrupted, expect.stringContaining('not known'), neverStarted],
    said: ['a dog', wasInterrupted, expect.stringContaining('not known'), neverStarted],
  },
  'in the second step': {
    replies: reached => [
      [['see']],
      request => {
        reached()
        return hearing(request)
      },
    ],
    tools: { see: () => ({ execute: () => 'a dog' }) },
    results: ['a dog'],
    said: ['a dog'],
  },
}

/** All that was said, but for messages that only make calls. */
const words = (messages: readonly unknown[]): unknown[] =>
  (messages as { content: unknown }[]).flatMap(({ content }) => (content === null ? [] : [content]))
