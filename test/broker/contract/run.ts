import { describe, expect, test, vi } from 'vitest'
import { type ModelRequest, type Run, run } from '../../../src/broker/run.ts'
import type { RunEvent } from '../../../src/broker/run-event.ts'
import { entriesOf, type Ground, kindsOf, those } from './ground.ts'
import { calls, chunks, forever, says, scripted, stream } from './model.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'

/** The loop, ready made: it asks, performs, asks again, and tells what happens. */
export function checkRun(ground: Ground): void {
  const submitted = async (...texts: string[]) => {
    const here = await ground.process()
    for (const text of texts) await here.thread().submit(text)
    return { here, thread: here.thread() }
  }
  const tools = {
    look: { execute: () => 'a cat' },
    ask: {},
    buy: { approval: true, expiresMs: 3_600_000, execute: () => 'bought' },
  }

  describe('run', () => {
    test('[B160] it tells what happens, in order, to a listener and to whoever reads', async () => {
      const { here, thread } = await submitted('Look.')
      const heard: RunEvent[] = []
      const model = scripted(() => stream(chunks(['One ', 'moment.'], ['look', {}, 'call_a'], ['ask'], ['buy'])))
      const running = run(thread, { model, tools, onEvent: event => heard.push(event) })
      const read = readAll(running)
      expect(await ground.during(running)).toEqual({ status: 'parked', turn: 1 })
      const { uid } = await here.store.open('t')
      const [look, ask, buy] = [0, 1, 2].map(index => `${uid}-4-${index}`)
      expect(await read).toEqual(heard)
      const outcome = { status: 'done', content: 'a cat' }
      expect(heard.filter(({ kind }) => kind !== 'delta')).toEqual([
        { kind: 'turn-start', turn: 1 },
        { kind: 'input', inputs: [1] },
        { kind: 'response', turn: 1, calls: [look, ask, buy], finish: 'stop' },
        { kind: 'call-start', call: look, name: 'look' },
        { kind: 'outside-request', call: ask, name: 'ask' },
        { kind: 'approval-request', call: buy, name: 'buy', until: expect.any(Number) },
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

    test('[B161] what happened before is no news, and what others do meanwhile is', async () => {
      const { here, thread } = await submitted('Look.')
      await ground.during(run(thread, { model: scripted([['ask'], ['buy']]), tools }))
      const other = await ground.process()
      const [ask, buy] = await here.thread().openCalls()
      await here.thread().settle(ask.id, 'no')
      const heard: string[] = []
      await here.thread().approve(buy.id, 'well then')
      const model = scripted(async () => {
        await here.thread().submit('And?')
        return says('Bought.')
      }, 'Nothing.')
      await ground.during(run(other.thread(), { model, tools, onEvent: event => heard.push(event.kind) }))
      expect(heard).toEqual([
        ...['response-retract', 'turn-resume', 'call-start', 'result', 'response', 'turn-end'],
        ...['turn-start', 'input', 'response', 'turn-end'],
      ])
    })

    test('[B162] it can be awaited, read, or both, by as many as like', async () => {
      const { thread } = await submitted('one', 'two')
      const running = run(thread, { model: scripted('1', '2') })
      const readers = [readAll(running), readAll(running)]
      const results = await ground.during(Promise.all([running, running]))
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

    test('[B163] a model that fails ends the turn with the error, which reaches whoever awaits or reads', async () => {
      const { here, thread } = await submitted('Hello')
      const error = Object.assign(new Error('overloaded'), { status: 529, code: 'overloaded_error' })
      const running = run(thread, { model: scripted(error) })
      const events: string[] = []
      const reading = (async () => {
        for await (const { kind } of running) events.push(kind)
      })()
      reading.catch(() => {})
      await expect(ground.during(running)).rejects.toBe(error)
      await expect(reading).rejects.toBe(error)
      expect(events).toEqual(['turn-start', 'input', 'turn-end'])
      expect(those(await entriesOf(here), 'turn-end')).toMatchObject([
        { status: 'failed', error: { name: 'Error', message: 'overloaded', status: 529, code: 'overloaded_error' } },
      ])
      await thread.submit('Again.')
      const model = scripted('Here I am.')
      expect(await ground.during(run(thread, { model }))).toEqual({ status: 'done', turn: 2 })
      expect(said(model.asked[0])).toEqual(['Hello', 'Again.'])
    })

    test('[B164] every way in which a model can fail is one', async () => {
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
      const here = await ground.process()
      for (const [name, model] of Object.entries(failures)) {
        const thread = here.thread({}, name)
        await thread.submit('Hello')
        await expect(ground.during(run(thread, { model })), name).rejects.toBeDefined()
        expect(await thread.status(), name).toMatchObject({ state: 'idle', last: { turn: 1, status: 'failed' } })
        const [{ error }] = those(await entriesOf(here, name), 'turn-end')
        expect(error, name).toMatchObject({ name: expect.any(String), message: expect.stringMatching(/no|broke off/) })
      }
    })

    test('[B165] words of a stream that broke off are recorded, and are not retracted', async () => {
      const { thread } = await submitted('Hello')
      const heard: string[] = []
      const model = scripted(() => stream(chunks(['Well']).slice(0, 1), new Error('no')))
      const running = run(thread, { model, onEvent: ({ kind }) => heard.push(kind) })
      await expect(ground.during(running)).rejects.toThrow('no')
      expect(heard).toEqual(['turn-start', 'input', 'delta', 'response', 'turn-end'])
      expect(await thread.messages()).toMatchObject([{ content: 'Hello' }, { content: 'Well' }])
    })

    test('[B166] words of an owner that lost its turn while it streamed are retracted, by the next one and by itself', async () => {
      const { here, thread } = await submitted('Hello')
      const heard: string[] = []
      const model = scripted(() => stream(chunks(['Well']).slice(0, 1), forever))
      const old = run(here.thread({ leaseMs: ground.soonMs }), { model, onEvent: ({ kind }) => heard.push(kind) })
      old.then(
        () => {},
        () => {},
      )
      await ground.until(() => heard.includes('delta'))
      here.pause()
      const other = await ground.process()
      const events = readAll(run(other.thread(), { model: scripted('Hi.'), waitMs: 3_600_000 }))
      expect((await ground.during(events)).map(({ kind }) => kind)).toEqual([
        ...['response-retract', 'turn-resume', 'response', 'turn-end'],
      ])
      expect(said(await thread.messages())).toEqual(['Hello'])
      here.resume()
      await expect(ground.during(old)).rejects.toMatchObject({ code: 'fenced' })
      expect(heard.at(-1)).toBe('response-retract')
    })

    test('[B167] a turn that needs more steps than it may have ends with the status limit', async () => {
      const { here, thread } = await submitted('Look.')
      const model = scripted([['look']], [['look']], [['look']])
      expect(await ground.during(run(thread, { model, tools, maxSteps: 2 }))).toEqual({ status: 'limit', turn: 1 })
      expect(model.asked).toHaveLength(2)
      expect(those(await entriesOf(here), 'call-settle')).toHaveLength(2)
      await thread.submit('Go on.')
      expect(await ground.during(run(thread, { model: scripted('Done.'), maxSteps: 1 }))).toEqual({
        status: 'done',
        turn: 2,
      })
    })

    test('[B168] steps of an owner before count', async () => {
      const { here, thread } = await submitted('Look.')
      const turn = await taken(here.thread({ leaseMs: ground.soonMs }))
      const [call] = await turn.record(calls(['look']))
      await turn.perform(call, () => 'a cat')
      here.pause()
      const other = await ground.process()
      const model = scripted([['look']])
      const ended = await ground.during(run(other.thread(), { model, tools, maxSteps: 2, waitMs: 3_600_000 }))
      expect(ended).toEqual({ status: 'limit', turn: 1 })
      expect((await thread.status()).last).toEqual({ turn: 1, status: 'limit' })
    })

    test('[B169] it says when there is nothing to do, and when only somebody outside can go on', async () => {
      const here = await ground.process()
      const events = run(here.thread(), { model: scripted() })
      expect(await ground.during(events)).toEqual({ status: 'nothing' })
      await here.thread().submit('Ask.')
      expect(await ground.during(run(here.thread(), { model: scripted([['ask']]), tools }))).toEqual({
        status: 'parked',
        turn: 1,
      })
      expect(await ground.during(run(here.thread(), { model: scripted(), tools }))).toEqual({ status: 'nothing' })
    })

    test('[B170] a listener that fails harms no turn, and its error comes out at the end', async () => {
      const { thread } = await submitted('Look.')
      const model = scripted([['look']], 'Seen.')
      const onEvent = ({ kind }: RunEvent) => {
        throw new Error(`no screen for ${kind}`)
      }
      await expect(ground.during(run(thread, { model, tools, onEvent }))).rejects.toThrow('no screen for turn-start')
      expect(await thread.status()).toMatchObject({ state: 'idle', last: { turn: 1, status: 'done' } })
      expect(said(await thread.messages())).toEqual(['Look.', 'a cat'])
    })

    test('[B171] the model is asked with all that it may need', async () => {
      const { thread } = await submitted('Look.')
      const requests: ModelRequest[] = []
      const model = (request: ModelRequest) => {
        requests.push(request)
        return requests.length === 1 ? calls(['look']) : says('Seen.')
      }
      await ground.during(run(thread, { model, tools }))
      expect(requests).toMatchObject([
        { thread: 't', turn: 1, step: 0, messages: [{ content: 'Look.' }], signal: { aborted: false } },
        { thread: 't', turn: 1, step: 1, messages: [{}, {}, { content: 'a cat' }], signal: { aborted: false } },
      ])
    })

    test('[B172] it waits for another owner as long as it may', async () => {
      const { here, thread } = await submitted('Hello')
      const other = await ground.process()
      const turn = await taken(thread)
      expect(await ground.during(run(other.thread(), { model: scripted() }))).toEqual({ status: 'nothing' })
      const waiting = run(other.thread(), { model: scripted('Yes?'), waitMs: 3_600_000 })
      await ground.pass(ground.soonMs)
      await here.thread().submit('Hello?')
      await turn.record(says('Hi.'))
      expect(await ground.during(waiting)).toEqual({ status: 'done', turn: 2 })
    })

    test('[B173] responses may come in another wire than the thread is read in', async () => {
      const { thread } = await submitted('Look.')
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' }
      const use = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
      const model = ({ step }: ModelRequest) =>
        step === 0
          ? { ...message, content: [use], stop_reason: 'tool_use' }
          : { ...message, content: [{ type: 'text', text: 'Seen.' }], stop_reason: 'end_turn' }
      expect(await ground.during(run(thread, { model, tools, format: 'anthropic' }))).toEqual({
        status: 'done',
        turn: 1,
      })
      expect(said(await thread.messages())).toEqual(['Look.', 'a cat'])
    })

    test('[B174] several runs of one thread at once do each thing once', async () => {
      const processes = await Promise.all([ground.process(), ground.process()])
      for (const text of ['one', 'two', 'three']) await processes[0].thread().submit(text)
      const asked: unknown[] = []
      const model = ({ messages }: ModelRequest) => {
        asked.push(said(messages).at(-1))
        return says('Well.')
      }
      const runs = [...processes, ...processes].map(process => run(process.thread(), { model, waitMs: 3_600_000 }))
      await ground.during(Promise.all(runs))
      expect(asked).toEqual(['one', 'two', 'three'])
      expect(await kindsOf(processes[0])).not.toContain('turn-resume')
    })

    test('[B176] a thread tells whoever listens what this process takes in, and one that fails harms no write', async () => {
      const here = await ground.process()
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

    test('[B175] a tool that a run does not have is no reason to fail: the model is told, and goes on', async () => {
      const { thread } = await submitted('Look.')
      const model = scripted([['look'], ['see']], 'Seen.')
      expect(await ground.during(run(thread, { model, tools }))).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[1]).slice(1)).toEqual([
        'a cat',
        'There is no tool named see. Known tools: look, ask, buy.',
      ])
    })
  })
}

async function readAll(running: Run): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of running) events.push(event)
  return events
}
