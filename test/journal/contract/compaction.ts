import { describe, expect, test } from 'vitest'
import type { RunCompaction, SummaryRequest } from '../../../src/journal/compaction/run-compaction.ts'
import { run } from '../../../src/journal/run.ts'
import type { RunEvent } from '../../../src/journal/run-event.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import { entriesOf, type Fixture, kindsOf } from './fixture.ts'
import { calls, says, scripted } from './model.ts'
import type { Process } from './process.ts'
import { taken } from './turn.ts'

/** A summary is shown instead of what it covers, and the log keeps everything. */
export function checkCompaction(fixture: Fixture): void {
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

  describe('compaction', () => {
    test('[B450] a summary is one entry, and every process shows it instead of what it covers', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      await talk(thread, 'Tell me about one', 'One is the first.')
      await talk(thread, 'And two?', 'Two is the second.')
      await other.thread().messages()
      const before = await entriesOf(here)
      const seen: unknown[] = []
      const summary = (messages: unknown[]) => {
        seen.push(...words(messages))
        return 'One was told.'
      }
      const compaction = await thread.compact({ summary, keepTurns: 1 })
      expect(seen).toEqual(['Tell me about one', 'One is the first.'])
      expect(await entriesOf(here)).toMatchObject([
        ...before,
        { kind: 'history-compact', upTo: compaction?.upTo, summary: 'One was told.', seq: compaction?.seq },
      ])
      const shown = [expect.stringMatching(/^\[summary\].*\n\nOne was told\.$/), 'And two?', 'Two is the second.']
      for (const process of [here, other, await fixture.process()]) {
        expect(words(await process.thread().messages())).toEqual(shown)
        expect(words(await process.thread().messages({ for: 'anthropic' })).at(-1)).toBe('Two is the second.')
      }
      await talk(other.thread(), 'And three?', 'Three is the third.')
      expect(words(await thread.messages())).toEqual([...shown, 'And three?', 'Three is the third.'])
      // A second summary covers the first.
      await thread.compact({ summary: { role: 'assistant', content: 'All was told.' } })
      expect(words(await other.thread().messages())).toEqual([expect.stringContaining('All was told.')])
      expect(await thread.compact({ summary: 'Again.' })).toBeUndefined()
      await talk(thread, 'Thanks', 'You are welcome.')
      expect(words(await thread.messages())).toHaveLength(3)
    })

    test('[B451] a summary is undone by a later entry, and then the one before it counts', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await talk(thread, 'Tell me about one', 'One is the first.')
      await thread.compact({ summary: 'One.' })
      await talk(thread, 'And two?', 'Two is the second.')
      await thread.compact({ summary: 'Both.' })
      expect(await thread.expand()).toEqual({ isExpanded: true })
      expect(words(await thread.messages())).toEqual([
        expect.stringContaining('One.'),
        'And two?',
        'Two is the second.',
      ])
      expect(await thread.expand()).toEqual({ isExpanded: true })
      expect(words(await (await fixture.process()).thread().messages())).toHaveLength(4)
      expect(await thread.expand()).toEqual({ isExpanded: false })
      expect((await kindsOf(here)).filter(kind => kind.startsWith('history-'))).toEqual([
        ...['history-compact', 'history-compact', 'history-expand', 'history-expand'],
      ])
    })

    test('[B452] no summary ends where a call is open, or covers what the model has not answered', async () => {
      const here = await fixture.process()
      const thread = here.thread({ graceMs: 0 })
      await talk(thread, 'Tell me about one', 'One is the first.')
      const { length: first } = await entriesOf(here)
      await thread.submit('Look at this, please')
      const turn = await taken(thread)
      const asked = (await entriesOf(here)).length
      expect(await refused(() => thread.compact({ summary: 'S.', upTo: asked }), here)).toMatchObject({
        code: 'unsafe-cut',
      })
      const [call] = await turn.record(calls(['look']))
      const made = (await entriesOf(here)).length
      expect(await refused(() => thread.compact({ summary: 'S.', upTo: made }), here)).toMatchObject({
        code: 'open-calls',
      })
      await turn.settle(call, 'a cat')
      for (const upTo of [made, (await entriesOf(here)).length])
        expect(await refused(() => thread.compact({ summary: 'S.', upTo }), here)).toMatchObject({
          code: upTo === made ? 'open-calls' : 'unsafe-cut',
        })
      // What came before the running step can be covered, and the step goes on.
      expect(await thread.compact({ summary: 'One was told.', keepTurns: 1 })).toMatchObject({
        upTo: expect.any(Number),
      })
      expect(first).toBeGreaterThan(0)
      await turn.record(says('It is a cat.'))
      expect(words(await thread.messages())).toEqual([
        ...[expect.stringContaining('One was told.'), 'Look at this, please', null, 'a cat', 'It is a cat.'],
      ])
    })

    test('[B452] a turn that ended with results is covered with them', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await thread.submit('Look at this, please')
      const turn = await taken(thread)
      const [one, other] = await turn.record(calls(['look'], ['look']))
      await turn.settle(one, 'a cat')
      await turn.settle(other, 'a dog')
      await turn.finish('failed', new Error('down'))
      await talk(thread, 'Well?', 'Both.')
      for (const [keepTurns, count] of [
        [2, 6],
        [1, 3],
        [0, 1],
      ] as const) {
        await thread.compact({ summary: wordsOf, keepTurns })
        expect(words(await thread.messages())).toHaveLength(count)
        expect(JSON.stringify(await thread.messages())).toMatch(/a cat.*a dog/)
      }
      for (const keepTurns of [-1, 1.5, Number.NaN])
        expect(await refused(() => thread.compact({ summary: 'S', keepTurns }), here)).toMatchObject({
          code: 'wrong-number',
        })
    })

    test('[B452] a step whose result may still come late is not covered', async () => {
      const here = await fixture.process()
      const thread = here.thread({ graceMs: 0 })
      await talk(thread, 'Tell me about one', 'One is the first.')
      await thread.submit('Look at this, please')
      const turn = await taken(thread)
      const [call] = await turn.record(calls(['look']))
      await turn.start(call)
      await turn.finish('failed', new Error('down'))
      await thread.compact({ summary: 'One was told.' })
      await thread.settle(call.id, 'a cat')
      expect(words(await thread.messages())).toEqual([...[expect.stringContaining('One was told.'), null, 'a cat']])
    })

    test('[B453] a summary that is empty, has calls, is longer than what it covers, or was not written changes nothing', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await talk(thread, 'Hi', 'Ho')
      const error = new Error('the model is down')
      const fails = () => {
        throw error
      }
      const calling = { role: 'assistant', content: 'S', tool_calls: [toolCall] }
      for (const summary of ['', '  ', calling, [calling], 'This is longer than that.', 7, undefined, null])
        expect(
          await refused(() => thread.compact({ summary: summary as string }), here),
          String(summary),
        ).toMatchObject({
          code: 'invalid-summary',
        })
      expect(await refused(() => thread.compact({ summary: fails }), here)).toBe(error)
      expect(await refused(() => thread.compact({ summary: async () => fails() }), here)).toBe(error)
      for (const upTo of [0, -1, 1.5, 99])
        expect(await refused(() => thread.compact({ summary: 'S', upTo }), here)).toMatchObject({
          code: 'wrong-number',
        })
      expect(words(await thread.messages())).toEqual(['Hi', 'Ho'])
    })

    test('[B454] a branch has the summaries that were written before it, and no others', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      const thread = here.thread()
      const { seq } = await thread.submit('Tell me about one')
      await fixture.during(run(thread, { model: scripted('One is the first.') }))
      await talk(thread, 'And two?', 'Two is the second.')
      await thread.compact({ summary: 'One was told.', keepTurns: 1 })
      await thread.fork()
      await thread.edit(seq, 'Tell me about three')
      await fixture.during(run(thread, { model: scripted('Three is the third.') }))
      expect(words(await other.thread().messages())).toEqual(['Tell me about three', 'Three is the third.'])
      for (const branch of [1, 2])
        expect(words(await other.thread().messages({ branch }))).toEqual([
          ...[expect.stringContaining('One was told.'), 'And two?', 'Two is the second.'],
        ])
      // The summary is of the branch that was the current one when it was begun.
      const summary = async (): Promise<string> => {
        await other.thread().switch(1)
        return 'S.'
      }
      expect(await thread.compact({ summary }).catch(({ code }) => code)).toBe('branch-changed')
    })

    test('[B456] a run summarizes what is too long before it asks the model, and keeps the last turns', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      const long = 'So it goes on. '.repeat(40)
      const seen: unknown[][] = []
      const summarize = ({ messages, turn, thread }: SummaryRequest) => {
        seen.push([turn, thread, ...words(messages)])
        return { role: 'assistant', content: 'It went on.' }
      }
      const model = scripted(long, 'Two.', 'Three.', 'Four.')
      const compact = { atTokens: 120, summarize }
      for (const text of ['one', 'two', 'three', 'four']) {
        await thread.submit(text)
        await fixture.during(run(thread, { model, compact }))
      }
      // Two turns stay: in the second turn there is nothing to summarize yet, and in the fourth it is short.
      expect(seen).toEqual([[3, thread.name, 'one', long]])
      const summary = expect.stringContaining('It went on.')
      expect(model.asked.map(words)).toEqual([
        ['one'],
        ['one', long, 'two'],
        [summary, 'two', 'Two.', 'three'],
        [summary, 'two', 'Two.', 'three', 'Three.', 'four'],
      ])
      const run0 = () => run(thread, { model, compact: { atTokens: 0, summarize } })
      expect(await refused(async () => run0(), here)).toMatchObject({ code: 'wrong-number' })
    })

    test('[B457] a run goes on with the whole history if it cannot be summarized, and tries once in a turn', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      let count = 0
      const summarize = () => {
        count++
        if (count === 1) throw new Error('the model is down')
        return count === 2 ? '' : 'S'
      }
      const compact = { atTokens: 1, summarize, keepTurns: 1 }
      const events: RunEvent[] = []
      const tools = { look: { execute: () => 'a cat' } }
      await talk(thread, 'one', 'One.')
      for (const text of ['two', 'three', 'four']) {
        await thread.submit(text)
        const model = scripted([['look']], [['look']], 'Done.')
        await fixture.during(run(thread, { model, tools, compact, onEvent: event => events.push(event) }))
      }
      expect(events.filter(({ kind }) => kind === 'compaction-failed')).toMatchObject([
        { turn: 2, error: { message: 'the model is down' } },
        { turn: 3, error: { code: 'invalid-summary' } },
      ])
      expect(count).toBe(3)
      expect(words(await thread.messages())[0]).toMatch(/^\[summary\].*\n\nS$/)
      expect((await kindsOf(here)).filter(kind => kind === 'history-compact')).toHaveLength(1)
    })

    /** A thread with a long turn, and a model that rejects more than so many characters. */
    const tooLong = async (charactersMax: number) => {
      const here = await fixture.process()
      const thread = here.journal.thread('t', { for: 'openai' })
      const asked: unknown[][] = []
      const events: RunEvent[] = []
      const model = ({ messages }: { messages: never[] }): unknown => {
        asked.push([...messages])
        const tokens = Math.round(JSON.stringify(messages).length / 4)
        if (4 * tokens <= charactersMax) return says('Read.')
        const message = `400 This model's maximum context length is ${charactersMax / 4} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
        throw Object.assign(new Error(message), { status: 400 })
      }
      const tools = { look: { execute: () => 'a cat '.repeat(2_000) } }
      await thread.submit('Look.')
      await fixture.during(run(thread, { model: scripted([['look']], 'It is a cat.'), tools }))
      await thread.submit('And?')
      const go = async (compact: RunCompaction) =>
        fixture.during(run(thread, { model, tools, compact, onEvent: event => events.push(event) }))
      const failures = () => events.filter(({ kind }) => kind === 'compaction-failed')
      const compactions = async () => (await kindsOf(here)).filter(kind => kind === 'history-compact').length
      return { thread, asked, failures, compactions, go }
    }

    test('[B602] a rejection as too long leads to one summary, and the model is asked once more', async () => {
      const { asked, failures, compactions, go } = await tooLong(8_000)
      const summarize = ({ messages }: SummaryRequest) => `A cat, in ${messages.length} messages.`
      expect(await go({ summarize, keepTurns: 1 })).toEqual({ status: 'done', turn: 2 })
      expect(asked.map(messages => messages.length)).toEqual([5, 2])
      expect(words(asked[1])).toEqual([expect.stringContaining('A cat, in 4 messages.'), 'And?'])
      expect(failures()).toEqual([])
      expect(await compactions()).toBe(1)
    })

    test('[B602] it is asked once more and not again, also if what is left is still too long', async () => {
      const { asked, compactions, go } = await tooLong(40)
      let count = 0
      const summarize = () => `Summary ${++count}.`
      await expect(go({ summarize, keepTurns: 1 })).rejects.toThrow('maximum context length')
      expect(asked).toHaveLength(2)
      expect([count, await compactions()]).toEqual([1, 1])
    })

    test('[B603] if the history cannot be summarized after a rejection it stays as it was, and old results are cleared', async () => {
      const { thread, asked, failures, compactions, go } = await tooLong(8_000)
      const whole = await thread.messages()
      const summarize = () => {
        throw new Error('the model is down')
      }
      expect(await go({ summarize, keepTurns: 1 })).toEqual({ status: 'done', turn: 2 })
      expect(asked).toHaveLength(2)
      expect(failures()).toMatchObject([{ turn: 2, error: { message: 'the model is down' } }])
      expect(await compactions()).toBe(0)
      expect((await thread.messages()).slice(0, whole.length)).toEqual(whole)
    })

    test('[B603] if there is nothing to summarize after a rejection, since both turns are kept, old results are cleared', async () => {
      const { asked, failures, compactions, go } = await tooLong(8_000)
      const summarize = () => expect.fail('nothing can be summarized')
      expect(await go({ summarize })).toEqual({ status: 'done', turn: 2 })
      expect([asked.length, failures().length, await compactions()]).toEqual([2, 0, 0])
    })

    test('[B455] of summaries from several processes at once the history has one', async () => {
      const processes = [await fixture.process(), await fixture.process(), await fixture.process()]
      const [here] = processes
      await talk(here.thread(), 'Tell me about one', 'One is the first.')
      const all = await Promise.allSettled(
        processes.map(process => process.thread().compact({ summary: async () => 'One was told.' })),
      )
      const kinds = await kindsOf(here)
      expect(kinds.filter(kind => kind === 'history-compact')).toHaveLength(1)
      const done = all.map(result => (result.status === 'rejected' ? result.reason.code : (result.value ?? 'nothing')))
      expect(done.filter(result => typeof result === 'object')).toHaveLength(1)
      expect(done.filter(result => result !== 'unsafe-cut' && result !== 'nothing')).toHaveLength(1)
    })
  })
}

const wordsOf = (messages: unknown[]): string => (JSON.stringify(messages).match(/a cat|a dog/g) ?? []).join(' ')

const toolCall = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }

const words = (messages: readonly unknown[]): unknown[] =>
  messages.map(message => (message as { content: unknown }).content)
