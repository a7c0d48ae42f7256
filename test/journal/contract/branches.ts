import { describe, expect, test } from 'vitest'
import type { Entry } from '../../../src/journal/entry.ts'
import { run } from '../../../src/journal/run.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { calls, forever, says, scripted } from './model.ts'
import type { Process } from './process.ts'
import { taken } from './turn.ts'

/** A thread is a tree: branches share what was said before they part, and nothing after it. */
export function checkBranches(fixture: Fixture): void {
  /** The user says something and the model answers. */
  const talk = async (thread: Thread, words: string, answer: string): Promise<void> => {
    await thread.submit(words)
    await fixture.during(run(thread, { model: scripted(answer) }))
  }

  const refused = async (work: () => Promise<unknown>, here: Process): Promise<unknown> => {
    const before = await entriesOf(here)
    const error = await work().then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(await entriesOf(here)).toEqual(before)
    return error
  }

  describe('branches', () => {
    test('[B430] a branch begins with the history at its fork, and branches share nothing after that', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await talk(thread, 'one', '1')
      const { length: at } = await entriesOf(here)
      await talk(thread, 'two', '2')
      expect(await other.thread().fork({ at })).toMatchObject({ branch: 2, from: 1, at, isCurrent: false })
      expect(words(await thread.messages())).toEqual(['one', '1', 'two', '2'])
      expect(await other.thread().switch(2)).toEqual({ isPending: false })
      expect(words(await thread.messages())).toEqual(['one', '1'])
      await talk(thread, 'three', '3')
      await talk(other.thread(), 'four', '4')
      await thread.fork()
      await thread.switch(3)
      await talk(thread, 'five', '5')
      const histories = [
        ['one', '1', 'two', '2'],
        ['one', '1', 'three', '3', 'four', '4'],
        ['one', '1', 'three', '3', 'four', '4', 'five', '5'],
      ]
      for (const process of [here, other, await fixture.process()]) {
        for (const [index, history] of histories.entries())
          expect(words(await process.thread().messages({ branch: index + 1 }))).toEqual(history)
        expect(words(await process.thread().messages())).toEqual(histories[2])
        expect(words(await process.thread().messages({ for: 'anthropic', branch: 1 }))).toHaveLength(4)
        expect(await process.thread().branches()).toMatchObject([
          { branch: 1, isCurrent: false },
          { branch: 2, from: 1, at, isCurrent: false },
          { branch: 3, from: 2, isCurrent: true },
        ])
        expect(await process.thread().status()).toMatchObject({ state: 'idle', branch: 3 })
      }
    })

    test('[B431] a fork and a switch are one entry each, and a thread without them has the main branch', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      expect(await thread.branches()).toEqual([{ branch: 1, isCurrent: true }])
      await talk(thread, 'one', '1')
      const { length } = await entriesOf(here)
      expect(await thread.switch(1)).toEqual({ isPending: false })
      await thread.fork()
      await thread.switch(2)
      await thread.switch(2)
      await thread.switch(1)
      expect((await kindsOf(here)).slice(length)).toEqual(['branch-fork', 'branch-switch', 'branch-switch'])
    })

    test('[B432] a turn that runs is not disturbed by a fork', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await talk(thread, 'one', '1')
      await thread.submit('two')
      const turn = await taken(thread)
      const [call] = await turn.record(calls(['look']))
      await other.thread().fork({ at: (await entriesOf(here)).length - 2 })
      expect(await turn.perform(call, () => 'a cat')).toMatchObject({ content: 'a cat' })
      await other.thread().fork()
      await turn.record(says('2'))
      expect(turn.status).toBe('done')
      expect(words(await thread.messages())).toEqual(['one', '1', 'two', null, 'a cat', '2'])
      expect(words(await thread.messages({ branch: 2 }))).toEqual(['one', '1'])
      expect(words(await thread.messages({ branch: 3 }))).toEqual(['one', '1', 'two', null, 'a cat'])
      await thread.switch(3)
      await talk(thread, 'three', '3')
      expect(words(await other.thread().messages())).toEqual(['one', '1', 'two', null, 'a cat', 'three', '3'])
    })

    test('[B433] no branch begins while a call is open, unless the caller drops the call there', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await thread.submit('one')
      const turn = await taken(thread)
      const [done, open] = await turn.record(calls(['look', {}, 'call_a'], ['look', {}, 'call_b']))
      await turn.perform(done, () => 'a cat')
      const { length: at } = await entriesOf(here)
      expect(await refused(() => other.thread().fork(), here)).toMatchObject({
        ...{ code: 'open-calls', hint: expect.stringContaining("'drop'"), data: { calls: [open.id] } },
      })
      await other.thread().fork({ openCalls: 'drop' })
      await turn.perform(open, () => 'a dog')
      await turn.record(says('1'))
      // The position counts, and not the time of the fork.
      expect(await refused(() => other.thread().fork({ at }), here)).toMatchObject({ code: 'open-calls' })
      await other.thread().fork({ at, openCalls: 'drop' })
      const dropped = expect.stringContaining('not carried over')
      expect(words(await thread.messages())).toEqual(['one', null, 'a cat', 'a dog', '1'])
      for (const branch of [2, 3])
        expect(words(await thread.messages({ branch }))).toEqual(['one', null, 'a cat', dropped])
      await thread.switch(2)
      expect(await thread.openCalls()).toEqual([])
      expect(await thread.settle(open.id, 'a cow')).toMatchObject({ isFirst: false, outcome: { content: 'a dog' } })
      await talk(thread, 'two', '2')
      expect(words(await other.thread().messages())).toEqual(['one', null, 'a cat', dropped, 'two', '2'])
      expect(those(await entriesOf(here), 'call-settle')).toHaveLength(2)
      // A fork of such a branch begins with the placeholder, too.
      await thread.fork()
      expect(words(await thread.messages({ branch: 4 }))).toEqual(['one', null, 'a cat', dropped, 'two', '2'])
    })

    test('[B434] a switch waits for the end of the turn that it interrupts, and is refused otherwise', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread({ graceMs: 0 })
      await talk(thread, 'one', '1')
      await thread.fork()
      await thread.submit('two')
      const turn = await taken(thread)
      const [call] = await turn.record(calls(['look']))
      const work = turn.perform(call, () => forever)
      await fixture.until(async () => (await kindsOf(here)).at(-1) === 'call-start')
      expect(await refused(() => other.thread().switch(2), here)).toMatchObject({ code: 'thread-busy' })
      await other.thread().submit('three')
      expect(await other.thread().switch(2, { whenBusy: 'interrupt' })).toEqual({ isPending: true })
      expect(await other.thread().switch(2, { whenBusy: 'interrupt' })).toEqual({ isPending: true })
      await fixture.during(work)
      await fixture.until(() => turn.status)
      expect(turn.status).toBe('interrupted')
      expect(await thread.status()).toMatchObject({ state: 'waiting', branch: 2 })
      const worker = other.journal.work({ model: scripted('3'), thread: { for: 'openai' }, pollMs: 10 })
      await fixture.until(async () => (await thread.status()).state === 'idle')
      await fixture.during(worker.stop())
      expect(words(await thread.messages())).toEqual(['one', '1', 'three', '3'])
      expect(words(await thread.messages({ branch: 1 })).slice(0, 4)).toEqual(['one', '1', 'two', null])
    })

    test('[B434] the next owner completes a switch whose turn has lost its owner, and a parked turn ends at once', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const options = { leaseMs: fixture.soonMs }
      await talk(here.thread(), 'one', '1')
      await here.thread().fork()
      await here.thread().submit('two')
      await taken(here.thread(options))
      here.pause()
      await other.thread().switch(2, { whenBusy: 'interrupt' })
      await other.thread().submit('three')
      await fixture.during(run(other.thread(), { model: scripted('3'), waitMs: 60_000 }))
      expect(words(await other.thread().messages())).toEqual(['one', '1', 'three', '3'])
      await other.thread().submit('four')
      await fixture.during(run(other.thread(), { model: scripted([['ask']]), tools: { ask: {} } }))
      expect(await other.thread().switch(1, { whenBusy: 'interrupt' })).toEqual({ isPending: false })
      expect((await kindsOf(other)).slice(-4)).toEqual(['turn-interrupt', 'call-settle', 'turn-end', 'branch-switch'])
      expect(words(await other.thread().messages())).toEqual(['one', '1', 'two'])
      expect((await other.store.find('t'))?.dueAt).toBeUndefined()
    })

    test('[B435] a switch that waits is taken back by a switch to the current branch', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread({ graceMs: 0 })
      await talk(thread, 'one', '1')
      await thread.fork()
      await thread.submit('two')
      const turn = await taken(thread)
      await other.thread().switch(2, { whenBusy: 'interrupt' })
      expect(await other.thread().switch(1)).toEqual({ isPending: false })
      await fixture.until(() => turn.status)
      expect(await other.thread().status()).toMatchObject({ state: 'idle', branch: 1 })
    })

    test('[B436] a late result replaces its placeholder until a model has gone on, on any branch', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread({ lateResults: 'tell' })
      await thread.submit('one')
      const turn = await taken(thread)
      const handles = await turn.record(calls(['look', {}, 'call_a'], ['look', {}, 'call_b']))
      await turn.finish('limit')
      await other.thread().fork()
      await other.thread().fork({ at: 0 })
      const [first, second] = handles
      await other.thread().settle(first.id, 'a cat')
      const placeholder = expect.stringContaining('never started')
      for (const branch of [1, 2])
        expect(words(await thread.messages({ branch }))).toEqual(['one', null, 'a cat', placeholder])
      await thread.switch(2)
      await talk(thread, 'two', '2')
      await other.thread().settle(second.id, 'a dog')
      expect(words(await thread.messages({ branch: 1 }))).toEqual(['one', null, 'a cat', placeholder])
      expect(await thread.notes()).toMatchObject([{ callId: second.id, told: false }])
      // Each branch that has the call is told once, and the one that has not is never told.
      const told = expect.stringContaining('a dog')
      for (const branch of [2, 1, 3, 2, 1]) {
        await thread.switch(branch)
        await talk(thread, 'go on', 'well')
      }
      const [a, b, c] = await Promise.all(
        [1, 2, 3].map(async branch => words(await other.thread().messages({ branch }))),
      )
      expect(a).toEqual(['one', null, 'a cat', placeholder, told, 'go on', 'well', 'go on', 'well'])
      expect(b).toEqual(['one', null, 'a cat', placeholder, 'two', '2', told, 'go on', 'well', 'go on', 'well'])
      expect(c).toEqual(['go on', 'well'])
      expect(await other.thread().notes()).toMatchObject([{ callId: second.id, told: true }])
    })

    test('[B437] input that waits joins the branch that is current when the next turn begins, once', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await talk(thread, 'one', '1')
      const before = await thread.submit('two', { key: 'k' })
      await thread.fork()
      await thread.switch(2)
      expect(await other.thread().submit('two', { key: 'k' })).toEqual(before)
      expect(await thread.status()).toMatchObject({ state: 'waiting', waiting: 1 })
      await fixture.during(run(thread, { model: scripted('2') }))
      await thread.switch(1)
      expect(await thread.status()).toMatchObject({ state: 'idle', waiting: 0 })
      expect(words(await thread.messages())).toEqual(['one', '1'])
      expect(words(await thread.messages({ branch: 2 }))).toEqual(['one', '1', 'two', '2'])
    })

    test('[B438] a branch or a position that does not exist is refused, and nothing is written', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await talk(thread, 'one', '1')
      const { length } = await entriesOf(here)
      for (const branch of [0, 2, 1.5, -1, Number.NaN, '1' as unknown as number]) {
        const unknown = { code: 'unknown-branch', hint: expect.stringContaining('1') }
        expect(await refused(() => thread.switch(branch), here)).toMatchObject(unknown)
        expect(await refused(() => thread.fork({ branch }), here)).toMatchObject(unknown)
        expect(await refused(() => thread.messages({ branch }), here)).toMatchObject(unknown)
        expect(await refused(() => thread.watch({ branch }).next(), here)).toMatchObject(unknown)
      }
      for (const at of [-1, length + 1, 0.5, Number.NaN, '1' as unknown as number])
        expect(await refused(() => thread.fork({ at }), here)).toMatchObject({ code: 'wrong-number' })
    })

    test('[B439] `watch` yields the entries of one branch, before and while they are written', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await talk(thread, 'one', '1')
      const shared = await entriesOf(here)
      await talk(thread, 'two', '2')
      await thread.fork({ at: shared.length })
      await thread.switch(2)
      await talk(thread, 'three', '3')
      const stop = new AbortController()
      const seen: Entry[] = []
      const watching = (async () => {
        for await (const entry of other.thread().watch({ branch: 2, signal: stop.signal })) seen.push(entry)
      })()
      await thread.switch(1)
      await talk(thread, 'four', '4')
      await thread.switch(2)
      await talk(thread, 'five', '5')
      const isThere = (): boolean => those(seen, 'response-record').length === 3
      await fixture.until(isThere)
      stop.abort()
      await watching
      expect(those(seen, 'input-submit').map(({ content }) => content)).toEqual(['one', 'two', 'three', 'four', 'five'])
      expect(words(those(seen, 'response-record').flatMap(({ messages }) => messages))).toEqual(['1', '3', '5'])
      expect(seen.slice(0, shared.length)).toEqual(shared)
    })

    test('[B443] an edited input takes the place of the old one on a new branch, which becomes the current one', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await talk(thread, 'one', '1')
      const { seq } = await thread.submit('two')
      await fixture.during(run(thread, { model: scripted('2') }))
      await talk(thread, 'three', '3')
      const receipt = await other.thread().edit(seq, 'TWO', { key: 'k' })
      expect(await thread.status()).toMatchObject({ state: 'waiting', waiting: 1, branch: 2 })
      // The answer was lost, so it is asked again.
      expect(await thread.edit(seq, 'TWO', { key: 'k' })).toEqual(receipt)
      expect(await refused(() => thread.edit(seq, 'Two', { key: 'k' }), here)).toMatchObject({ code: 'key-taken' })
      await fixture.during(run(thread, { model: scripted('II') }))
      expect(words(await other.thread().messages())).toEqual(['one', '1', 'TWO', 'II'])
      expect(words(await thread.messages({ branch: 1 }))).toEqual(['one', '1', 'two', '2', 'three', '3'])
      // The old version can be edited once more, and so can the new one.
      await thread.edit(seq, 'zwei')
      await fixture.during(run(thread, { model: scripted('ii') }))
      await other.thread().edit(receipt.seq, 'deux')
      await fixture.during(run(thread, { model: scripted('deuxième') }))
      expect(words(await thread.messages())).toEqual(['one', '1', 'deux', 'deuxième'])
      const inputs = those(await entriesOf(here), 'input-submit').filter(({ replaces }) => replaces !== undefined)
      expect(inputs.map(({ replaces, branch }) => [replaces, branch])).toEqual([
        ...[
          [seq, 2],
          [seq, 3],
          [receipt.seq, 4],
        ],
      ])
    })

    test('[B444] the last input can be answered again, on a new branch, as often as one likes', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await talk(thread, 'one', '1')
      await thread.submit('two')
      await fixture.during(
        run(thread, { model: scripted([['look']], '2'), tools: { look: { execute: () => 'a cat' } } }),
      )
      for (const answer of ['II', 'ii']) {
        await other.thread().regenerate()
        // It was not answered yet, so there is nothing to do again.
        await thread.regenerate()
        expect(await thread.status()).toMatchObject({ state: 'waiting', waiting: 1 })
        await fixture.during(run(thread, { model: scripted(answer) }))
        expect(words(await other.thread().messages())).toEqual(['one', '1', 'two', answer])
      }
      expect(words(await thread.messages({ branch: 1 }))).toEqual(['one', '1', 'two', null, 'a cat', '2'])
      expect(await thread.branches()).toHaveLength(3)
    })

    test('[B444] an earlier input can be answered again, and those that were said together with it before', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await thread.submit('one')
      const { seq } = await thread.submit('and', { whenBusy: 'steer' })
      await thread.submit('two', { whenBusy: 'steer' })
      await fixture.during(run(thread, { model: scripted('12') }))
      await talk(thread, 'three', '3')
      await thread.regenerate({ input: seq })
      await fixture.during(run(thread, { model: scripted('1') }))
      expect(words(await thread.messages())).toEqual(['one', 'and', '1'])
      // It is on two branches now. The current one is the one that is left.
      await thread.regenerate({ input: seq })
      await fixture.during(run(thread, { model: scripted('I') }))
      expect(words(await thread.messages())).toEqual(['one', 'and', 'I'])
      expect(words(await thread.messages({ branch: 2 }))).toEqual(['one', 'and', '1'])
      expect(await refused(() => thread.regenerate({ input: 99 }), here)).toMatchObject({ code: 'unknown-input' })
    })

    test('[B448] of the same edit or regeneration from several processes one is carried out', async () => {
      const processes = [await fixture.process(), await fixture.process(), await fixture.process()]
      const [here] = processes
      const thread = here.thread()
      const { seq } = await thread.submit('one')
      await fixture.during(run(thread, { model: scripted('1') }))
      const counted = async (work: (thread: Thread) => Promise<unknown>): Promise<unknown[]> => {
        const all = await Promise.allSettled(processes.map(process => work(process.thread())))
        return all.map(({ status, ...result }) => ('reason' in result ? result.reason.code : status)).toSorted()
      }
      const once = ['branch-changed', 'branch-changed', 'fulfilled']
      expect(await counted(thread => thread.edit(seq, 'uno', { ifCurrent: 1 }))).toEqual(once)
      await fixture.during(run(thread, { model: scripted('2') }))
      expect(await counted(thread => thread.regenerate({ ifCurrent: 2 }))).toEqual(once)
      await fixture.during(run(thread, { model: scripted('3') }))
      expect(words(await thread.messages())).toEqual(['uno', '3'])
      expect(await refused(() => thread.regenerate({ ifCurrent: 2 }), here)).toMatchObject({
        code: 'branch-changed',
        data: { branch: 3 },
      })
      expect(await thread.branches()).toHaveLength(3)
    })

    test('[B445] an edit or another answer interrupts the turn that runs, and the turn that waits', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread({ graceMs: 0 })
      const { seq } = await thread.submit('one')
      const turn = await taken(thread)
      const [call] = await turn.record(calls(['look']))
      const work = turn.perform(call, () => forever)
      await fixture.until(async () => (await kindsOf(here)).at(-1) === 'call-start')
      await thread.submit('three')
      await other.thread().edit(seq, 'ONE')
      await fixture.during(work)
      await fixture.until(() => turn.status)
      expect(turn.status).toBe('interrupted')
      // What waited before still waits, after the edited input.
      await fixture.during(run(other.thread(), { model: scripted('I', '3') }))
      expect(words(await other.thread().messages())).toEqual(['ONE', 'I', 'three', '3'])
      expect(words(await thread.messages({ branch: 1 })).slice(0, 2)).toEqual(['one', null])
      await thread.submit('four')
      await fixture.during(run(thread, { model: scripted([['ask']]), tools: { ask: {} } }))
      expect(await thread.status()).toMatchObject({ state: 'parked' })
      await thread.regenerate()
      expect(await thread.status()).toMatchObject({ state: 'waiting', branch: 3, openCalls: 0 })
      await fixture.during(run(thread, { model: scripted('4') }))
      expect(words(await thread.messages())).toEqual(['ONE', 'I', 'three', '3', 'four', '4'])
    })

    test('[B446] inputs that were said together are said together again', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await thread.submit('one')
      const { seq } = await thread.submit('two', { whenBusy: 'steer' })
      await fixture.during(run(thread, { model: scripted('1') }))
      await thread.regenerate()
      await fixture.during(run(thread, { model: scripted('I') }))
      expect(words(await thread.messages())).toEqual(['one', 'two', 'I'])
      await thread.edit(seq, 'TWO')
      await fixture.during(run(thread, { model: scripted('II') }))
      expect(words(await thread.messages())).toEqual(['one', 'TWO', 'II'])
    })

    test('[B447] an input that was never said cannot be edited, and nothing is written', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      expect(await refused(() => thread.regenerate(), here)).toMatchObject({ code: 'unknown-input' })
      const { seq } = await thread.submit('one')
      for (const input of [seq, 0, 7, Number.NaN, '1' as unknown as number])
        expect(await refused(() => thread.edit(input, 'two'), here)).toMatchObject({ code: 'unknown-input' })
      expect(await refused(() => thread.edit(seq, ''), here)).toMatchObject({ code: 'invalid-input' })
    })
  })
}

/** What everybody said, in order; null for calls. */
const words = (messages: readonly unknown[]): unknown[] =>
  (messages as { content: unknown }[]).map(({ content }) => content)
