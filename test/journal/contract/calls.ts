import { describe, expect, test, vi } from 'vitest'
import { run } from '../../../src/journal/run.ts'
import type { Tool } from '../../../src/journal/tool.ts'
import type { ToolContext } from '../../../src/journal/tool-run.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { later } from './later.ts'
import { type Asked, calls, forever, says, scripted } from './model.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'

/** Every call is run as its tool allows, and gets one result. */
export function checkCalls(fixture: Fixture): void {
  const begun = async (...asked: Asked[]) => {
    const [here, other] = [await fixture.process(), await fixture.process()]
    await here.thread().submit('Look.')
    const turn = await taken(here.thread({ leaseMs: 100 * fixture.soonMs }))
    return { here, other, thread: here.thread(), turn, made: await turn.record(calls(...asked)) }
  }

  describe('calls', () => {
    test('[B60] the start of a call is in the journal before its tool runs', async () => {
      const { other, turn, made } = await begun(['look'])
      const seen = await turn.perform(made[0], async () => (await kindsOf(other)).join(' '))
      expect(seen.content).toBe('input-submit turn-start input-admit response-record call-start')
      await turn.finish()
    })

    test('[B61] a tool gets its arguments, its signal and its own key', async () => {
      const here = await fixture.process()
      await here.thread().submit('Look.')
      const seen: [unknown, ToolContext][] = []
      const look: Tool & { what: string } = {
        what: 'a cat',
        execute(input, context) {
          seen.push([input, context])
          return this.what
        },
      }
      const model = scripted(
        [
          ['look', { at: 1 }],
          ['look', { at: 2 }],
          ['look', ''],
        ],
        'Seen.',
      )
      await fixture.during(run(here.thread(), { model, tools: { look } }))
      expect(seen.map(([input]) => input)).toEqual([{ at: 1 }, { at: 2 }, {}])
      expect(new Set(seen.map(([, { key }]) => key)).size).toBe(3)
      for (const [, { key, callId, signal }] of seen)
        expect({ key, isSignal: signal instanceof AbortSignal, isAborted: signal.aborted }).toEqual({
          ...{ key: callId, isSignal: true, isAborted: false },
        })
      expect(said(model.asked[1])).toEqual(['Look.', 'a cat', 'a cat', 'a cat'])
    })

    test('[B62] results are in the order of their calls, whichever arrives first', async () => {
      const { turn, made } = await begun(['look'], ['look'], ['look'])
      const done = made.map(() => later<string>())
      const work = made.map((call, index) => turn.perform(call, () => done[index].promise))
      for (const index of [2, 0, 1]) {
        done[index].keep(`cat ${index}`)
        await fixture.during(work[index])
      }
      expect(said(turn.messages)).toEqual(['Look.', 'cat 0', 'cat 1', 'cat 2'])
      await turn.finish()
    })

    test('[B63] whatever a tool does, its call gets a result, and the model is called again', async () => {
      const here = await fixture.process()
      const tools: Record<string, Tool> = {}
      for (const [name, { tool }] of Object.entries(oddTools)) tools[name] = tool(fixture)
      const names = Object.keys(oddTools)
      const thread = here.thread({ outputBytesMax: 1_000 })
      await thread.submit('Look.')
      const model = scripted(
        names.map((name): Asked => [name]),
        'Seen.',
      )
      expect(await fixture.during(run(thread, { model, tools }))).toEqual({ status: 'done', turn: 1 })
      const settled = those(await entriesOf(here), 'call-settle')
      const outcomes = new Map(settled.map(({ call, outcome }) => [names[call.index], outcome]))
      for (const name of names) expect({ [name]: outcomes.get(name) }).toEqual({ [name]: oddTools[name].outcome })
    })

    test('[B64] output or an error of 20 MB is truncated, and the result says so', async () => {
      const { turn, made } = await begun(['look'], ['look'], ['look'])
      const bytes = 20_000_000
      const outcomes = [
        await turn.perform(made[0], () => 'é'.repeat(bytes / 2)),
        await turn.perform(made[1], () => ({ list: Array.from({ length: bytes / 10 }, () => 'a letter') })),
        await turn.perform(made[2], () => {
          throw new Error('x'.repeat(bytes))
        }),
      ]
      expect(outcomes).toMatchObject([{ status: 'done', bytes }, { status: 'done' }, { status: 'error', bytes }])
      for (const { content } of outcomes) {
        expect(String(content).length).toBeLessThan(1_000_200)
        expect(String(content)).toMatch(/\[cut: the output was \d+ bytes long, and these are the first \d+\]$/)
        expect(String(content)).not.toContain('\uFFFD')
      }
      await turn.finish()
    })

    test('[B65] if a call cannot be run, its result says why', async () => {
      const here = await fixture.process()
      await here.thread().submit('Look.')
      const model = scripted(
        [['lok'], ['constructor'], ['look', '{"at": '], ['look', '"cats"'], ['look', '[1]'], ['look', 'null']],
        'Seen.',
      )
      let runs = 0
      const tools = { look: { execute: () => ++runs }, other: {} }
      await fixture.during(run(here.thread(), { model, tools }))
      expect(said(model.asked[1]).slice(1)).toEqual([
        'There is no tool named lok. Known tools: look, other.',
        'There is no tool named constructor. Known tools: look, other.',
        ...Array.from({ length: 4 }, () => 'The arguments are not a JSON object, so the call was not run.'),
      ])
      expect(runs).toBe(0)
    })

    test('[B66] without tools, every call gets the result that there are no tools', async () => {
      const here = await fixture.process()
      await here.thread().submit('Look.')
      const model = scripted([['look']], 'Seen.')
      await fixture.during(run(here.thread(), { model }))
      expect(said(model.asked[1]).at(-1)).toBe('There is no tool named look. There are no tools.')
    })

    test('[B67] a call has one result: of many simultaneous results, from any process, one counts, and the others are told which', async () => {
      const { here, other, turn, made } = await begun(['look'])
      const [call] = made
      await other.thread().status()
      const owners = ['a', 'b', 'c'].map(output => turn.settle(call, output))
      const others = ['d', 'e', 'f'].map(output => other.thread().settle(call.id, output))
      const outcomes = await Promise.all([...owners, ...others])
      const settled = those(await entriesOf(here), 'call-settle')
      expect(settled).toHaveLength(1)
      for (const answer of outcomes) expect('isLate' in answer ? answer.outcome : answer).toEqual(settled[0].outcome)
      const firsts = (await Promise.all(others)).filter(({ isFirst }) => isFirst)
      expect(firsts).toHaveLength(['d', 'e', 'f'].includes(String(settled[0].outcome.content)) ? 1 : 0)
      expect(await other.thread().settle(call.id, 'g')).toEqual({
        ...{ isFirst: false, isLate: false, outcome: settled[0].outcome },
      })
      await turn.finish()
    })

    test('[B68] a call that has a result, or is running, is not run again', async () => {
      const { other, turn, made } = await begun(['look'], ['look'])
      const [settled, running] = made
      await other.thread().settle(settled.id, 'a cat')
      let runs = 0
      expect(await turn.perform(settled, () => ++runs)).toEqual({ status: 'done', content: 'a cat' })
      expect(await turn.start(settled)).toBe(false)
      expect(await turn.start(running)).toBe(true)
      expect(await turn.start(running)).toBe(false)
      expect(await turn.perform(running, () => ++runs)).toMatchObject({ status: 'made-up', state: 'running' })
      expect(runs).toBe(0)
      await turn.settle(running, 'a dog')
      await turn.record(says('Seen.'))
    })

    test('[B216] a running call is not listed as a call to perform, and is run once however often it is performed', async () => {
      const { turn, made } = await begun(['look'], ['see'], ['hear'])
      const [look, see, hear] = made
      const cat = later<string>()
      let runs = 0
      const execute = () => {
        runs++
        return cat.promise
      }
      const work = [turn.perform(look, execute), turn.perform(look, execute)]
      expect(turn.calls).toEqual([see, hear])
      await turn.start(see)
      expect(turn.calls).toEqual([hear])
      work.push(turn.perform(look, execute))
      cat.keep('a cat')
      expect(await fixture.during(Promise.all(work))).toEqual(work.map(() => ({ status: 'done', content: 'a cat' })))
      expect(runs).toBe(1)
      await turn.finish()
    })

    test('[B216] so is one that a crash broke off, and that may run again', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Look.')
      const turn = await taken(here.thread({ leaseMs: 4 * fixture.soonMs }))
      const made = await turn.record(calls(['look']))
      await turn.start(made[0])
      here.pause()
      await fixture.pass(4 * fixture.soonMs)
      const next = await taken(other.thread(), { waitMs: 3_600_000, isSafe: () => true })
      const [call] = next.calls
      expect(call).toMatchObject({ id: made[0].id, again: true })
      expect(await Promise.all([next.start(call), next.start(call)])).toEqual([true, false])
      expect(next.calls).toEqual([])
      await next.settle(call, 'a cat')
      await next.record(says('Seen.'))
    })

    test('[B69] a result that arrives from outside while the tool runs is the result of the call', async () => {
      const { other, turn, made } = await begun(['look'])
      const done = later<string>()
      const work = turn.perform(made[0], () => done.promise)
      await fixture.until(async () => (await kindsOf(other)).includes('call-start'))
      expect(await other.thread().settle(made[0].id, 'a cat')).toMatchObject({ isFirst: true, isLate: false })
      done.keep('a dog')
      expect(await fixture.during(work)).toEqual({ status: 'done', content: 'a cat' })
      await turn.record(says('Seen.'))
    })

    test('[B70] a call of a tool without `execute` waits until any process submits its result, which needs no lease', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await other.thread().status()
      await here.thread().submit('Look.')
      const tools = { look: {}, see: { execute: () => 'a dog' } }
      const first = scripted([['look', { at: 1 }], ['see'], ['look', { at: 2 }]])
      expect(await fixture.during(run(here.thread(), { model: first, tools }))).toEqual({ status: 'parked', turn: 1 })
      const open = await other.thread().openCalls()
      expect(open).toMatchObject([
        { name: 'look', input: { at: 1 }, parked: { why: 'outside' } },
        { name: 'look', input: { at: 2 }, parked: { why: 'outside' } },
      ])
      expect(await other.thread().settle(open[1].id, { cat: 2 })).toEqual({
        ...{ isFirst: true, isLate: false, outcome: { status: 'done', content: { cat: 2 } } },
      })
      expect(await fixture.during(run(here.thread(), { model: scripted(), tools }))).toEqual({
        status: 'parked',
        turn: 1,
      })
      await other.thread().settle(open[0].id, 'no cat', { error: true })
      const model = scripted('Seen.')
      expect(await fixture.during(run(here.thread(), { model, tools }))).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[0])).toEqual(['Look.', 'no cat', 'a dog', '{"cat":2}'])
    })

    test('[B71] what is asked about a call that does not exist is an error', async () => {
      const { thread, turn, made } = await begun(['look'])
      for (const id of ['call_1', made[0].providerId, `${made[0].id}0`, ''])
        for (const ask of [thread.settle(id, 1), thread.approve(id), thread.deny(id)])
          await expect(ask).rejects.toMatchObject({ code: 'unknown-call' })
      await turn.finish()
    })

    test('[B72] a process that read the thread long ago recognises its newer calls', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const stale = other.thread()
      await stale.status()
      await here.thread().submit('Look.')
      const turn = await taken(here.thread())
      const [first, second, third] = await turn.record(calls(['look'], ['look'], ['look']))
      expect(await stale.settle(first.id, 'a cat')).toMatchObject({ isFirst: true })
      await turn.parkCall(second, 'approval')
      expect(await stale.approve(second.id)).toEqual({ isFirst: true, status: 'approved' })
      expect(await stale.deny(third.id)).toEqual({ isFirst: true, status: 'denied' })
      await turn.perform(second, () => 'a dog')
      await turn.record(says('Seen.'))
    })

    for (const [name, { before, tool, result, runs, inputs = [], staleMs }] of Object.entries(crashes))
      test(`[B73] after a crash: ${name}`, async () => {
        const [here, other] = [await fixture.process(), await fixture.process()]
        await here.thread().submit('Look.')
        const turn = await taken(here.thread({ leaseMs: fixture.soonMs }))
        const [call] = await turn.record(calls(['look']))
        const keys: string[] = []
        const execute = (_: object, { key }: ToolContext) => `run ${keys.push(key)}`
        if (before === 'start') await turn.start(call)
        if (before === 'approve') await turn.parkCall(call, 'approval')
        if (before === 'approve') await other.thread().approve(call.id)
        if (before === 'park') await turn.parkCall(call, 'approval')
        here.pause()
        for (const text of inputs) await other.thread().submit(text)
        await fixture.pass(2 * fixture.soonMs)
        const thread = other.thread(staleMs === undefined ? {} : { staleMs })
        const model = scripted('Seen.')
        const waiting = run(thread, { model, tools: { look: { ...tool, execute } }, waitMs: 3_600_000 })
        const ended = await fixture.during(waiting)
        expect(keys).toEqual(Array.from({ length: runs }, () => call.id))
        if (result === undefined) {
          expect(ended).toEqual({ status: 'parked', turn: 1 })
          expect(await thread.openCalls()).toMatchObject([{ id: call.id }])
        } else {
          expect(ended).toEqual({ status: 'done', turn: 1 })
          expect(said(model.asked[0])).toEqual(['Look.', result, ...inputs])
        }
      })

    test('[B74] a tool with `replay: safe` is run again after a crash, and the first result counts', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Look.')
      const first = later<string>()
      const look = { replay: 'safe', execute: () => first.promise } as const
      const old = run(here.thread({ leaseMs: fixture.soonMs }), { model: scripted([['look']]), tools: { look } })
      old.then(
        () => {},
        () => {},
      )
      await fixture.until(async () => (await kindsOf(other)).includes('call-start'))
      here.pause()
      const second = later<string>()
      const again = { replay: 'safe', execute: () => second.promise } as const
      const model = scripted('Seen.')
      const next = run(other.thread(), { model, tools: { look: again }, waitMs: 3_600_000 })
      await fixture.until(async () => (await kindsOf(other)).includes('turn-resume'))
      first.keep('from the old one')
      await expect(fixture.during(old)).rejects.toMatchObject({ code: 'fenced' })
      expect(await fixture.during(next)).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[0])).toEqual(['Look.', 'from the old one'])
      second.keep('too late')
      expect(those(await entriesOf(other), 'call-start')).toHaveLength(1)
    })

    test('[B75] a call that waits for an external result is not run, and a call that waits for approval is not started', async () => {
      const { turn, made } = await begun(['look'], ['look'])
      await turn.parkCall(made[0], 'outside')
      await turn.parkCall(made[1], 'approval')
      for (const call of made) {
        await expect(turn.start(call)).rejects.toMatchObject({ code: 'not-approved' })
        await expect(turn.perform(call, () => 'ran')).rejects.toMatchObject({ code: 'not-approved' })
      }
      await turn.finish()
    })

    test('[B219] the input of a custom tool is free text, also if it looks like JSON or is empty', async () => {
      const here = await fixture.process()
      const texts = ['print("a cat")', '{"a": 1}', '7', '']
      for (const [name, reading, response, answer] of [
        ['chat', { for: 'openai' }, customCalls(texts), says('Seen.')],
        ['responses', { for: 'openai-responses' }, customItems(texts), saysItem('Seen.')],
      ] as const) {
        const thread = here.thread(reading, name)
        await thread.submit('Look.')
        const inputs: unknown[] = []
        const tools = { look: { execute: (input: unknown) => inputs.push(input) } }
        const replies = [response, answer]
        await fixture.during(run(thread, { model: () => replies.shift(), tools }))
        expect(inputs, name).toEqual(texts)
        expect((await thread.status()).last, name).toEqual({ turn: 1, status: 'done' })
      }
    })

    test('[B220] whatever a tool or an approval check does to its input, the recorded arguments of the model do not change', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread({ for: 'anthropic' })
      await thread.submit('Look.')
      const spoil = (input: { at?: unknown; deep: unknown[] }) => {
        delete input.at
        input.deep.push('more')
        return false
      }
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5' }
      const input = { at: 'cats', deep: [1] }
      const asks = { type: 'tool_use', id: 'toolu_1', name: 'look', input }
      const replies = [
        { ...message, stop_reason: 'tool_use', content: [structuredClone(asks)] },
        { ...message, stop_reason: 'end_turn', content: [{ type: 'text', text: 'Seen.' }] },
      ]
      const tools = { look: { approval: spoil, execute: spoil } }
      await fixture.during(run(thread, { model: () => replies.shift(), tools }))
      for (const reader of [thread, other.thread({ for: 'anthropic' })])
        expect(await reader.messages()).toMatchObject([{}, { content: [asks] }, {}, {}])
    })

    test('[B221] the result of a tool is not lost if the store fails for a moment', async () => {
      const { here, turn, made } = await begun(['look'], ['look'])
      const write = here.store.write.bind(here.store)
      const failing = vi.spyOn(here.store, 'write').mockRejectedValueOnce(new Error('connection reset'))
      expect(await turn.settle(made[0], 'a cat').catch(() => 'refused')).toBe('refused')
      await turn.settle(made[0], 'a cat')
      const isSettle = (entries: readonly { kind: string }[]) => entries.some(({ kind }) => kind === 'call-settle')
      let failures = 0
      failing.mockImplementation(async what => {
        if (isSettle(what.entries) && ++failures === 1) throw new Error('connection reset')
        return write(what)
      })
      let runs = 0
      expect(await turn.perform(made[1], () => ++runs)).toEqual({ status: 'done', content: 1 })
      vi.restoreAllMocks()
      await turn.record(says('Seen.'))
      expect({ runs, failures }).toEqual({ runs: 1, failures: 2 })
    })

    test('[B76] if a tool that was given up ends after all, its result is recorded as a late result', async () => {
      const { other, turn, made } = await begun(['look'])
      const done = later<string>()
      const work = turn.perform(made[0], () => done.promise, { timeoutMs: fixture.soonMs })
      expect(await fixture.during(work)).toMatchObject({ status: 'made-up', state: 'interrupted' })
      done.keep('a cat')
      await fixture.until(async () => (await kindsOf(other)).includes('call-late'))
      expect(said(await other.thread().messages())).toEqual(['Look.', 'a cat'])
      await turn.record(says('Seen.'))
    })
  })
}

const customCalls = (texts: readonly string[]) => {
  const response = calls()
  const made = texts.map((input, index) => ({ id: `call_${index}`, type: 'custom', custom: { name: 'look', input } }))
  const message = { role: 'assistant', content: null, tool_calls: made }
  return { ...response, choices: [{ ...response.choices[0], message }] }
}

const customItems = (texts: readonly string[]) =>
  items(
    ...texts.map((input, index) => ({
      ...{ type: 'custom_tool_call', id: `ctc_${index}`, call_id: `call_${index}`, name: 'look', input },
      status: 'completed',
    })),
  )

const saysItem = (text: string) =>
  items({
    ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
    content: [{ type: 'output_text', text, annotations: [] }],
  })

const items = (...output: object[]) => ({ id: 'resp_1', object: 'response', status: 'completed', output })

interface OddTool {
  tool(fixture: Fixture): Tool
  readonly outcome: unknown
}

const throwing =
  (error: unknown): OddTool['tool'] =>
  () => ({
    execute() {
      throw error
    },
  })

const giving =
  (output: unknown): OddTool['tool'] =>
  () => ({ execute: () => output })

const circular: Record<string, unknown> = {}
circular.self = circular

const failed = (content: unknown) => ({ status: 'error', content })
const done = (content: unknown) => ({ status: 'done', content })
const gaveUp = {
  ...{ status: 'made-up', state: 'interrupted' },
  content: expect.stringMatching(/interrupted.*Reason: no result within \d+ ms/),
}

const oddTools: Record<string, OddTool> = {
  throws: { tool: throwing(new Error('no cats')), outcome: failed('no cats') },
  rejects: { tool: () => ({ execute: () => Promise.reject(new TypeError('no dogs')) }), outcome: failed('no dogs') },
  throws_no_words: { tool: throwing(new RangeError()), outcome: failed('RangeError') },
  throws_text: { tool: throwing('nothing there'), outcome: failed('nothing there') },
  throws_nothing: { tool: throwing(undefined), outcome: failed('undefined') },
  throws_json: { tool: throwing({ code: 7 }), outcome: failed('{"code":7}') },
  throws_circle: { tool: throwing(circular), outcome: failed('[object Object]') },
  throws_mute: {
    tool: throwing(Object.assign(Object.create(null), { self: circular })),
    outcome: failed(expect.any(String)),
  },
  gives_nothing: { tool: giving(undefined), outcome: done('') },
  gives_null: { tool: giving(null), outcome: done(null) },
  gives_json: { tool: giving({ cats: [1, { deep: true }] }), outcome: done({ cats: [1, { deep: true }] }) },
  gives_function: { tool: giving(() => 1), outcome: failed(expect.stringContaining('cannot be written as JSON')) },
  gives_date: { tool: giving(new Date(0)), outcome: done('1970-01-01T00:00:00.000Z') },
  gives_circle: { tool: giving(circular), outcome: failed(expect.stringContaining('cannot be written as JSON')) },
  gives_bigint: { tool: giving({ n: 1n }), outcome: failed(expect.stringContaining('cannot be written as JSON')) },
  gives_half_a_letter: { tool: giving('\ud83d'), outcome: done(expect.any(String)) },
  gives_much: {
    tool: giving('x'.repeat(5_000)),
    outcome: {
      status: 'done',
      content: expect.stringMatching(/^x{1000}\n\[cut: the output was 5000 bytes/),
      bytes: 5_000,
    },
  },
  hangs: { tool: ({ soonMs }) => ({ timeoutMs: soonMs, execute: () => forever }), outcome: gaveUp },
  hears_its_signal: {
    tool: ({ soonMs }) => ({
      timeoutMs: soonMs,
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    }),
    outcome: gaveUp,
  },
  is_in_time: { tool: () => ({ timeoutMs: 3_600_000, execute: () => 'in time' }), outcome: done('in time') },
}

interface Crash {
  /** What had become of the call. */
  readonly before?: 'start' | 'park' | 'approve'
  readonly tool: Tool
  readonly inputs?: string[]
  readonly staleMs?: number
  /** What the model is told; nothing if the call still waits. */
  readonly result?: unknown
  readonly runs: number
}

const notKnown = expect.stringContaining('Whether it ran is not known')
const neverStarted = '[no result] This call was never started.'

const crashes: Record<string, Crash> = {
  'a call that was not started is run': { tool: {}, result: 'run 1', runs: 1 },
  'not if the user has spoken since': { tool: {}, inputs: ['Stop!', 'Now.'], result: neverStarted, runs: 0 },
  'not if it is stale': { tool: {}, staleMs: 1, result: neverStarted, runs: 0 },
  'a call that was started may have run': { before: 'start', tool: {}, result: notKnown, runs: 0 },
  'and is not run again by default': { before: 'start', tool: { replay: 'never' }, result: notKnown, runs: 0 },
  'it is run again if that is safe': { before: 'start', tool: { replay: 'safe' }, result: 'run 1', runs: 1 },
  'a call that waits goes on waiting': { before: 'park', tool: { approval: true }, runs: 0 },
  'a call that was approved is run': { before: 'approve', tool: { approval: true }, result: 'run 1', runs: 1 },
  'a safe call that was approved and started runs without being asked again': {
    ...{ before: 'start', tool: { approval: true, replay: 'safe' }, result: 'run 1', runs: 1 },
  },
}
