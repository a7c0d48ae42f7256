import { describe, expect, test } from 'vitest'
import type { ModelFunction, ModelOptions } from '../../../src/journal/ask-models.ts'
import { run } from '../../../src/journal/run.ts'
import type { RunEvent } from '../../../src/journal/run-event.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { chunks, says, scripted, scriptedFor, stream } from './model.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'

/** An error as SDKs throw it. */
const failure = (status: number, message = `${status} failed`): Error => Object.assign(new Error(message), { status })

/** Words that break off, with an error or without one. */
const cut = (error?: Error, ...words: string[]) => {
  const pieces = chunks(words, ['pay', { eur: 5 }]).slice(0, -1)
  return () => stream(pieces, error)
}

/** If one model fails there is another. */
export function checkFallback(fixture: Fixture): void {
  const submitted = async () => {
    const here = await fixture.process()
    await here.thread().submit('Hello.')
    const events: RunEvent[] = []
    const onEvent = (event: RunEvent) => events.push(event)
    const go = (options: ModelOptions) =>
      fixture.during(run(here.thread(), { ...options, onEvent, tools: { pay: { execute: () => 'paid' } } }))
    const failed = () => events.flatMap(event => (event.kind === 'model-failed' ? [event.error.message] : []))
    return { here, go, events, failed }
  }

  /** Every word of the assistant in the history. */
  const answers = (messages: readonly unknown[]): unknown[] =>
    (messages as { role: string; content: unknown }[]).flatMap(({ role, content }) =>
      role === 'assistant' ? [content] : [],
    )

  const overloads: [string, Error][] = [
    ['overloaded', failure(529)],
    ['unavailable', failure(503)],
    ['rate limit', failure(429)],
    ['wrapped', new Error('Failed after 3 attempts', { cause: failure(503) })],
    ['words', new Error('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')],
    [
      'unreachable',
      new TypeError('fetch failed', { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }),
    ],
    ['SDK', Object.assign(new Error('Connection error.'), { name: 'APIConnectionError' })],
  ]

  describe('several models', () => {
    test.each(overloads)('[B488] a model that cannot answer now is followed by the next one: %s', async (_, error) => {
      const { here, go, failed } = await submitted()
      const [first, second] = [scripted(error), scripted('Hi.')]
      expect(await go({ models: [first, second] })).toEqual({ status: 'done', turn: 1 })
      expect(second.asked).toEqual(first.asked)
      expect(failed()).toEqual([error.message])
      expect(await kindsOf(here)).toEqual(['input-submit', 'turn-start', 'input-admit', 'response-record', 'turn-end'])
    })

    test('[B488] so is one whose stream fails before its first word', async () => {
      const { here, go, events } = await submitted()
      const second = scripted('Hi.')
      expect(await go({ models: [scripted(() => stream([], failure(529))), second] })).toMatchObject({ status: 'done' })
      expect(second.asked).toHaveLength(1)
      expect(those(await entriesOf(here), 'response-record')).toHaveLength(1)
      expect(events.map(({ kind }) => kind)).not.toContain('response-retract')
    })

    test.each([
      ['a wrong key', failure(401)],
      ['a malformed request', failure(400)],
      ['a mistake of the caller', new Error('model is not defined')],
    ])('[B488] any other error fails the turn after one request: %s', async (_, error) => {
      const { here, go, failed } = await submitted()
      const second = scripted('Hi.')
      await expect(go({ models: [scripted(error), second], onCut: 'retry' })).rejects.toBe(error)
      expect(second.asked).toEqual([])
      expect(failed()).toEqual([])
      expect((await here.thread().status()).last).toMatchObject({ status: 'failed' })
    })

    test.each([undefined, failure(529)])(
      '[B489] what was said before an answer broke off is recorded, and the next model continues it: %o',
      async error => {
        const { here, go, events } = await submitted()
        const second = scripted('world.')
        const result = await go({ models: [scripted(cut(error, 'Hello, ', 'wide ')), second], onCut: 'continue' })
        expect(result).toEqual({ status: 'done', turn: 1 })
        expect(answers(second.asked[0])).toEqual(['Hello, wide '])
        const responses = those(await entriesOf(here), 'response-record')
        expect(responses.map(({ finish }) => finish)).toEqual(['cut', 'stop'])
        expect(responses[0].calls).toEqual([])
        expect(await kindsOf(here)).not.toContain('call-start')
        expect(events.map(({ kind }) => kind)).not.toContain('response-retract')
        expect(answers(await here.thread().messages()).join('')).toBe('Hello, wide world.')
      },
    )

    test.each(['anthropic', 'mistral', 'gemini'] as const)(
      '[B489] %s accepts what is to be continued',
      async dialect => {
        const here = await fixture.process()
        await here.thread().submit('Hello.')
        const second = scriptedFor(dialect, () => says('world.'))
        const models: ModelOptions['models'] = [scripted(cut(undefined, 'Hello, ')), { model: second, for: dialect }]
        const result = run(here.thread(), { models, onCut: 'continue' })
        expect(await fixture.during(result)).toEqual({ status: 'done', turn: 1 })
        // Some providers accept no space at the end.
        expect(JSON.stringify(second.asked[0])).toContain('Hello,')
      },
    )

    test('[B489] another process continues it if the first one crashes in between', async () => {
      const [here, other] = [await fixture.process(), await fixture.process()]
      await here.thread().submit('Hello.')
      const turn = await taken(here.thread({ leaseMs: fixture.soonMs }))
      expect(await turn.ask(cut(undefined, 'Hello, '), { onCut: 'continue' })).toEqual([])
      expect(turn.open).toBe(true)
      here.pause()
      await fixture.pass(2 * fixture.soonMs)
      const model = scripted('world.')
      expect(await fixture.during(run(other.thread(), { model }))).toEqual({ status: 'done', turn: 1 })
      expect(answers(model.asked[0])).toEqual(['Hello, '])
    })

    test('[B490] what was said before an answer broke off is retracted, and the next model is asked anew', async () => {
      const { here, go, events, failed } = await submitted()
      const [first, second] = [scripted(cut(failure(400, 'gone'), 'Hello, ')), scripted('Hi.')]
      expect(await go({ models: [first, second], onCut: 'retry' })).toEqual({ status: 'done', turn: 1 })
      expect(second.asked).toEqual(first.asked)
      expect(failed()).toEqual(['gone'])
      const kinds = events.map(({ kind }) => kind)
      expect(kinds.indexOf('response-retract')).toBeGreaterThan(kinds.lastIndexOf('delta'))
      expect(kinds.filter(kind => kind === 'response-retract')).toHaveLength(1)
      expect(those(await entriesOf(here), 'response-record')).toMatchObject([{ finish: 'stop' }])
    })

    test('[B491] by default an answer that breaks off fails the turn, and its text is kept', async () => {
      const { here, go } = await submitted()
      const second = scripted('Hi.')
      await expect(go({ models: [scripted(cut(failure(529), 'Hello, ')), second] })).rejects.toMatchObject({
        status: 529,
      })
      expect(second.asked).toEqual([])
      expect(answers(await here.thread().messages())).toEqual(['Hello, '])
    })

    test.each<[ModelOptions, number]>([
      [{}, 2],
      [{ attempts: 5 }, 5],
      [{ attempts: 1 }, 1],
    ])('[B492] the attempts for one response are bounded: %o', async (options, count) => {
      const { go, failed } = await submitted()
      const asked: string[] = []
      const model = (name: string) => (): never => {
        asked.push(name)
        throw failure(503, `${asked.length}`)
      }
      await expect(go({ models: [model('a'), model('b')], ...options })).rejects.toThrow(`${count}`)
      expect(asked).toEqual(['a', 'b', 'a', 'b', 'a'].slice(0, count))
      expect(failed()).toHaveLength(count - 1)
    })

    test.each(['continue', 'retry'] as const)(
      '[B492] one model that breaks off again and again is asked twice, and its last text is kept: %s',
      async onCut => {
        const { here, go } = await submitted()
        const model = scripted(cut(undefined, 'one '), cut(undefined, 'two '), 'three')
        await expect(go({ model, onCut })).rejects.toMatchObject({ code: 'stream-cut' })
        expect(model.asked).toHaveLength(2)
        expect(answers(await here.thread().messages())).toEqual(onCut === 'continue' ? ['one ', 'two '] : ['two '])
        await here.thread().submit('Once more.')
        const again = scripted('Fine.')
        expect(await go({ model: again, onCut })).toEqual({ status: 'done', turn: 2 })
        expect(said(again.asked[0])).toEqual(['Hello.', 'Once more.'])
      },
    )

    test('[B493] a model of another provider gets the messages as that provider requires them', async () => {
      const { here, go } = await submitted()
      const answer = { ...anthropic, content: [{ type: 'text', text: 'Hi.' }] }
      const second = scriptedFor('anthropic', () => answer)
      const models = [
        scripted(failure(529)),
        { model: second as ModelFunction, for: 'anthropic', name: 'claude-x' } as const,
      ]
      expect(await go({ models })).toEqual({ status: 'done', turn: 1 })
      expect(second.asked[0]).toEqual([{ role: 'user', content: 'Hello.' }])
      expect(those(await entriesOf(here), 'response-record')).toMatchObject([
        { format: 'anthropic', dialect: 'anthropic', asked: 'claude-x' },
      ])
      await here.thread().submit('And now?')
      const third = scripted('Fine.')
      await go({ model: third })
      expect(answers(third.asked[0])).toEqual(['Hi.'])
    })

    test('[B494] after an interruption no other model is asked', async () => {
      const { here, go } = await submitted()
      const second = scripted('Hi.')
      const first = async (): Promise<never> => {
        await here.thread().interrupt('enough')
        throw failure(529)
      }
      expect(await go({ models: [first, second], onCut: 'retry' })).toEqual({ status: 'interrupted', turn: 1 })
      expect(second.asked).toEqual([])
    })

    test('[B495] a run without a model does not start, and neither does a worker', async () => {
      const { here, go } = await submitted()
      await expect(go({})).rejects.toMatchObject({ code: 'wrong-option' })
      await expect(go({ models: [] })).rejects.toMatchObject({ code: 'wrong-option' })
      await expect(go({ model: scripted('Hi.'), attempts: 0 })).rejects.toMatchObject({ code: 'wrong-number' })
      expect(() => here.journal.work({ thread: { for: 'openai' } })).toThrow(/model is missing/)
      expect(await kindsOf(here)).toEqual(['input-submit'])
    })
  })
}

const anthropic = {
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-x', stop_reason: 'end_turn' },
  usage: { input_tokens: 1, output_tokens: 1 },
}
