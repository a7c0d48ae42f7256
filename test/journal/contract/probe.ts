import { describe, expect, test } from 'vitest'
import { run } from '../../../src/journal/run.ts'
import type { Tool } from '../../../src/journal/tool.ts'
import { type Fixture, kindsOf } from './fixture.ts'
import { calls, forever, scripted } from './model.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'

/** What became of a call is looked up. */
export function checkProbe(fixture: Fixture): void {
  /** A call that was started by a process that crashed, and what the next one makes of it. */
  const crashed = async (probe: Tool['probe'] | undefined) => {
    const [here, other] = [await fixture.process(), await fixture.process()]
    await here.thread().submit('Pay.')
    const turn = await taken(here.thread({ leaseMs: fixture.soonMs }))
    const [call] = await turn.record(calls(['pay', { eur: 5 }]))
    await turn.start(call)
    here.pause()
    await fixture.pass(2 * fixture.soonMs)
    const ran: unknown[] = []
    const pay: Tool = {
      ...{ replay: 'probe', ...(probe && { probe }) },
      execute: (input: never, { key }) => {
        ran.push({ input, key })
        return 'paid'
      },
    }
    const model = scripted('Done.')
    const go = (process = other, more: Partial<Tool> = {}) =>
      fixture.during(run(process.thread(), { model, tools: { pay: { ...pay, ...more } } }))
    return { other, call, ran, model, go }
  }

  describe('probe', () => {
    test('[B470] a call that was running during a crash is looked up, and is not run again if it was done', async () => {
      const asked: unknown[] = []
      const { call, ran, model, go } = await crashed((input, { key, callId, signal }) => {
        asked.push({ input, key, callId, isAborted: signal.aborted })
        return { done: { receipt: 7 } }
      })
      expect(await go()).toEqual({ status: 'done', turn: 1 })
      expect(asked).toEqual([{ input: { eur: 5 }, key: call.id, callId: call.id, isAborted: false }])
      expect(ran).toEqual([])
      expect(said(model.asked[0])).toEqual(['Pay.', '{"receipt":7}'])
    })

    test('[B471] it runs again with the same key if it was not done', async () => {
      const { other, call, ran, model, go } = await crashed(async () => ({ notDone: true }))
      expect(await go()).toEqual({ status: 'done', turn: 1 })
      expect(ran).toEqual([{ input: { eur: 5 }, key: call.id }])
      expect(said(model.asked[0])).toEqual(['Pay.', 'paid'])
      expect((await kindsOf(other)).filter(kind => kind === 'call-start')).toHaveLength(1)
    })

    test.each<[string, Tool['probe'] | undefined, string]>([
      ['the probe does not know', () => undefined, ''],
      ['the probe fails', () => Promise.reject(new Error('the bank is closed')), ' Reason: the bank is closed'],
      ['there is no probe', undefined, ''],
    ])('[B472] its outcome is unknown if %s', async (_, probe, reason) => {
      const { ran, model, go } = await crashed(probe)
      expect(await go()).toEqual({ status: 'done', turn: 1 })
      expect(ran).toEqual([])
      expect(said(model.asked[0])).toEqual([
        'Pay.',
        `[no result] No result of this call was recorded. Whether it ran is not known.${reason}`,
      ])
    })

    test('[B473] a call that was not interrupted by a crash is not looked up', async () => {
      const here = await fixture.process()
      await here.thread().submit('Pay.')
      const pay: Tool = {
        ...{ replay: 'probe', execute: () => 'paid' },
        probe: () => {
          throw new Error('it was asked')
        },
      }
      const model = scripted([['pay']], 'Done.')
      await fixture.during(run(here.thread(), { model, tools: { pay } }))
      expect(said(model.asked[1])).toEqual(['Pay.', 'paid'])
    })

    test('[B474] a process that crashes while it looks up leaves the look-up to the next one', async () => {
      let asked = 0
      const { other, ran, model, go } = await crashed(() => (++asked === 1 ? forever : { done: 'paid before' }))
      const third = await fixture.process()
      const pay: Tool = {
        replay: 'probe',
        execute: () => ran.push('again'),
        probe: () => (++asked === 1 ? forever : undefined),
      }
      void run(other.thread({ leaseMs: fixture.soonMs }), { model: scripted(), tools: { pay } }).catch(() => {})
      await fixture.until(() => asked === 1)
      other.pause()
      await fixture.pass(2 * fixture.soonMs)
      expect(await go(third)).toEqual({ status: 'done', turn: 1 })
      expect(asked).toBe(2)
      expect(ran).toEqual([])
      expect(said(model.asked[0])).toEqual(['Pay.', 'paid before'])
    })

    test('[B474] a look-up that does not end in time, or until an interruption, runs nothing', async () => {
      let answer = (_: { notDone: true }): void => {}
      const late = new Promise<{ notDone: true }>(resolve => {
        answer = resolve
      })
      const { other, ran, model, go } = await crashed(() => late)
      expect(await go(other, { timeoutMs: 20 })).toEqual({ status: 'done', turn: 1 })
      answer({ notDone: true })
      await fixture.pass(50)
      expect(ran).toEqual([])
      expect(said(model.asked[0])).toEqual(['Pay.', expect.stringContaining('[no result]')])
    })
  })
}
