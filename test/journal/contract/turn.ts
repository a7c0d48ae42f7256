import { describe, expect, test, vi } from 'vitest'
import type { CallHandle } from '../../../src/journal/call.ts'
import { run } from '../../../src/journal/run.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import type { TurnOptions } from '../../../src/journal/thread-options.ts'
import type { Turn } from '../../../src/journal/turn.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { later } from './later.ts'
import { calls, forever, says, scripted } from './model.ts'
import type { Process } from './process.ts'
import { said } from './said.ts'

/** One owner at a time, for every process, however long one sleeps. */
export function checkTurn(fixture: Fixture): void {
  describe('turn', () => {
    test('[B20] `turn` returns a turn only if there is something to do', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      expect(await thread.turn()).toBeUndefined()
      expect(await thread.turn({ waitMs: fixture.soonMs })).toBeUndefined()
      await thread.submit('Hello')
      const turn = await taken(thread)
      expect({ number: turn.number, open: turn.open, steps: turn.steps, status: turn.status }).toEqual({
        ...{ number: 1, open: true, steps: 0, status: undefined },
      })
      expect(turn.messages).toEqual([{ role: 'user', content: 'Hello' }])
      expect(await turn.record(says('Hi.'))).toEqual([])
      expect({ open: turn.open, status: turn.status }).toEqual({ open: false, status: 'done' })
      expect(await thread.turn()).toBeUndefined()
    })

    test('[B21] of all simultaneous requests, in one process or several, one gets it', async () => {
      const processes = await Promise.all([fixture.process(), fixture.process(), fixture.process()])
      await processes[0].thread().submit('Hello')
      const asked = [...processes, ...processes].map(process => process.thread().turn())
      const turns = (await Promise.all(asked)).filter(turn => turn !== undefined)
      expect(turns).toHaveLength(1)
      expect(await kindsOf(processes[0])).toEqual(['input-submit', 'turn-start', 'input-admit'])
      await turns[0].finish()
    })

    test('[B22] a caller that may wait gets the turn once its owner has released it', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('one')
      await here.thread().submit('two')
      const turn = await taken(here.thread())
      expect(await fixture.during(other.thread().turn({ waitMs: fixture.soonMs }))).toBeUndefined()
      const waiting = other.thread().turn({ waitMs: 60_000 })
      await turn.record(says('1'))
      const next = await fixture.during(waiting)
      expect(next?.number).toBe(2)
      await next?.finish()
    })

    test('[B23] waiting stops when its signal is aborted', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Hello')
      const turn = await taken(here.thread())
      const stop = new AbortController()
      const waiting = other.thread().turn({ waitMs: 3_600_000, signal: stop.signal })
      await fixture.pass(fixture.soonMs)
      stop.abort()
      expect(await waiting).toBeUndefined()
      expect(await other.thread().turn({ signal: stop.signal })).toBeUndefined()
      await turn.finish()
    })

    test('[B24] a live owner keeps its lease', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Hello')
      const turn = await taken(here.thread({ leaseMs: 4 * fixture.soonMs }))
      const { leasedUntil, thread } = await other.store.open('t')
      await fixture.until(async () => (await other.store.get(thread)).leasedUntil > leasedUntil)
      expect(turn.open).toBe(true)
      expect(await other.thread().turn()).toBeUndefined()
      await turn.record(says('Hi.'))
      expect(turn.status).toBe('done')
    })

    test('[B25] when a lease ends, another process takes over the turn, and the old owner is notified', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Hello')
      const old = await taken(here.thread({ leaseMs: fixture.soonMs }))
      here.pause()
      const turn = await fixture.during(other.thread().turn({ waitMs: 3_600_000 }))
      expect(turn?.number).toBe(old.number)
      expect(turn?.epoch).toBe(old.epoch + 1)
      here.resume()
      await fixture.until(() => old.signal.aborted)
      expect(old.signal.reason).toMatchObject({ code: 'fenced' })
      expect(old.open).toBe(false)
      await turn?.record(says('Hi.'))
    })

    test('[B211] an owner that loses its turn while it waits for the model is notified, and every operation reports this with the same error', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Hello')
      const old = await taken(here.thread({ leaseMs: fixture.soonMs }))
      const told = Promise.allSettled([old.record(forever)])
      here.pause()
      const turn = await fixture.during(other.thread().turn({ waitMs: 3_600_000 }))
      here.resume()
      const [recorded] = await fixture.during(told)
      const fenced = {
        ...{ code: 'fenced', message: 'thread t has another owner (epoch 2, this owner had 1)' },
        ...{ hint: expect.stringContaining('stop working'), data: { thread: 't', epoch: 2 } },
      }
      expect(recorded).toMatchObject({ status: 'rejected', reason: fenced })
      expect(old.signal.reason).toMatchObject(fenced)
      await expect(old.admit()).rejects.toMatchObject(fenced)
      await turn?.record(says('Hi.'))
    })

    test('[B215] after one write was refused as fenced, the old owner sends no more requests to the journal', async () => {
      const { here, turns } = await lost(fixture)
      for (const { name, write, old, call } of turns) {
        await expect(old.settle(call, 'a dog'), name).rejects.toMatchObject({ code: 'fenced' })
        const spies = (['write', 'read', 'get'] as const).map(method => vi.spyOn(here.store, method))
        await expect(write(old, call), name).rejects.toMatchObject({ code: 'fenced' })
        await old[Symbol.asyncDispose]()
        for (const spy of spies) expect(spy, name).not.toHaveBeenCalled()
        vi.restoreAllMocks()
      }
    })

    test('[B26] the next write of the old owner is refused, whatever it writes', async () => {
      const { here, turns } = await lost(fixture)
      for (const { name, write, old, call } of turns) {
        const before = await kindsOf(here, name)
        await expect(write(old, call), name).rejects.toMatchObject({ code: 'fenced', data: { thread: name, epoch: 2 } })
        expect(old.open, name).toBe(false)
        await old[Symbol.asyncDispose]()
        expect(await kindsOf(here, name), name).toEqual(before)
      }
    })

    test('[B27] that is so however long it slept: also when the turn is over, and turns later', async () => {
      const { other, turns } = await lost(fixture)
      for (const { name, write, old, call } of turns) {
        const thread = other.thread({}, name)
        await thread.submit('And then?')
        const ended = await fixture.during(run(thread, { model: scripted('Gone.', 'Well.') }))
        expect(ended).toEqual({ status: 'done', turn: 2 })
        const before = await kindsOf(other, name)
        await expect(write(old, call), name).rejects.toMatchObject({ code: 'fenced' })
        expect(await kindsOf(other, name), name).toEqual(before)
      }
    })

    test('[B28] a result from a tool of the old owner is not lost: it is recorded as a late result', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Look.')
      const old = await taken(here.thread({ leaseMs: fixture.soonMs }))
      const [call] = await old.record(calls(['look']))
      const cat = later<string>()
      const work = old.perform(call, () => cat.promise)
      work.catch(() => {})
      await fixture.until(async () => (await kindsOf(here)).includes('call-start'))
      here.pause()
      const turn = await fixture.during(other.thread().turn({ waitMs: 3_600_000 }))
      expect(said(turn?.messages ?? [])).toEqual(['Look.', expect.stringContaining('not known')])
      cat.keep('a cat')
      await expect(work).rejects.toMatchObject({ code: 'fenced' })
      await fixture.until(async () => (await kindsOf(here)).includes('call-late'))
      expect(said(await other.thread().messages())).toEqual(['Look.', 'a cat'])
      await turn?.record(says('Seen.'))
    })

    test('[B29] a turn that has ended stays ended', async () => {
      const here = await fixture.process()
      await here.thread().submit('Look.')
      const turn = await taken(here.thread())
      const [call] = await turn.record(calls(['look']))
      await turn.finish('limit')
      for (const [name, write] of Object.entries(ownersWrites))
        await expect(write(turn, call), name).rejects.toMatchObject({ code: 'turn-over', data: { turn: 1 } })
      expect(turn.status).toBe('limit')
    })

    test('[B30] a turn that is disposed of while it is open has failed, and each of its calls is settled with what is known about it', async () => {
      const here = await fixture.process()
      await here.thread().submit('Look.')
      {
        await using turn = await taken(here.thread())
        const [, second] = await turn.record(calls(['look'], ['look']))
        await turn.start(second)
      }
      const entries = await entriesOf(here)
      expect(those(entries, 'call-settle').map(({ outcome }) => outcome.state)).toEqual(['not-started', 'interrupted'])
      expect(those(entries, 'turn-end')).toMatchObject([{ status: 'failed', error: { name: 'TurnAbandoned' } }])
      await here.thread().submit('Well?')
      expect(await fixture.during(run(here.thread(), { model: scripted('Sorry.') }))).toMatchObject({ status: 'done' })
    })

    test('[B31] a turn that is disposed of while it waits for an approval or an external result is parked', async () => {
      const here = await fixture.process()
      await here.thread().submit('Look.')
      {
        await using turn = await taken(here.thread())
        const [call] = await turn.record(calls(['look']))
        await turn.parkCall(call, 'outside')
        expect({ isOpen: turn.open, isWaiting: turn.isWaiting }).toEqual({ isOpen: false, isWaiting: true })
      }
      expect(await here.thread().status()).toEqual({ state: 'parked', turn: 1, waiting: 0, openCalls: 1 })
      expect((await here.store.open('t')).leasedUntil).toBe(0)
    })

    for (const from of ['here', 'elsewhere'] as const)
      for (const what of ['approve', 'deny', 'settle'] as const)
        test(`[B210] if that approval or result has just arrived, the next owner continues: ${what}, from ${from}`, async () => {
          const [here, other] = [await fixture.process(), await fixture.process()]
          const outside = (from === 'here' ? here : other).thread()
          await here.thread().submit('Look.')
          let id = ''
          {
            await using turn = await taken(here.thread())
            const [call] = await turn.record(calls(['look']))
            id = call.id
            await turn.parkCall(call, what === 'settle' ? 'outside' : 'approval')
            await (what === 'settle' ? outside.settle(id, 'a cat') : outside[what](id))
          }
          expect(await kindsOf(here)).not.toContain('turn-end')
          expect(await here.store.due(9)).toMatchObject([{ name: 't' }])
          const model = scripted('Seen.')
          const tools = { look: { execute: () => 'a cat' } }
          expect(await fixture.during(run(other.thread(), { model, tools }))).toEqual({ status: 'done', turn: 1 })
          const result = what === 'deny' ? expect.stringContaining('denied') : 'a cat'
          expect(said(model.asked[0])).toEqual(['Look.', result])
        })

    test('[B210] if it was interrupted meanwhile, it ends as interrupted', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Look.')
      const turn = await taken(here.thread())
      const [call] = await turn.record(calls(['look']))
      await turn.parkCall(call, 'outside')
      await other.thread().interrupt()
      await turn[Symbol.asyncDispose]()
      expect(turn.status).toBe('interrupted')
    })

    test('[B32] a turn that is handed over is continued by the next owner', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Look.')
      const turn = await taken(here.thread())
      const [call] = await turn.record(calls(['look']))
      await turn.perform(call, () => 'a cat')
      await turn.handOver()
      expect(turn.open).toBe(false)
      const next = await taken(other.thread())
      expect({ number: next.number, steps: next.steps, epoch: next.epoch }).toEqual({ number: 1, steps: 1, epoch: 2 })
      expect(said(next.messages)).toEqual(['Look.', 'a cat'])
      await next.record(says('Seen.'))
      expect(await kindsOf(here)).toEqual([
        ...['input-submit', 'turn-start', 'input-admit', 'response-record', 'call-start', 'call-settle', 'turn-park'],
        ...['turn-resume', 'response-record', 'turn-end'],
      ])
    })

    test.each(['handed to nobody', 'started by hand', 'performed'])(
      '[B212] a turn cannot be handed over while one of its calls is running: %s',
      async how => {
        const here = await fixture.process()
        await here.thread().submit('Look.')
        const turn = await taken(here.thread())
        const [call] = await turn.record(calls(['look']))
        const seen = later<string>()
        if (how === 'handed to nobody') return turn.handOver()
        const work = how === 'performed' ? turn.perform(call, () => seen.promise) : turn.start(call)
        const before = turn.handOver()
        await expect(before).rejects.toMatchObject({ code: 'calls-running', data: { calls: [call.id] } })
        seen.keep('a cat')
        await work
        await turn.settle(call, 'a cat')
        await turn.handOver()
        expect(await here.thread().status()).toMatchObject({ state: 'parked', openCalls: 0 })
      },
    )

    test('[B213] a turn object reports how its turn ended, whichever process ended it and however many turns followed', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await thread.submit('one')
      const done = await taken(thread)
      await done.record(says('1'))
      await thread.submit('two')
      const stopped = await taken(thread)
      await thread.interrupt()
      await fixture.until(() => stopped.status)
      await thread.submit('three')
      const given = await taken(thread)
      await given.handOver()
      for (const text of ['four', 'five']) await thread.submit(text)
      await fixture.during(run(other.thread(), { model: scripted('3', '4', '5') }))
      await thread.status()
      expect([done, stopped, given].map(({ status, isInterrupted }) => ({ status, isInterrupted }))).toEqual([
        { status: 'done', isInterrupted: false },
        { status: 'interrupted', isInterrupted: true },
        { status: 'done', isInterrupted: false },
      ])
    })

    test('[B33] the status reports every state', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      expect(await thread.status()).toEqual({ state: 'idle', waiting: 0, openCalls: 0 })
      await thread.submit('Look.')
      expect(await thread.status()).toEqual({ state: 'waiting', waiting: 1, openCalls: 0 })
      const turn = await taken(thread)
      const [call] = await turn.record(calls(['look'], ['look']))
      expect(await thread.status()).toEqual({ state: 'running', turn: 1, waiting: 0, openCalls: 2 })
      await turn.perform(call, () => 'a cat')
      await thread.submit('And?')
      expect(await thread.status()).toEqual({ state: 'running', turn: 1, waiting: 1, openCalls: 1 })
      await turn.finish('refused')
      expect(await thread.status()).toEqual({
        ...{ state: 'waiting', last: { turn: 1, status: 'refused' }, waiting: 1, openCalls: 0 },
      })
    })

    test('[B35] the loop can be written by hand', async () => {
      const here = await fixture.process()
      const thread = here.thread({ for: 'openai' })
      await thread.submit('Look.')
      const model = scripted([['look'], ['look']], [['look']], 'Seen.')
      const loop = async () => {
        await using turn = await thread.turn()
        if (!turn) return
        while (turn.open) {
          const asked = {
            messages: turn.messages as never[],
            signal: turn.signal,
            thread: 't',
            turn: 1,
            step: turn.steps,
          }
          const made = await turn.record(model(asked), { model: 'gpt-5' })
          await Promise.all(made.map(call => turn.perform(call, ({ key }) => `seen ${key === call.id}`)))
        }
      }
      await fixture.during(loop())
      expect((await thread.status()).last).toEqual({ turn: 1, status: 'done' })
      expect(said(await thread.messages())).toEqual(['Look.', 'seen true', 'seen true', 'seen true'])
    })

    test('[B36] threads are listed in the order in which they were created', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      for (const name of ['b', 'a', 'c']) await here.thread({}, name).submit('Hello')
      const rows = []
      for await (const row of other.journal.threads()) rows.push(row)
      expect(rows).toMatchObject(['b', 'a', 'c'].map(name => ({ name, head: 1, state: 'idle', openCalls: 0 })))
    })

    test('[B34] leases and expiries use the clock of the store, so the clock of a process can be wrong', async () => {
      const hourMs = 3_600_000
      const [early, late] = [await fixture.process(hourMs), await fixture.process(-hourMs)]
      for (const [name, parker, other] of [
        ['parked early', early, late],
        ['parked late', late, early],
      ] as const) {
        const thread = parker.thread({}, name)
        await thread.submit('Buy.')
        const turn = await taken(thread)
        const made = await turn.record(calls(['buy'], ['buy'], ['look']))
        const [yes, slow, look] = made
        await turn.parkCall(yes, 'approval', hourMs / 2)
        await turn.parkCall(slow, 'approval', fixture.soonMs)
        expect(await other.thread({}, name).turn(), name).toBeUndefined()
        expect(await other.thread({}, name).approve(yes.id), name).toEqual({ isFirst: true, status: 'approved' })
        await turn.handOver()
        const next = await taken(other.thread({}, name))
        expect(
          next.calls.map(({ id }) => id),
          name,
        ).toEqual([yes.id, look.id])
        await fixture.pass(2 * fixture.soonMs)
        expect(await other.thread({}, name).approve(slow.id), name).toEqual({ isFirst: false, status: 'expired' })
        await next.finish('failed', new Error('enough'))
      }
    })
  })
}

/** Everything that only the owner of a turn can write. */
const ownersWrites: Record<string, (turn: Turn, call: CallHandle) => Promise<unknown>> = {
  record: turn => turn.record(says('I am back.')),
  start: (turn, call) => turn.start(call),
  perform: (turn, call) => turn.perform(call, () => 'a dog'),
  settle: (turn, call) => turn.settle(call, 'a dog'),
  'park a call': (turn, call) => turn.parkCall(call, 'approval'),
  park: turn => turn.park(),
  'hand over': turn => turn.handOver(),
  finish: turn => turn.finish(),
  fail: turn => turn.fail(new Error('I am back.')),
  admit: turn => turn.admit(),
}

interface LostTurn {
  readonly name: string
  readonly write: (turn: Turn, call: CallHandle) => Promise<unknown>
  readonly old: Turn
  readonly call: CallHandle
}

/** An owner that slept until another process took its turns, of which each has a call that was started. */
async function lost(fixture: Fixture): Promise<{ here: Process; other: Process; turns: LostTurn[] }> {
  const [here, other] = [await fixture.process(), await fixture.process()]
  const turns: LostTurn[] = []
  for (const [name, write] of Object.entries(ownersWrites)) {
    await here.thread({}, name).submit('Look.')
    const old = await taken(here.thread({ leaseMs: fixture.soonMs }, name))
    const [call] = await old.record(calls(['look']))
    await old.start(call)
    turns.push({ name, write, old, call })
  }
  here.pause()
  for (const { name } of turns) {
    const turn = await fixture.during(other.thread({}, name).turn({ waitMs: 3_600_000 }))
    await turn?.handOver()
  }
  return { here, other, turns }
}

/** A turn that must be there. */
export async function taken(thread: Thread, options: TurnOptions = {}): Promise<Turn> {
  const turn = await thread.turn(options)
  if (!turn) throw new Error('there is no turn')
  return turn
}
