import { describe, expect, test, vi } from 'vitest'
import { AntiphonError } from '../../../src/core/errors.ts'
import type { ModelRequest } from '../../../src/journal/ask-models.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { type Run, type RunResult, run } from '../../../src/journal/run.ts'
import type { RunEvent } from '../../../src/journal/run-event.ts'
import type { Tools } from '../../../src/journal/tool.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { later } from './later.ts'
import { calls, chunks, forever, says, scripted, stream } from './model.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'
import { withMethods } from './with-methods.ts'

/** The loop, ready made: it asks, performs, asks again, and tells what happens. */
export function checkRun(fixture: Fixture): void {
  const submitted = async (...texts: string[]) => {
    const here = await fixture.process()
    for (const text of texts) await here.thread().submit(text)
    return { here, thread: here.thread() }
  }
  const tools = {
    look: { execute: () => 'a cat' },
    ask: {},
    buy: { approval: true, expiresMs: 3_600_000, execute: () => 'bought' },
  }

  describe('run', () => {
    test('[B160] it reports its events in order, to a listener and to iterators', async () => {
      const { here, thread } = await submitted('Look.')
      const heard: RunEvent[] = []
      const model = scripted(() =>
        stream(chunks(['One ', 'moment.'], ['look', {}, 'call_a'], ['ask'], ['buy', { what: 'a cat' }])),
      )
      const running = run(thread, { model, tools, onEvent: event => heard.push(event) })
      const read = readAll(running)
      expect(await fixture.during(running)).toEqual({ status: 'parked', turn: 1 })
      const { uid } = await here.store.open('t')
      const [look, ask, buy] = [0, 1, 2].map(index => `${uid}-4-${index}`)
      expect(await read).toEqual(heard)
      const outcome = { status: 'done', content: 'a cat' }
      expect(heard.filter(({ kind }) => kind !== 'delta')).toEqual([
        { kind: 'turn-start', turn: 1 },
        { kind: 'input', inputs: [1] },
        { kind: 'response', turn: 1, calls: [look, ask, buy], finish: 'stop' },
        { kind: 'call-start', call: look, name: 'look' },
        { kind: 'outside-request', call: ask, name: 'ask', input: {} },
        { kind: 'approval-request', call: buy, name: 'buy', input: { what: 'a cat' }, until: expect.any(Number) },
        { kind: 'result', call: look, name: 'look', outcome, late: false },
        { kind: 'turn-park', turn: 1 },
      ])
      const deltas = heard.flatMap(event => (event.kind === 'delta' ? [event.delta] : []))
      expect(deltas.slice(0, 3)).toEqual([
        { kind: 'text', text: 'One ' },
        { kind: 'text', text: 'moment.' },
        { kind: 'call', id: 'call_a', name: 'look', index: 0 },
      ])
      expect(heard.findIndex(({ kind }) => kind === 'response')).toBe(
        heard.findLastIndex(({ kind }) => kind === 'delta') + 1,
      )
    })

    test('[B161] a run does not report events from before it started, but reports what other processes do while it runs', async () => {
      const { here, thread } = await submitted('Look.')
      await fixture.during(run(thread, { model: scripted([['ask'], ['buy']]), tools }))
      const other = await fixture.process()
      const [ask, buy] = await here.thread().openCalls()
      await here.thread().settle(ask.id, 'no')
      const heard: string[] = []
      await here.thread().approve(buy.id, 'well then')
      const model = scripted(async () => {
        await here.thread().submit('And?')
        return says('Bought.')
      }, 'Nothing.')
      await fixture.during(run(other.thread(), { model, tools, onEvent: event => heard.push(event.kind) }))
      expect(heard).toEqual([
        ...['response-retract', 'turn-resume', 'call-start', 'result', 'response', 'turn-end'],
        ...['turn-start', 'input', 'response', 'turn-end'],
      ])
    })

    test('[B162] it can be awaited, iterated, or both, any number of times', async () => {
      const { thread } = await submitted('one', 'two')
      const running = run(thread, { model: scripted('1', '2') })
      const readers = [readAll(running), readAll(running)]
      const results = await fixture.during(Promise.all([running, running]))
      expect(results).toEqual([
        { status: 'done', turn: 2 },
        { status: 'done', turn: 2 },
      ])
      const [one, other] = await Promise.all(readers)
      expect(one.map(({ kind }) => kind)).toEqual([
        ...['turn-start', 'input', 'response', 'turn-end', 'turn-start', 'input', 'response', 'turn-end'],
      ])
      expect(other).toEqual(one)
    })

    test('[B498] a run has the methods of a promise, and an error that they handle is not an unhandled rejection', async () => {
      const here = await fixture.process()
      await here.thread().submit('Hello.')
      const ended: string[] = []
      const result: Promise<RunResult> = run(here.thread(), { model: scripted('Hi.') }).finally(() =>
        ended.push('done'),
      )
      expect(await fixture.during(result)).toEqual({ status: 'done', turn: 1 })
      await here.thread().submit('Again.')
      const failing = run(here.thread(), { model: scripted(new Error('down')) })
      expect(Object.prototype.toString.call(failing)).toBe('[object Run]')
      const message = failing.catch((error: Error) => error.message).finally(() => ended.push('failed'))
      expect(await fixture.during(message)).toBe('down')
      expect(ended).toEqual(['done', 'failed'])
      await here.thread().submit('And again.')
      const handled = run(here.thread(), { model: scripted(new Error('down')) }).finally(() => {})
      await expect(fixture.during(handled)).rejects.toThrow('down')
    })

    test('[B163] a failing model ends the turn with its error, which reaches every caller that awaits or iterates the run', async () => {
      const { here, thread } = await submitted('Hello')
      const error = Object.assign(new Error('overloaded'), { status: 529, code: 'overloaded_error' })
      const running = run(thread, { model: scripted(error) })
      const events: string[] = []
      const reading = (async () => {
        for await (const { kind } of running) events.push(kind)
      })()
      reading.catch(() => {})
      await expect(fixture.during(running)).rejects.toBe(error)
      await expect(reading).rejects.toBe(error)
      expect(events).toEqual(['turn-start', 'input', 'turn-end'])
      expect(those(await entriesOf(here), 'turn-end')).toMatchObject([
        { status: 'failed', error: { name: 'Error', message: 'overloaded', status: 529, code: 'overloaded_error' } },
      ])
      await thread.submit('Again.')
      const model = scripted('Here I am.')
      expect(await fixture.during(run(thread, { model }))).toEqual({ status: 'done', turn: 2 })
      expect(said(model.asked[0])).toEqual(['Hello', 'Again.'])
    })

    test('[B164] every way in which a model can fail is handled as an error', async () => {
      const failures: Record<string, (request: ModelRequest) => unknown> = {
        throws: () => {
          throw new Error('no')
        },
        rejects: () => Promise.reject(new Error('no')),
        'throws what is no error': () => Promise.reject('no'),
        'gives what is no response': () => ({ no: 'response' }),
        'gives nothing': () => undefined,
        'breaks off': () => stream(chunks(['No']).slice(0, 1), new Error('no')),
        'breaks off without a word': () => stream(chunks(['No']).slice(0, 1)),
      }
      const here = await fixture.process()
      for (const [name, model] of Object.entries(failures)) {
        const thread = here.thread({}, name)
        await thread.submit('Hello')
        await expect(fixture.during(run(thread, { model })), name).rejects.toBeDefined()
        expect(await thread.status(), name).toMatchObject({ state: 'idle', last: { turn: 1, status: 'failed' } })
        const [{ error }] = those(await entriesOf(here, name), 'turn-end')
        expect(error, name).toMatchObject({ name: expect.any(String), message: expect.stringMatching(/no|broke off/) })
      }
    })

    test('[B165] text of a stream that broke off is recorded and is not retracted', async () => {
      const { thread } = await submitted('Hello')
      const heard: string[] = []
      const model = scripted(() => stream(chunks(['Well']).slice(0, 1), new Error('no')))
      const running = run(thread, { model, onEvent: ({ kind }) => heard.push(kind) })
      await expect(fixture.during(running)).rejects.toThrow('no')
      expect(heard).toEqual(['turn-start', 'input', 'delta', 'response', 'turn-end'])
      expect(await thread.messages()).toMatchObject([{ content: 'Hello' }, { content: 'Well' }])
    })

    test('[B166] text streamed by an owner that lost its turn is retracted, by the next owner and by itself', async () => {
      const { here, thread } = await submitted('Hello')
      const heard: string[] = []
      const model = scripted(() => stream(chunks(['Well']).slice(0, 1), forever))
      const old = run(here.thread({ leaseMs: fixture.soonMs }), { model, onEvent: ({ kind }) => heard.push(kind) })
      old.then(
        () => {},
        () => {},
      )
      await fixture.until(() => heard.includes('delta'))
      here.pause()
      const other = await fixture.process()
      const events = readAll(run(other.thread(), { model: scripted('Hi.'), waitMs: 3_600_000 }))
      expect((await fixture.during(events)).map(({ kind }) => kind)).toEqual([
        ...['response-retract', 'turn-resume', 'response', 'turn-end'],
      ])
      expect(said(await thread.messages())).toEqual(['Hello'])
      here.resume()
      await expect(fixture.during(old)).rejects.toMatchObject({ code: 'fenced' })
      expect(heard.at(-1)).toBe('response-retract')
    })

    test('[B167] a turn that needs more steps than allowed ends with the status `limit`', async () => {
      const { here, thread } = await submitted('Look.')
      const model = scripted([['look']], [['look']], [['look']])
      expect(await fixture.during(run(thread, { model, tools, maxSteps: 2 }))).toEqual({ status: 'limit', turn: 1 })
      expect(model.asked).toHaveLength(2)
      expect(those(await entriesOf(here), 'call-settle')).toHaveLength(2)
      await thread.submit('Go on.')
      expect(await fixture.during(run(thread, { model: scripted('Done.'), maxSteps: 1 }))).toEqual({
        status: 'done',
        turn: 2,
      })
    })

    test('[B168] steps made by an earlier owner of the turn count', async () => {
      const { here, thread } = await submitted('Look.')
      const turn = await taken(here.thread({ leaseMs: fixture.soonMs }))
      const [call] = await turn.record(calls(['look']))
      await turn.perform(call, () => 'a cat')
      here.pause()
      const other = await fixture.process()
      const model = scripted([['look']])
      const ended = await fixture.during(run(other.thread(), { model, tools, maxSteps: 2, waitMs: 3_600_000 }))
      expect(ended).toEqual({ status: 'limit', turn: 1 })
      expect((await thread.status()).last).toEqual({ turn: 1, status: 'limit' })
    })

    test('[B169] its result says if there is nothing to do, or if the turn waits for an approval or an external result', async () => {
      const here = await fixture.process()
      const events = run(here.thread(), { model: scripted() })
      expect(await fixture.during(events)).toEqual({ status: 'nothing' })
      await here.thread().submit('Ask.')
      expect(await fixture.during(run(here.thread(), { model: scripted([['ask']]), tools }))).toEqual({
        status: 'parked',
        turn: 1,
      })
      expect(await fixture.during(run(here.thread(), { model: scripted(), tools }))).toEqual({
        status: 'parked',
        turn: 1,
      })
    })

    test('[B170] a listener that throws does not affect the turn, and its error is thrown at the end', async () => {
      const { thread } = await submitted('Look.')
      const model = scripted([['look']], 'Seen.')
      const onEvent = ({ kind }: RunEvent) => {
        throw new Error(`no screen for ${kind}`)
      }
      await expect(fixture.during(run(thread, { model, tools, onEvent }))).rejects.toThrow('no screen for turn-start')
      expect(await thread.status()).toMatchObject({ state: 'idle', last: { turn: 1, status: 'done' } })
      expect(said(await thread.messages())).toEqual(['Look.', 'a cat'])
    })

    test('[B171] the model function gets the thread, the turn, the step, the messages and the signal', async () => {
      const { thread } = await submitted('Look.')
      const requests: ModelRequest[] = []
      const model = (request: ModelRequest) => {
        requests.push(request)
        return requests.length === 1 ? calls(['look']) : says('Seen.')
      }
      await fixture.during(run(thread, { model, tools }))
      expect(requests).toMatchObject([
        { thread: 't', turn: 1, step: 0, messages: [{ content: 'Look.' }], signal: { aborted: false } },
        { thread: 't', turn: 1, step: 1, messages: [{}, {}, { content: 'a cat' }], signal: { aborted: false } },
      ])
    })

    test('[B172] it waits for another owner as long as waitMs allows', async () => {
      const { here, thread } = await submitted('Hello')
      const other = await fixture.process()
      const turn = await taken(thread)
      expect(await fixture.during(run(other.thread(), { model: scripted() }))).toEqual({ status: 'owned', turn: 1 })
      const waiting = run(other.thread(), { model: scripted('Yes?'), waitMs: 3_600_000 })
      await fixture.pass(fixture.soonMs)
      await here.thread().submit('Hello?')
      await turn.record(says('Hi.'))
      expect(await fixture.during(waiting)).toEqual({ status: 'done', turn: 2 })
    })

    test('[B173] responses can be in another format than the one the thread is rendered in', async () => {
      const { thread } = await submitted('Look.')
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' }
      const use = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
      const model = ({ step }: ModelRequest) =>
        step === 0
          ? { ...message, content: [use], stop_reason: 'tool_use' }
          : { ...message, content: [{ type: 'text', text: 'Seen.' }], stop_reason: 'end_turn' }
      expect(await fixture.during(run(thread, { model, tools, format: 'anthropic' }))).toEqual({
        status: 'done',
        turn: 1,
      })
      expect(said(await thread.messages())).toEqual(['Look.', 'a cat'])
    })

    test('[B174] several simultaneous runs of one thread do everything once', async () => {
      const processes = await Promise.all([fixture.process(), fixture.process()])
      for (const text of ['one', 'two', 'three']) await processes[0].thread().submit(text)
      const asked: unknown[] = []
      const model = ({ messages }: ModelRequest) => {
        asked.push(said(messages).at(-1))
        return says('Well.')
      }
      const runs = [...processes, ...processes].map(process => run(process.thread(), { model, waitMs: 3_600_000 }))
      await fixture.during(Promise.all(runs))
      expect(asked).toEqual(['one', 'two', 'three'])
      expect(await kindsOf(processes[0])).not.toContain('turn-resume')
    })

    test('[B176] a thread notifies its listeners of the entries that this process reads or writes, and a listener that throws does not affect the write', async () => {
      const here = await fixture.process()
      await here.thread().submit('before')
      await here.thread().status()
      const heard: string[] = []
      using warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
      const forget = here.thread().listen((entries, { head }) => {
        heard.push(...entries.map(({ kind, seq }) => `${kind} ${seq} of ${head}`))
        throw new Error('no screen')
      })
      const turn = await taken(here.thread())
      await turn.record(says('Hi.'))
      forget()
      await here.thread().submit('after')
      await here.thread().status()
      expect(heard).toEqual(['turn-start 2 of 3', 'input-admit 3 of 3', 'response-record 4 of 5', 'turn-end 5 of 5'])
      expect(turn.status).toBe('done')
      expect(warn.mock.calls).toEqual(
        Array.from({ length: 2 }, () => ['a listener of thread t failed: no screen', { code: 'ANTIPHON_LISTENER' }]),
      )
    })

    test('[B175] a run does not fail if it lacks the tool of a call: the model is told, and continues', async () => {
      const { thread } = await submitted('Look.')
      const model = scripted([['look'], ['see']], 'Seen.')
      expect(await fixture.during(run(thread, { model, tools }))).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[1]).slice(1)).toEqual([
        'a cat',
        'There is no tool named see. Known tools: look, ask, buy.',
      ])
    })

    test('[B35] the loop by hand runs what is approved while a step runs, and gives each tool its arguments', async () => {
      const { thread } = await submitted('Buy.')
      const model = scripted(
        [
          ['look', { at: 1 }],
          ['buy', { at: 2 }],
        ],
        'Bought.',
      )
      const ran: unknown[] = []
      const book = async (input: unknown, { key }: { key: string }) => {
        ran.push([input, key])
        return 'done'
      }
      await using turn = await taken(thread)
      const request = { signal: turn.signal, thread: 't', turn: 1, step: 0 }
      const decided: PromiseLike<unknown>[] = []
      while (turn.open) {
        const made =
          turn.calls.length > 0
            ? turn.calls
            : await turn.record(model({ ...request, messages: turn.messages as never[] }))
        await Promise.all(
          made.map(async call => {
            if (call.name === 'look' || call.isApproved) return turn.perform(call, context => book(call.input, context))
            await turn.parkCall(call, 'approval')
            decided.push(thread.approve(call.id))
            return Promise.all(decided)
          }),
        )
      }
      const ids = [0, 1].map(index => expect.stringMatching(`-4-${index}$`))
      expect(ran).toEqual([
        [{ at: 1 }, ids[0]],
        [{ at: 2 }, ids[1]],
      ])
      expect(turn.status).toBe('done')
    })

    test('[B230] input that arrived after the last response is answered even at the step limit, and no more calls are run', async () => {
      const { here, thread } = await submitted('Look.')
      const steering = {
        look: {
          execute: async () => {
            await here.thread().submit('Stop that.', { whenBusy: 'steer' })
            return 'a cat'
          },
        },
      }
      const model = scripted([['look']], [['look']])
      const ended = await fixture.during(run(thread, { model, tools: steering, maxSteps: 1 }))
      expect(ended).toEqual({ status: 'limit', turn: 1 })
      expect(said(model.asked[1]).slice(1)).toEqual(['a cat', 'Stop that.'])
      const outcomes = those(await entriesOf(here), 'call-settle').map(({ outcome }) => outcome.state ?? outcome.status)
      expect(outcomes).toEqual(['done', 'not-started'])
    })

    test('[B230] so is input that was added when the turn was taken over, and when its calls were denied', async () => {
      const { here, thread } = await submitted('Look.')
      const turn = await taken(here.thread({ leaseMs: fixture.soonMs }))
      await turn.record(calls(['look']))
      await thread.submit('Hello?')
      here.pause()
      const other = await fixture.process()
      const next = scripted('Yes?')
      const options = { model: next, tools, maxSteps: 1, waitMs: 3_600_000 }
      expect(await fixture.during(run(other.thread(), options))).toEqual({ status: 'done', turn: 1 })
      expect(said(next.asked[0]).at(-1)).toBe('Hello?')
      const asking = other.thread({}, 'asking')
      await asking.submit('Buy.')
      const model = scripted([['buy']], 'A train, then.')
      await fixture.during(run(asking, { model, tools, maxSteps: 1 }))
      await asking.submit('A train!', { whenApproving: 'deny' })
      expect(await fixture.during(run(asking, { model, tools, maxSteps: 1 }))).toEqual({ status: 'done', turn: 1 })
    })

    test('[B231] a run that is aborted and cannot record that ends at once, with the error', async () => {
      const { here } = await submitted('Look.')
      let isDown = false
      const gone = new Error('connection reset')
      const flaky = withMethods(here.store, {
        read: (...range) => (isDown ? Promise.reject(gone) : here.store.read(...range)),
      })
      const thread = new Journal(flaky, here.clock, 'flaky').thread('t')
      const stop = new AbortController()
      const signals: AbortSignal[] = []
      const look = {
        execute: (_: never, { signal }: { signal: AbortSignal }) => {
          signals.push(signal)
          return forever
        },
      }
      const running = run(thread, { model: scripted([['look']]), tools: { look }, signal: stop.signal })
      await fixture.until(() => signals.length > 0)
      isDown = true
      stop.abort()
      await expect(fixture.during(running)).rejects.toBe(gone)
      expect(signals[0].aborted).toBe(true)
      expect(those(await entriesOf(here), 'turn-end')).toMatchObject([
        { status: 'failed', error: { message: 'connection reset' } },
      ])
    })

    test('[B232] an error that cannot be recorded is thrown together with the error of the journal', async () => {
      const { here } = await submitted('Hello')
      let isDown = false
      const full = new Error('no room on the disk')
      const flaky = withMethods(here.store, {
        write: write => (isDown ? Promise.reject(full) : here.store.write(write)),
      })
      const error = new Error('invalid key')
      const model = () => {
        isDown = true
        throw error
      }
      const running = run(new Journal(flaky, here.clock, 'flaky').thread('t'), { model })
      await expect(fixture.during(running)).rejects.toMatchObject({
        ...{ code: 'failure-unrecorded', cause: error, data: { journal: full } },
        message: 'invalid key (and the journal could not record it: no room on the disk)',
      })
    })

    test('[B233] any failure inside a run ends its turn with that error', async () => {
      const { here } = await submitted('Ask.')
      let failures = 0
      const flaky = withMethods(here.store, {
        write: write =>
          write.entries.some(({ kind }) => kind === 'call-park') && failures++ === 0
            ? Promise.reject(Object.assign(new Error('connection reset'), { code: 'ECONNRESET' }))
            : here.store.write(write),
      })
      const thread = new Journal(flaky, here.clock, 'flaky').thread('t')
      const running = run(thread, { model: scripted([['ask']]), tools })
      await expect(fixture.during(running)).rejects.toThrow('connection reset')
      expect(those(await entriesOf(here), 'turn-end')).toMatchObject([
        { status: 'failed', error: { message: 'connection reset', code: 'ECONNRESET' } },
      ])
    })

    test.each([
      ['a response', 'response-record', [['look']]],
      ['the start of a call', 'call-start', [['look'], ['look']]],
      ['a result', 'call-settle', [['look'], ['look']]],
    ] as const)(
      '[B265] a turn whose journal could not be reached has not failed: the next owner continues it (%s)',
      async (_, kind, step) => {
        const { here } = await submitted('Look.')
        const leaseMs = fixture.soonMs
        const gone = () => new AntiphonError('journal-unreachable', 'the server cannot be reached')
        // A result is written twice before it is given up. Then the server is back, so that every other write succeeds.
        let failures = 0
        const flaky = withMethods(here.store, {
          write: write =>
            write.entries.some(entry => entry.kind === kind) && failures++ < 4
              ? Promise.reject(gone())
              : here.store.write(write),
        })
        const thread = new Journal(flaky, here.clock, 'flaky').thread('t', { leaseMs })
        const running = run(thread, { model: scripted([...step]), tools: { look: { ...tools.look, replay: 'safe' } } })
        await expect(fixture.during(running)).rejects.toMatchObject({ code: 'journal-unreachable' })
        expect(those(await entriesOf(here), 'turn-end')).toEqual([])
        failures = Number.POSITIVE_INFINITY
        await fixture.pass(leaseMs)
        const model = kind === 'response-record' ? scripted([['look']], 'A cat.') : scripted('A cat.')
        const next = run((await fixture.process()).thread(), {
          model,
          tools: { look: { ...tools.look, replay: 'safe' } },
        })
        expect(await fixture.during(next)).toEqual({ status: 'done', turn: 1 })
        const seen = kind === 'response-record' ? ['a cat'] : ['a cat', 'a cat']
        expect(said(await here.thread().messages())).toEqual(['Look.', ...seen])
      },
    )

    test('[B265] a turn that is disposed of after its journal could not be reached is continued by the next owner', async () => {
      const { here } = await submitted('Hello')
      const leaseMs = fixture.soonMs
      const flaky = withMethods(here.store, {
        write: write =>
          write.entries.some(entry => entry.kind === 'response-record')
            ? Promise.reject(new AntiphonError('journal-unreachable', 'the server cannot be reached'))
            : here.store.write(write),
      })
      const turn = await taken(new Journal(flaky, here.clock, 'flaky').thread('t', { leaseMs }))
      await expect(turn.record(says('Hello.'))).rejects.toMatchObject({ code: 'journal-unreachable' })
      await turn[Symbol.asyncDispose]()
      await fixture.pass(leaseMs)
      const next = run((await fixture.process()).thread(), { model: scripted('Hello again.') })
      expect(await fixture.during(next)).toEqual({ status: 'done', turn: 1 })
    })

    test('[B234] an approval check that never ends is abandoned when the turn is interrupted, and its signal is aborted', async () => {
      const { here, thread } = await submitted('Buy.')
      const signals: AbortSignal[] = []
      const buy = {
        approval: (_: never, { signal }: { signal: AbortSignal }) => {
          signals.push(signal)
          return forever
        },
        execute: () => 'bought',
      }
      const running = run(thread, { model: scripted([['buy']]), tools: { buy } })
      await fixture.until(() => signals.length > 0)
      await here.thread().interrupt()
      expect(await fixture.during(running)).toEqual({ status: 'interrupted', turn: 1 })
      expect(signals[0].aborted).toBe(true)
      expect((await kindsOf(here)).filter(kind => kind.startsWith('call-'))).toEqual(['call-settle'])
    })

    test('[B235] a call that is approved while other calls of its step run is started at once', async () => {
      const { here, thread } = await submitted('Look and buy.')
      const cat = later<string>()
      const ran: string[] = []
      const slow: Tools = {
        look: { execute: () => cat.promise },
        buy: {
          approval: true,
          execute: () => {
            ran.push('buy')
            return 'bought'
          },
        },
      }
      const onEvent = (event: RunEvent) => {
        if (event.kind === 'approval-request') void here.thread().approve(event.call)
      }
      const running = run(thread, { model: scripted([['look'], ['buy'], ['buy']], 'Done.'), tools: slow, onEvent })
      await fixture.until(() => ran.length === 2)
      cat.keep('a cat')
      expect(await fixture.during(running)).toEqual({ status: 'done', turn: 1 })
      expect(ran).toHaveLength(2)
      expect(said(await thread.messages())).toEqual(['Look and buy.', 'a cat', 'bought', 'bought'])
    })

    test('[B236] interrupting input is reported as an interruption, once', async () => {
      const { here, thread } = await submitted('Look.')
      const heard: RunEvent[] = []
      const model = scripted(() => forever, 'Well.')
      const running = run(thread, { model, onEvent: event => heard.push(event) })
      await fixture.until(() => model.asked.length === 1)
      await here.thread().submit('Something else.', { whenBusy: 'interrupt' })
      await fixture.during(running)
      expect(heard.slice(0, 4)).toEqual([
        { kind: 'turn-start', turn: 1 },
        { kind: 'input', inputs: [1] },
        { kind: 'turn-interrupt', turn: 1, reason: 'new input' },
        { kind: 'turn-end', turn: 1, status: 'interrupted' },
      ])
      expect(heard.filter(({ kind }) => kind === 'turn-interrupt')).toHaveLength(1)
    })

    test('[B237] an iterator can be left at any time: nothing waits for it, and nothing is kept for it', async () => {
      const { thread } = await submitted('Look.')
      const answer = later<unknown>()
      const running = run(thread, { model: () => answer.promise })
      const [early, waiting] = [running[Symbol.asyncIterator](), running[Symbol.asyncIterator]()]
      await early.return?.()
      for (let read = 0; read < 2; read++) await fixture.during(waiting.next())
      const next = waiting.next()
      await waiting.return?.()
      const over = { done: true, value: undefined }
      expect(await next).toEqual(over)
      answer.keep(says('Well.'))
      await fixture.during(running)
      expect([await early.next(), await waiting.next()]).toEqual([over, over])
    })

    test('[B239] the responding dialect can be given, if it is not the dialect of the thread', async () => {
      const { here, thread } = await submitted('Hello')
      await fixture.during(run(thread, { model: scripted('Hi.'), for: 'deepseek' }))
      expect(those(await entriesOf(here), 'response-record')).toMatchObject([{ dialect: 'deepseek' }])
    })

    test('[B246] output that cannot be written as JSON is reported as such: an error object becomes an error, and no output silently becomes empty', async () => {
      const { here, thread } = await submitted('Go.')
      const given: Record<string, unknown> = {
        map: new Map([['a', 1]]),
        set: new Set([1]),
        response: new Response('text'),
        generator: (async function* () {
          yield 1
        })(),
        hidden: new (class Hidden {
          readonly #cat = 1
          get cat() {
            return this.#cat
          }
        })(),
        function: () => 1,
        symbol: Symbol('s'),
        bigint: 1n,
        error: new Error('boom'),
        inside: { rows: new Map([['a', 1]]), reason: new Error('boom'), empty: {}, none: [], date: new Date(0) },
        boxed: [Object(1), Object('two'), Object(false)],
        nothing: undefined,
      }
      const giving = Object.fromEntries(Object.keys(given).map(name => [name, { execute: () => given[name] }]))
      const model = scripted(
        Object.keys(given).map(name => [name] as const),
        'Done.',
      )
      await fixture.during(run(thread, { model, tools: giving }))
      const { calls: asked } = those(await entriesOf(here), 'response-record')[0]
      const settled = those(await entriesOf(here), 'call-settle')
      const outcomes = Object.fromEntries(settled.map(({ call, outcome }) => [asked[call.index].name, outcome]))
      const no = (type: string) => ({
        status: 'error',
        content: expect.stringMatching(`cannot be written as JSON: .*${type}`),
      })
      expect(outcomes).toEqual({
        ...{ map: no('Map'), set: no('Set'), response: no('Response'), generator: no('AsyncGenerator') },
        ...{ hidden: no('Hidden'), function: no('Function'), symbol: no('Symbol'), bigint: no('BigInt') },
        error: { status: 'error', content: 'boom' },
        inside: {
          status: 'done',
          content: {
            ...{ rows: '[Map: not JSON]', reason: { name: 'Error', message: 'boom' } },
            ...{ empty: {}, none: [], date: '1970-01-01T00:00:00.000Z' },
          },
        },
        boxed: { status: 'done', content: [1, 'two', false] },
        nothing: { status: 'done', content: '' },
      })
    })
  })
}

async function readAll(running: Run): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of running) events.push(event)
  return events
}
