import { describe, expect, test } from 'vitest'
import type { DialectId } from '../../../src/index.ts'
import { run } from '../../../src/journal/run.ts'
import type { Thread } from '../../../src/journal/thread.ts'
import { readers } from '../../strict/readers.ts'
import { refusalOf } from '../invariants/prefixes.ts'
import type { Fixture } from './fixture.ts'
import { later } from './later.ts'
import { calls, type Reply, says, scripted, scriptedFor } from './model.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'

/** The conversation can be read by anybody, at any time, and by its own provider as it was. */
export function checkRender(fixture: Fixture): void {
  describe('messages', () => {
    test('[B180] content from a provider is sent back byte for byte to the same provider and model', async () => {
      const here = await fixture.process()
      const thread = here.thread({ for: 'anthropic', model: 'claude-sonnet-4-5' })
      await thread.submit('Look.')
      const tools = { look: { execute: () => 'a cat' } }
      const model = scriptedFor(
        'anthropic',
        () => thinking,
        () => message([{ type: 'text', text: 'Seen.' }], 'end_turn'),
      )
      await fixture.during(run(thread, { model, tools }))
      const [, answer] = (await (await fixture.process()).thread({ for: 'anthropic' }).messages()) as {
        content: unknown
      }[]
      expect(JSON.stringify(answer.content)).toBe(JSON.stringify(thinking.content))
    })

    test('[B181] other providers get it without reasoning and signatures', async () => {
      const here = await fixture.process()
      const thread = here.thread({ for: 'anthropic', model: 'claude-sonnet-4-5' })
      await thread.submit('Look.')
      const turn = await taken(thread)
      const [call] = await turn.record(thinking)
      await turn.perform(call, () => 'a cat')
      const readings = {
        own: await thread.messages(),
        'its full name': await thread.messages({ model: 'claude-sonnet-4-5-20250929' }),
        'another model': await thread.messages({ model: 'claude-opus-4-5' }),
        'a model whose name begins alike': await thread.messages({ model: 'claude-sonnet-4' }),
        'another date': await thread.messages({ model: 'claude-sonnet-4-5-20261001' }),
        'another provider': await thread.messages({ for: 'bedrock' }),
        'another wire': await thread.messages({ for: 'openai' }),
      }
      const isHeard = Object.entries(readings).map(([name, messages]) => [
        name,
        JSON.stringify(messages).includes('c2lnbmF0dXJl'),
      ])
      expect(Object.fromEntries(isHeard)).toEqual({
        ...{ own: true, 'its full name': true, 'another model': false, 'a model whose name begins alike': false },
        ...{ 'another date': false, 'another provider': false, 'another wire': false },
      })
      for (const messages of Object.values(readings)) expect(JSON.stringify(messages)).toContain('a cat')
      await turn.finish()
    })

    test('[B181] a target with the requested model gets it unchanged, whatever model name the provider returned', async () => {
      const here = await fixture.process()
      const thread = here.thread({ for: 'anthropic', model: 'our-deployment' })
      await thread.submit('Look.')
      const turn = await taken(thread)
      const [call] = await turn.record(thinking)
      await turn.perform(call, () => 'a cat')
      expect(JSON.stringify(await thread.messages())).toContain('c2lnbmF0dXJl')
      expect(JSON.stringify(await thread.messages({ model: 'claude-sonnet-4-5' }))).toContain('c2lnbmF0dXJl')
      expect(JSON.stringify(await thread.messages({ model: 'claude-opus-4-5' }))).not.toContain('c2lnbmF0dXJl')
      await turn.finish()
    })

    test('[B181] a response in another format counts as one of the provider of that format, unless another is named', async () => {
      const here = await fixture.process()
      const thread = here.thread({ for: 'openai' })
      for (const by of [undefined, 'minimax'] as const) {
        await thread.submit('Look.')
        const turn = await taken(thread)
        const [call] = await turn.record(thinking, by && { for: by })
        await turn.settle(call, 'a cat')
        await turn.finish()
      }
      const isHeard = async (dialect: DialectId) =>
        (await thread.messages({ for: dialect, format: 'anthropic' })).map(each =>
          JSON.stringify(each).includes('c2ln'),
        )
      expect((await isHeard('anthropic')).flatMap((heard, index) => (heard ? index : []))).toEqual([1])
      expect((await isHeard('minimax')).flatMap((heard, index) => (heard ? index : []))).toEqual([4])
    })

    test('[B182] open calls have a placeholder that says so, which their results replace', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await thread.submit('Go.')
      const turn = await taken(thread)
      const made = await turn.record(calls(['new'], ['running'], ['asked'], ['outside'], ['approved'], ['settled']))
      const [, running, asked, outside, approved, settled] = made
      const seen = later<string>()
      const work = turn.perform(running, () => seen.promise)
      await turn.parkCall(asked, 'approval')
      await turn.parkCall(outside, 'outside')
      await turn.parkCall(approved, 'approval')
      await thread.approve(approved.id)
      await turn.settle(settled, 'a dog')
      const other = (await fixture.process()).thread()
      await fixture.until(async () => JSON.stringify(await other.messages()).includes('still running'))
      const never = '[no result] This call was never started.'
      const notYet = expect.stringContaining('still running')
      const unknown = expect.stringContaining('Whether it ran is not known')
      expect(said(await other.messages())).toEqual(['Go.', never, notYet, never, unknown, never, 'a dog'])
      seen.keep('a cat')
      await fixture.during(work)
      await other.settle(outside.id, 'a bird')
      expect(said(await other.messages())).toEqual(['Go.', never, 'a cat', never, 'a bird', never, 'a dog'])
      await turn.finish()
    })

    test('[B183] every provider accepts it, also while calls are open in every possible way', async () => {
      const here = await fixture.process()
      const thread = here.thread({ for: 'anthropic' })
      const isTaken = async (when: string) => {
        for (const reader of readers) {
          const { dialect, format, model } = reader
          const messages = await thread.messages({ for: dialect, format, model })
          expect(refusalOf(messages, reader), `${dialect} in ${format}, ${when}`).toBeUndefined()
        }
      }
      await thread.submit('Look.')
      await isTaken('before anything was said')
      const turn = await taken(thread)
      await isTaken('after the input')
      const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: { at: id } })
      const [first, second, third] = await turn.record(
        message([...thinking.content.slice(0, 1), ...['a', 'b', 'c', 'd'].map(use)]),
      )
      await isTaken('with new calls')
      await turn.start(first)
      await turn.parkCall(second, 'approval')
      await turn.parkCall(third, 'outside')
      await isTaken('with calls that run and wait')
      await turn.settle(first, { cat: 1 })
      await thread.deny(second.id, 'no')
      await isTaken('with some results')
      await turn.finish('failed', new Error('no'))
      await isTaken('when the turn is over')
      await thread.settle(third.id, 'late')
      await thread.submit('Well?')
      await (await taken(thread)).record(message([{ type: 'text', text: 'Seen.' }], 'end_turn'))
      await isTaken('at the end')
    })

    test('[B184] the model can be switched in the middle of a turn with open calls, and switched back', async () => {
      const here = await fixture.process()
      const tools = { look: { execute: () => 'a cat' }, ask: {} }
      const one = here.thread({ for: 'anthropic' })
      await one.submit('Look.')
      const asking = () => message([...thinking.content, { type: 'tool_use', id: 'toolu_2', name: 'ask', input: {} }])
      const go = (thread: Thread, dialect: DialectId, ...replies: Reply[]) => {
        const model = scriptedFor(dialect, ...replies)
        return fixture.during(run(thread, { model, tools })).then(ended => ({ ...ended, asked: model.asked }))
      }
      expect(await go(one, 'anthropic', asking)).toMatchObject({ status: 'parked' })
      const [{ id }] = await one.openCalls()
      await one.settle(id, 'yes')
      const two = here.thread({ for: 'mistral' })
      const { asked, status } = await go(two, 'mistral', [['look', {}, 'abcdefghi']], 'Two cats.')
      expect(status).toBe('done')
      expect(said(asked[1])).toEqual(['Look.', 'a cat', 'yes', 'a cat'])
      await one.submit('And?')
      const back = await go(one, 'anthropic', () => message([{ type: 'text', text: 'That is all.' }], 'end_turn'))
      expect(back).toMatchObject({ status: 'done', turn: 2 })
      expect(back.asked[0][1]).toEqual({ role: 'assistant', content: asking().content })
      expect(JSON.stringify(back.asked[0])).toContain('Two cats.')
    })

    test('[B185] rendered messages do not change when more is added', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      const seen: unknown[][] = []
      const look = () => thread.messages().then(messages => seen.push(structuredClone(messages)))
      for (const text of ['one', 'two', 'three']) {
        await thread.submit(text)
        const turn = await taken(thread)
        await look()
        const [call] = await turn.record(calls(['look']))
        await turn.settle(call, 'a cat')
        await look()
        await turn.record(says('Seen.'))
        await look()
      }
      for (const [index, messages] of seen.slice(1).entries())
        expect(messages.slice(0, seen[index].length)).toEqual(seen[index])
      expect(await (await fixture.process()).thread().messages()).toEqual(seen.at(-1))
    })

    test('[B186] changing the returned messages does not affect the journal', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      for (const text of ['Look.', 'And?', 'And?']) await thread.submit(text)
      const tools = { look: { execute: () => 'a cat' } }
      const model = scripted([['look', { at: { deep: ['down'] } }]], 'Seen.', 'Yes.', 'No.')
      await fixture.during(run(thread, { model, tools }))
      const messages = await thread.messages({ for: 'anthropic' })
      const untouched = structuredClone(messages)
      mark(messages)
      messages.push({ role: 'user', content: 'forged' })
      messages.shift()
      expect(await thread.messages({ for: 'anthropic' })).toEqual(untouched)
    })

    test('[B187] a placeholder or a failed result is marked as an error in every format that can do so, also if the format of the response cannot', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      await thread.submit('Look.')
      const turn = await taken(thread)
      const [done, failed] = await turn.record(calls(['look'], ['look'], ['look']))
      await turn.settle(done, 'a cat')
      await thread.settle(failed.id, 'no cat', { error: true })
      const [, , results] = (await thread.messages({ for: 'anthropic' })) as { content: object[] }[]
      expect(results.content.map(result => 'is_error' in result)).toEqual([false, true, true])
      const [, , parts] = (await thread.messages({ for: 'gemini' })) as { parts: { functionResponse: object }[] }[]
      expect(parts.parts).toMatchObject([
        { functionResponse: { response: { output: 'a cat' } } },
        { functionResponse: { response: { error: 'no cat' } } },
        { functionResponse: { response: { error: expect.stringContaining('never started') } } },
      ])
      await turn.finish()
    })

    test('[B189] ids that repeat, or that a provider rejects, are replaced for it, and the replacement stays the same', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      const reused = 'functions.look:0'
      const replies = Array.from({ length: 6 }, (_, index) =>
        index % 2 === 1 ? 'Seen.' : ([['look', {}, reused]] as const),
      )
      const tools = { look: { execute: () => 'a cat' } }
      let before: string[] = []
      for (let turn = 0; turn < 3; turn++) {
        await thread.submit(`turn ${turn}`)
        await fixture.during(run(thread, { model: scripted(...replies.slice(turn * 2, turn * 2 + 2)), tools }))
        const messages = await thread.messages({ for: 'anthropic' })
        const ids = idsIn(messages, 'tool_use_id')
        expect(new Set(ids).size).toBe(turn + 1)
        expect(ids.slice(0, turn)).toEqual(before)
        expect(JSON.stringify(messages)).not.toContain(reused)
        before = ids
      }
      expect(idsIn(await (await fixture.process()).thread().messages({ for: 'anthropic' }), 'tool_use_id')).toEqual(
        before,
      )
      expect(new Set(idsIn(await thread.messages(), 'tool_call_id'))).toEqual(new Set([reused]))
      expect(idsIn(await thread.messages({ for: 'mistral' }), 'tool_call_id')).toEqual(
        Array.from({ length: 3 }, () => expect.stringMatching(/^[a-zA-Z0-9]{9}$/)),
      )
    })

    test('[B188] turns with many steps and threads with many turns are read like short ones', async () => {
      const here = await fixture.process()
      const thread = here.thread()
      const replies = Array.from({ length: 18 }, (_, index) => (index % 3 === 2 ? 'Seen.' : ([['look']] as const)))
      for (let turn = 0; turn < 6; turn++) await thread.submit(`turn ${turn}`)
      const tools = { look: { execute: () => 'a cat' } }
      await fixture.during(run(thread, { model: scripted(...replies), tools }))
      const fresh = (await fixture.process()).thread()
      expect(await fresh.messages()).toEqual(await thread.messages())
      expect(await fresh.messages()).toHaveLength(36)
      expect(await fresh.status()).toMatchObject({ last: { turn: 6, status: 'done' } })
    })
  })
}

/** The ids of the calls, and of the results, as Anthropic and OpenAI have them. */
const idsIn = (messages: readonly unknown[], key: string): string[] =>
  JSON.stringify(messages).match(new RegExp(`(?<="${key}":")[^"]*`, 'g')) ?? []

/** Leaves its mark on everything. */
function mark(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const each of Object.values(value)) mark(each)
  if (!Array.isArray(value)) Object.assign(value, { marked: true })
}

/** A response of Anthropic’s. */
const message = (content: readonly object[], stop = 'tool_use') => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', stop_reason: stop },
  content,
  usage: { input_tokens: 1, output_tokens: 1 },
})

const thinking = message([
  { type: 'thinking', thinking: 'I should look.', signature: 'c2lnbmF0dXJl' },
  { type: 'text', text: 'One moment.', citations: null },
  { type: 'tool_use', id: 'toolu_1', name: 'look', input: { z: 1, a: { unknown: true } }, caller: { type: 'direct' } },
])
