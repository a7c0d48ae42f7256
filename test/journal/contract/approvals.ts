import { describe, expect, test } from 'vitest'
import type { ModelFunction } from '../../../src/journal/ask-models.ts'
import { run } from '../../../src/journal/run.ts'
import type { SubmitOptions } from '../../../src/journal/thread-options.ts'
import type { Tool } from '../../../src/journal/tool.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { later } from './later.ts'
import { type Asked, calls, type Reply, says, scripted } from './model.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'

/** A person is asked, for as long as it takes, and what was decided is done. */
export function checkApprovals(fixture: Fixture): void {
  /** A thread that waits for decisions, seen from two processes. */
  const parked = async (tool: Tool = {}, asked: readonly Asked[] = [['buy']]) => {
    const [here, other] = [await fixture.process(), await fixture.process()]
    const ran: string[] = []
    const buy: Tool = {
      ...{ approval: true, ...tool },
      execute: (_, { key }) => {
        ran.push(key)
        return `bought ${key.at(-1)}`
      },
    }
    const patient = { ...buy, expiresMs: 1_000 * fixture.soonMs }
    const tools = { buy, patient, look: { execute: () => 'seen' } }
    await here.thread().submit('Buy.')
    const parks = await fixture.during(run(here.thread(), { model: scripted(asked), tools }))
    expect(parks).toEqual({ status: 'parked', turn: 1 })
    const open = await other.thread().openCalls()
    const go = (model: ModelFunction, process = here) => fixture.during(run(process.thread(), { model, tools }))
    return { here, other, thread: other.thread(), ran, open, ids: open.map(({ id }) => id), go }
  }

  describe('approvals', () => {
    test('[B80] a call that needs approval is not run until any process approves it', async () => {
      const { here, thread, ran, open, go } = await parked({ approval: true })
      expect(open).toMatchObject([{ name: 'buy', isApproved: false, parked: { why: 'approval' } }])
      expect(await go(scripted())).toEqual({ status: 'parked', turn: 1 })
      expect(await thread.approve(open[0].id, 'well then')).toEqual({
        ...{ isFirst: true, status: 'approved', reason: 'well then' },
      })
      expect(await thread.openCalls()).toMatchObject([
        { isApproved: true, decision: { approved: true, reason: 'well then' } },
      ])
      const model = scripted('Done.')
      expect(await go(model)).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[0])).toEqual(['Buy.', 'bought 0'])
      expect(ran).toEqual([open[0].id])
      expect(await kindsOf(here)).toEqual([
        ...['input-submit', 'turn-start', 'input-admit', 'response-record', 'call-park', 'turn-park'],
        ...['call-decide', 'turn-resume', 'call-start', 'call-settle', 'response-record', 'turn-end'],
      ])
    })

    test('[B81] a denied call is not run, and the model is told why', async () => {
      const { thread, ran, ids, go } = await parked()
      expect(await thread.deny(ids[0], 'too dear')).toEqual({ isFirst: true, status: 'denied', reason: 'too dear' })
      const model = scripted('Sorry.')
      expect(await go(model)).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[0])).toEqual([
        'Buy.',
        '[no result] This call was denied and did not run. Reason: too dear',
      ])
      expect(ran).toEqual([])
    })

    test('[B82] the first decision counts, and a second one is told which it was', async () => {
      const { here, thread, ids, go } = await parked({}, [['buy'], ['buy']])
      const [yes, no] = ids
      await thread.approve(yes)
      await thread.deny(no, 'no')
      for (const again of [thread, here.thread()]) {
        expect(await again.deny(yes, 'changed my mind')).toEqual({ isFirst: false, status: 'approved' })
        expect(await again.approve(yes)).toEqual({ isFirst: false, status: 'approved' })
        expect(await again.approve(no)).toEqual({ isFirst: false, status: 'denied', reason: 'no' })
      }
      await go(scripted('Done.'))
      expect(await thread.deny(yes)).toEqual({ isFirst: false, status: 'approved' })
      expect(await thread.approve(no)).toEqual({ isFirst: false, status: 'denied', reason: 'no' })
      expect(those(await entriesOf(here), 'call-decide')).toHaveLength(2)
    })

    test('[B83] of simultaneous contrary decisions, one counts', async () => {
      const { here, other, ids } = await parked()
      const verdicts = await Promise.all([
        ...[here, other].map(process => process.thread().approve(ids[0])),
        ...[here, other].map(process => process.thread().deny(ids[0])),
      ])
      expect(verdicts.filter(({ isFirst }) => isFirst)).toHaveLength(1)
      expect(new Set(verdicts.map(({ status }) => status)).size).toBe(1)
    })

    test('[B84] parallel calls are decided one by one, and each result is placed with its call, however late it arrives', async () => {
      const { thread, ran, ids, go } = await parked({}, [['buy'], ['look'], ['buy'], ['buy']])
      expect(ids).toHaveLength(3)
      await thread.approve(ids[2])
      expect(await go(scripted())).toEqual({ status: 'parked', turn: 1 })
      expect(ran).toEqual([ids[2]])
      await thread.deny(ids[1])
      expect(await go(scripted())).toEqual({ status: 'parked', turn: 1 })
      await fixture.pass(fixture.soonMs)
      await thread.approve(ids[0])
      const model = scripted('Done.')
      expect(await go(model)).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[0])).toEqual(['Buy.', 'bought 0', 'seen', expect.stringContaining('denied'), 'bought 3'])
      expect(ran).toEqual([ids[2], ids[0]])
    })

    test('[B85] whether a call needs approval can depend on its arguments, and a check that throws means yes', async () => {
      const checks: Record<string, Tool['approval']> = {
        yes: true,
        no: false,
        dear: ({ price }: { price: number }) => price > 10,
        later: async ({ price }: { price: number }) => price > 10,
        throws: () => {
          throw new Error('no idea')
        },
        rejects: () => Promise.reject(new Error('no idea')),
        mute: (() => undefined) as never,
      }
      const here = await fixture.process()
      const names = Object.keys(checks)
      const asked = names.flatMap((name): Asked[] => [
        [name, { price: 1 }],
        [name, { price: 99 }],
      ])
      const tools = Object.fromEntries(
        names.map(name => [name, { approval: checks[name], execute: () => name } as Tool]),
      )
      await here.thread().submit('Buy.')
      await fixture.during(run(here.thread(), { model: scripted(asked), tools }))
      const waiting = await here.thread().openCalls()
      expect(waiting.map(({ name, input }) => `${name} ${(input as { price: number }).price}`)).toEqual([
        ...['yes 1', 'yes 99', 'dear 99', 'later 99', 'throws 1', 'throws 99', 'rejects 1', 'rejects 99'],
        ...['mute 1', 'mute 99'],
      ])
    })

    test('[B86] a call that was approved but not yet run survives a crash', async () => {
      const { here, other, thread, ran, ids, go } = await parked()
      await thread.approve(ids[0])
      await taken(here.thread({ leaseMs: fixture.soonMs }))
      here.pause()
      await fixture.pass(2 * fixture.soonMs)
      expect(await go(scripted('Done.'), other)).toEqual({ status: 'done', turn: 1 })
      expect(ran).toEqual(ids)
    })

    test('[B87] a call that is not decided in time is denied as expired', async () => {
      const { here, thread, ran, ids, go } = await parked({ expiresMs: fixture.soonMs })
      const [{ until = 0 }] = those(await entriesOf(here), 'call-park')
      expect(until).toBeGreaterThan(0)
      await fixture.pass(2 * fixture.soonMs)
      const model = scripted('Sorry.')
      expect(await go(model)).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[0])).toEqual([
        'Buy.',
        '[no result] This call waited for an approval that expired. It did not run.',
      ])
      expect(ran).toEqual([])
      for (const verdict of [await thread.approve(ids[0]), await thread.deny(ids[0])])
        expect(verdict).toEqual({ isFirst: false, status: 'expired' })
    })

    test('[B225] a call can wait for a given time or forever; an invalid duration is refused', async () => {
      const here = await fixture.process()
      await here.thread().submit('Buy.')
      const turn = await taken(here.thread())
      const made = await turn.record(calls(['a'], ['b'], ['c'], ['d']))
      for (const expiresMs of [Number.NaN, -1, -Infinity])
        await expect(turn.parkCall(made[0], 'approval', expiresMs)).rejects.toMatchObject({
          ...{ code: 'invalid-expiry', message: expect.stringContaining(`got ${expiresMs}`) },
        })
      for (const [index, expiresMs] of [Infinity, 8.9e15, undefined, 0.5].entries())
        await turn.parkCall(made[index], 'approval', expiresMs)
      const parked = those(await entriesOf(here), 'call-park')
      expect(parked.map(({ until }) => until)).toEqual([undefined, undefined, undefined, expect.any(Number)])
      expect(parked[3].until).toSatisfy(Number.isInteger)
      expect(await turn.park()).toBe(true)
    })

    test('[B88] an approval that arrives after the expiry does not count, even if the expiry has not been recorded yet', async () => {
      const { thread, ran, ids, go } = await parked({ expiresMs: fixture.soonMs })
      await fixture.pass(2 * fixture.soonMs)
      expect(await thread.approve(ids[0])).toEqual({ isFirst: false, status: 'expired' })
      expect(await go(scripted('Sorry.'))).toEqual({ status: 'done', turn: 1 })
      expect(ran).toEqual([])
    })

    test('[B89] of parallel calls, only those whose time is over expire', async () => {
      const { thread, ids, go } = await parked({ expiresMs: fixture.soonMs }, [['buy'], ['patient']])
      await thread.approve(ids[1])
      await fixture.pass(2 * fixture.soonMs)
      const model = scripted('Done.')
      expect(await go(model)).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[0])).toEqual(['Buy.', expect.stringContaining('expired'), 'bought 1'])
    })

    test.each([
      ['steer', 1],
      ['queue', 2],
    ] as const)(
      '[B90] input submitted during an open approval waits until all calls are decided: %s',
      async (whenBusy, turn) => {
        const { thread, ids, go } = await parked()
        await thread.submit('And cheap.', { whenBusy })
        expect(await go(scripted())).toEqual({ status: 'parked', turn: 1 })
        await thread.approve(ids[0])
        const model = scripted('Done.', 'Cheap.')
        expect(await go(model)).toEqual({ status: 'done', turn })
        expect(model.asked).toHaveLength(turn)
        expect(said(model.asked[turn - 1])).toEqual(['Buy.', 'bought 0', 'And cheap.'])
      },
    )

    test.each<SubmitOptions>([{}, { whenBusy: 'steer' }])(
      '[B91] input with `whenApproving: deny` denies the calls and is added at once: %o',
      async options => {
        const { here, thread, ran, ids, go } = await parked({}, [['buy'], ['look'], ['buy']])
        const before = (await kindsOf(here)).length
        await thread.approve(ids[1])
        const receipt = await thread.submit('Never mind.', { ...options, whenApproving: 'deny', key: 'k' })
        const entries = await entriesOf(here)
        expect(entries.slice(before + 1).map(({ kind }) => kind)).toEqual(['call-settle', 'input-submit'])
        expect(receipt.seq).toBe(entries.length)
        expect(await thread.submit('Never mind.', { ...options, whenApproving: 'deny', key: 'k' })).toEqual(receipt)
        const model = scripted('As you like.')
        expect(await go(model)).toEqual({ status: 'done', turn: 1 })
        expect(said(model.asked[0])).toEqual([
          ...['Buy.', expect.stringMatching(/denied.*the user spoke instead/), 'seen', 'bought 2', 'Never mind.'],
        ])
        expect(ran).toEqual([ids[1]])
        expect(await thread.approve(ids[0])).toMatchObject({ isFirst: false, status: 'denied' })
      },
    )

    test.each([
      ['queue', 'never started'],
      ['deny', 'denied'],
    ] as const)('[B92] input can also interrupt the waiting turn: %s', async (whenApproving, reason) => {
      const { here, thread, ran, ids, go } = await parked()
      await thread.submit('Stop.', { whenBusy: 'interrupt', whenApproving })
      const model = scripted('Stopped.')
      expect(await go(model)).toEqual({ status: 'done', turn: 2 })
      expect(those(await entriesOf(here), 'turn-end').map(({ status }) => status)).toEqual(['interrupted', 'done'])
      expect(said(model.asked[0])).toEqual(['Buy.', expect.stringContaining(reason), 'Stop.'])
      expect(ran).toEqual([])
      expect(await thread.approve(ids[0])).toMatchObject({ isFirst: false })
    })

    test('[B93] if no call waits for a decision, input with `whenApproving: deny` is ordinary input', async () => {
      const here = await fixture.process()
      await here.thread().submit('one', { whenApproving: 'deny' })
      await here.thread().submit('two', { whenApproving: 'deny' })
      const model = scripted('1', '2')
      expect(await fixture.during(run(here.thread(), { model }))).toEqual({ status: 'done', turn: 2 })
      expect(await kindsOf(here)).not.toContain('call-settle')
    })

    test('[B94] a decision that arrives while other calls of the step run reaches the process that runs them', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Buy.')
      const seen = later<string>()
      const tools = { buy: { approval: true, execute: () => 'bought' }, look: { execute: () => seen.promise } }
      const model = scripted([['buy'], ['look']], 'Done.')
      const running = run(here.thread(), { model, tools })
      await fixture.until(
        async () => (await kindsOf(other)).filter(kind => /^call-(park|start)$/.test(kind)).length === 2,
      )
      const [{ id }] = await other.thread().openCalls()
      await other.thread().approve(id)
      seen.keep('seen')
      expect(await fixture.during(running)).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[1])).toEqual(['Buy.', 'bought', 'seen'])
      expect(await kindsOf(here)).not.toContain('turn-park')
    })

    test('[B95] a call can be decided before its approval is requested', async () => {
      const here = await fixture.process()
      await here.thread().submit('Buy.')
      const turn = await taken(here.thread())
      const [yes, no] = await turn.record(calls(['buy'], ['buy']))
      expect(await here.thread().approve(yes.id)).toEqual({ isFirst: true, status: 'approved' })
      expect(await here.thread().deny(no.id)).toEqual({ isFirst: true, status: 'denied' })
      await turn.parkCall(yes, 'approval')
      await turn.parkCall(no, 'approval')
      expect(turn.calls).toMatchObject([{ id: yes.id, isApproved: true }])
      await turn.perform(yes, () => 'bought')
      await turn.record(says('Done.'))
      expect(await kindsOf(here)).not.toContain('call-park')
    })

    test('[B96] a call that is running or has a result can no longer be decided', async () => {
      const here = await fixture.process()
      await here.thread().submit('Buy.')
      const turn = await taken(here.thread())
      const [running, settled] = await turn.record(calls(['buy'], ['buy']))
      await turn.start(running)
      await turn.settle(settled, 'bought')
      for (const decide of ['approve', 'deny'] as const) {
        expect(await here.thread()[decide](running.id)).toEqual({ isFirst: false, status: 'started' })
        expect(await here.thread()[decide](settled.id)).toEqual({ isFirst: false, status: 'settled' })
      }
      await turn.finish()
    })

    test('[B97] a call that needs approval and has no `execute` waits twice: for the decision, then for its result', async () => {
      const here = await fixture.process()
      const tools = { sign: { approval: true, expiresMs: 3_600_000 } }
      await here.thread().submit('Sign.')
      const go = (...replies: Reply[]) => fixture.during(run(here.thread(), { model: scripted(...replies), tools }))
      expect(await go([['sign']])).toEqual({ status: 'parked', turn: 1 })
      const [{ id }] = await here.thread().openCalls()
      await here.thread().approve(id)
      expect(await go()).toEqual({ status: 'parked', turn: 1 })
      expect(await here.thread().openCalls()).toMatchObject([{ id, parked: { why: 'outside' } }])
      expect(await go()).toEqual({ status: 'parked', turn: 1 })
      await here.thread().settle(id, 'signed')
      expect(await go('Done.')).toEqual({ status: 'done', turn: 1 })
      expect(said(await here.thread().messages())).toEqual(['Sign.', 'signed'])
    })

    test('[B98] a call that waits for an external result expires, or is replaced by new input, like an approval', async () => {
      const here = await fixture.process()
      const tools = { ask: { expiresMs: fixture.soonMs }, wait: {} }
      const go = (...replies: Reply[]) => fixture.during(run(here.thread(), { model: scripted(...replies), tools }))
      await here.thread().submit('Ask.')
      expect(await go([['ask'], ['wait']])).toEqual({ status: 'parked', turn: 1 })
      await fixture.pass(2 * fixture.soonMs)
      expect(await go()).toEqual({ status: 'parked', turn: 1 })
      expect(await here.thread().openCalls()).toMatchObject([{ name: 'wait' }])
      await here.thread().submit('Never mind.', { whenApproving: 'deny' })
      expect(await go('As you like.')).toEqual({ status: 'done', turn: 1 })
      expect(said(await here.thread().messages())).toEqual([
        ...['Ask.', expect.stringContaining('expired'), expect.stringContaining('not known'), 'Never mind.'],
      ])
    })

    test('[B99] approving a call that waits for an external result does not settle it', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Ask.')
      const tools = { ask: {} }
      await fixture.during(run(here.thread(), { model: scripted([['ask']]), tools }))
      const [{ id }] = await here.thread().openCalls()
      await other.thread().approve(id)
      await fixture.pass(fixture.soonMs)
      await fixture.during(run(here.thread({ staleMs: 1 }), { model: scripted(), tools }))
      expect(await other.thread().openCalls()).toMatchObject([{ id }])
      await other.thread().settle(id, 'Yes.')
      const model = scripted('Done.')
      expect(await fixture.during(run(here.thread(), { model, tools }))).toEqual({ status: 'done', turn: 1 })
      expect(said(model.asked[0])).toEqual(['Ask.', 'Yes.'])
    })
  })
}
