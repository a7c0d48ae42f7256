import { describe, expect, test } from 'vitest'
import type { ReplyDelta } from '../../../src/codecs/shared/reply.ts'
import { run } from '../../../src/journal/run.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { calls, chunks, forever, says, scripted, stream } from './model.ts'
import { said } from './said.ts'
import { taken } from './turn.ts'

/** What a model answered is kept whole, or as far as it can be sent again. */
export function checkRecord(fixture: Fixture): void {
  const begun = async (text = 'Look.', options = {}) => {
    const here = await fixture.process()
    const thread = here.thread(options)
    await thread.submit(text)
    return { here, thread, turn: await taken(thread) }
  }

  describe('record', () => {
    test('[B40] a response is recorded with all its calls in one entry', async () => {
      const { here, thread, turn } = await begun()
      const response = calls(['look', { at: 'cats' }, 'call_a'], ['look', { at: 'dogs' }, 'call_b'])
      const made = await turn.record(response)
      expect(those(await entriesOf(here), 'response-record')).toMatchObject([
        {
          ...{ turn: 1, format: 'openai-chat', dialect: 'openai', model: 'gpt-5', finish: 'stop' },
          messages: [response.choices[0].message],
          calls: [
            { id: 'call_a', name: 'look' },
            { id: 'call_b', name: 'look' },
          ],
          usage: response.usage,
        },
      ])
      expect(made).toMatchObject([
        { providerId: 'call_a', name: 'look', input: { at: 'cats' }, isReadable: true, again: false, turn: 1 },
        { providerId: 'call_b', name: 'look', input: { at: 'dogs' }, isReadable: true, again: false, turn: 1 },
      ])
      expect(turn.calls).toEqual(made)
      expect(await thread.openCalls()).toEqual(made)
      await turn.finish()
    })

    test('[B41] call ids are assigned by the journal: each is unique in the thread, even if the provider reuses its ids', async () => {
      const here = await fixture.process()
      const ids = new Set<string>()
      for (const name of ['one', 'other']) {
        const thread = here.thread({}, name)
        await thread.submit('Look.')
        const model = scripted(
          [
            ['look', {}, 'same'],
            ['look', {}, 'again'],
          ],
          [['look', {}, 'same']],
          'Seen.',
        )
        const look = {
          execute(_: object, { key, callId }: { key: string; callId: string }) {
            expect(key).toBe(callId)
            ids.add(key)
            return key
          },
        }
        await fixture.during(run(thread, { model, tools: { look } }))
        expect(said(await thread.messages())).toEqual(['Look.', ...[...ids].slice(-3)])
      }
      expect(ids.size).toBe(6)
    })

    test('[B42] a stream is recorded like a whole response, and its chunks are reported', async () => {
      const { here, turn } = await begun()
      const deltas: ReplyDelta[] = []
      const answer = stream(chunks(['I ', 'look.'], ['look', { at: 'cats' }, 'call_a']))
      const [call] = await turn.record(answer, { onDelta: delta => deltas.push(delta) })
      expect(call).toMatchObject({ name: 'look', input: { at: 'cats' } })
      expect(those(await entriesOf(here), 'response-record')).toMatchObject([
        {
          messages: [{ role: 'assistant', content: 'I look.', tool_calls: [{ id: 'call_a' }] }],
          finish: 'stop',
        },
      ])
      expect(deltas).toEqual([
        { kind: 'text', text: 'I ' },
        { kind: 'text', text: 'look.' },
        { kind: 'call', id: 'call_a', name: 'look', index: 0 },
        { kind: 'input', index: 0, text: '{"at":"cats"}' },
      ])
      await turn.finish()
    })

    test.each([
      ['with an error', new Error('socket hang up'), { name: 'Error', message: 'socket hang up' }],
      ['without a word', undefined, { name: 'StreamCut' }],
    ])(
      '[B43] a stream that breaks off %s: its text is kept, its calls are kept as data only, and the turn has failed',
      async (_, end, error) => {
        const { here, thread, turn } = await begun()
        const [first, second] = chunks(['Let me ', 'see.'], ['look', { at: 'cats' }, 'call_a'])
        const call = chunks([], ['look', '{"at": "ca', 'call_a'])[0]
        const recording = turn.record(stream([first, second, call], end))
        await expect(recording).rejects.toMatchObject(end ?? { code: 'stream-cut' })
        const entries = await entriesOf(here)
        expect(those(entries, 'response-record')).toMatchObject([
          { finish: 'cut', messages: [{ content: 'Let me see.' }], calls: [] },
        ])
        expect(JSON.stringify(those(entries, 'response-record')[0].left)).toContain('call_a')
        expect(those(entries, 'turn-end')).toMatchObject([{ status: 'failed', error }])
        expect(turn.status).toBe('failed')
        await thread.submit('Well?')
        const model = scripted('I am back.')
        expect(await fixture.during(run(thread, { model }))).toEqual({ status: 'done', turn: 2 })
        expect(model.asked[0]).toMatchObject([{ content: 'Look.' }, { content: 'Let me see.' }, { content: 'Well?' }])
      },
    )

    test('[B44] a stream that breaks off before its first content adds nothing to the history', async () => {
      const { thread, turn } = await begun()
      await expect(turn.record(stream([], new Error('refused')))).rejects.toThrow('refused')
      expect(await thread.messages()).toEqual([{ role: 'user', content: 'Look.' }])
    })

    test('[B45] an error event that the provider sends inside a stream is an error', async () => {
      const { here, turn } = await begun('Look.', { for: 'anthropic' })
      const answer = stream([
        {
          type: 'message_start',
          message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', content: [] },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Well' } },
        { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
      ])
      await expect(turn.record(answer)).rejects.toMatchObject({ code: 'stream-cut' })
      expect(those(await entriesOf(here), 'turn-end')).toMatchObject([
        { status: 'failed', error: { message: expect.stringContaining('Overloaded') } },
      ])
    })

    test('[B46] the finish reason of a response decides how the turn ends', async () => {
      for (const [finish, status] of [
        ['stop', 'done'],
        ['length', 'length'],
        ['content_filter', 'refused'],
      ] as const) {
        const here = await fixture.process()
        const thread = here.thread({}, finish)
        await thread.submit('Hello')
        const turn = await taken(thread)
        await turn.record(says('Well', finish))
        expect(turn.status).toBe(status)
        expect((await thread.status()).last).toEqual({ turn: 1, status })
      }
    })

    test('[B47] after the provider pauses a turn, the model is called again', async () => {
      const { thread, turn } = await begun('Search.', { for: 'anthropic' })
      const paused = {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', stop_reason: 'pause_turn' },
        content: [
          { type: 'text', text: 'One moment.' },
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'cats' } },
        ],
      }
      expect(await turn.record(paused)).toEqual([])
      expect(turn.open).toBe(true)
      expect(turn.messages.at(-1)).toEqual({ role: 'assistant', content: paused.content })
      const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
      await turn.record({ ...paused, stop_reason: 'end_turn', content: [found, { type: 'text', text: 'Here.' }] })
      expect(turn.status).toBe('done')
      expect((await thread.status()).openCalls).toBe(0)
    })

    test('[B48] in a response cut off at the length limit, a call whose arguments do not parse does not count as a call', async () => {
      const { here, turn } = await begun()
      const response = calls(['look', { at: 'cats' }, 'call_a'], ['look', '{"at": "do', 'call_b'])
      const cut = { ...response, choices: [{ ...response.choices[0], finish_reason: 'length' }] }
      expect(await turn.record(cut)).toMatchObject([{ providerId: 'call_a' }])
      const [entry] = those(await entriesOf(here), 'response-record')
      expect(entry.calls).toEqual([{ id: 'call_a', name: 'look' }])
      expect(JSON.stringify(entry.left)).toContain('call_b')
      await turn.finish()
    })

    test('[B49] no message can be added while a call is running', async () => {
      const { here, turn } = await begun()
      const [first, second] = await turn.record(calls(['look'], ['look']))
      await turn.start(first)
      const before = await kindsOf(here)
      await expect(turn.record(says('Never mind.'))).rejects.toMatchObject({
        code: 'open-calls',
        hint: 'perform or settle `turn.calls` before you record the next response',
        data: { calls: [first.id] },
      })
      expect((await kindsOf(here)).slice(before.length)).toEqual(['call-settle'])
      await turn.settle(first, 'a cat')
      await turn.record(says('Never mind.'))
      expect(
        those(await entriesOf(here), 'call-settle').map(({ outcome }) => outcome.state ?? outcome.content),
      ).toEqual([...['not-started', 'a cat']])
      expect(second.again).toBe(false)
    })

    test('[B50] when a new response is recorded while calls of the last one were not run, those calls are settled as never started, and no input is added before the new response', async () => {
      const { here, thread, turn } = await begun()
      await turn.record(calls(['look'], ['look']))
      await thread.submit('Wait!', { whenBusy: 'steer' })
      await turn.record(says('Never mind.'))
      expect(turn.status).toBe('done')
      expect((await kindsOf(here)).slice(-5)).toEqual([
        ...['input-submit', 'call-settle', 'call-settle', 'response-record', 'turn-end'],
      ])
      const model = scripted('Yes?')
      await fixture.during(run(thread, { model }))
      expect(said(model.asked[0]).at(-1)).toBe('Wait!')
    })

    test('[B51] a value that is not a response is refused, and nothing is written', async () => {
      const { here, turn } = await begun()
      for (const response of [undefined, null, 'Hi.', 7, {}, [], { error: { message: 'no' } }, { choices: [] }])
        await expect(turn.record(response), JSON.stringify(response)).rejects.toMatchObject({ code: 'not-a-response' })
      expect(await kindsOf(here)).toEqual(['input-submit', 'turn-start', 'input-admit'])
      expect(turn.open).toBe(true)
      await turn.finish()
    })

    test('[B52] the format of a response is detected, also if it is not the format of the thread', async () => {
      const { here, thread, turn } = await begun()
      const message = {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        stop_reason: 'tool_use',
      }
      const content = [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'cats' } }]
      const [call] = await turn.record({ ...message, content })
      expect(call).toMatchObject({ providerId: 'toolu_1', input: { at: 'cats' } })
      await turn.perform(call, () => 'a cat')
      expect(those(await entriesOf(here), 'response-record')).toMatchObject([{ format: 'anthropic' }])
      expect(turn.messages).toMatchObject([
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ function: { name: 'look', arguments: '{"at":"cats"}' } }] },
        { role: 'tool', content: 'a cat' },
      ])
      await turn.record(
        stream([{ type: 'message_start', message: { ...message, content: [] } }, ...anthropicWords('Seen.')]),
      )
      expect(turn.status).toBe('done')
      expect((await thread.messages()).at(-1)).toMatchObject({ role: 'assistant', content: 'Seen.' })
    })

    test('[B53] changing a response object after it was recorded has no effect', async () => {
      const { thread, turn } = await begun()
      const response = calls(['look', {}, 'call_a'])
      const message = response.choices[0].message as Record<string, unknown>
      const [call] = await turn.record(response)
      message.tool_calls = []
      await turn.perform(call, () => 'a cat')
      expect(await thread.messages()).toMatchObject([{}, { tool_calls: [{ id: 'call_a' }] }, { content: 'a cat' }])
      await turn.finish()
    })

    test('[B54] a response can be a promise, and a promise that rejects changes nothing', async () => {
      const { here, turn } = await begun()
      await expect(turn.record(Promise.reject(new Error('overloaded')))).rejects.toThrow('overloaded')
      expect(await kindsOf(here)).toEqual(['input-submit', 'turn-start', 'input-admit'])
      await turn.record(Promise.resolve(says('Hi.')))
      expect(turn.status).toBe('done')
    })

    test('[B55] if the model cannot be called, the turn ends with its error', async () => {
      const { here, turn } = await begun()
      await turn.fail(Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET', status: 503, headers: {} }))
      expect(those(await entriesOf(here), 'turn-end')).toMatchObject([
        { status: 'failed', error: { name: 'TypeError', message: 'fetch failed', code: 'ECONNRESET', status: 503 } },
      ])
    })

    test('[B56] if a listener for chunks throws, the turn ends and the error is thrown', async () => {
      const { turn } = await begun()
      const onDelta = () => {
        throw new Error('no screen')
      }
      await expect(turn.record(stream(chunks(['Hi.']), forever), { onDelta })).rejects.toThrow('no screen')
      expect(turn.status).toBe('failed')
    })

    test('[B58] the model of a response is taken from the response, or else from the options of the request', async () => {
      const here = await fixture.process()
      const { model: _, ...nameless } = says('Hi.')
      const answers = [
        ['gpt-5', says('Hi.'), { model: 'gpt-4' }, {}],
        ['gpt-4', nameless, { model: 'gpt-4' }, { model: 'gpt-3' }],
        ['gpt-3', nameless, {}, { model: 'gpt-3' }],
        [undefined, nameless, {}, {}],
      ] as const
      for (const [index, [, response, options, reading]] of answers.entries()) {
        const thread = here.thread(reading, `thread ${index}`)
        await thread.submit('Hello')
        await (await taken(thread)).record(response, options)
      }
      for (const [index, [model]] of answers.entries())
        expect(those(await entriesOf(here, `thread ${index}`), 'response-record')[0].model).toBe(model)
    })

    test('[B59] binary data stays binary data, in inputs and in responses', async () => {
      const here = await fixture.process()
      const thread = here.thread({ for: 'bedrock' })
      const bytes = new Uint8Array([0, 1, 254, 255])
      const input = {
        role: 'user',
        content: [{ text: 'What is this?' }, { image: { format: 'png', source: { bytes } } }],
      }
      await thread.submit([input], { key: 'k' })
      expect(await thread.submit([input], { key: 'k' })).toMatchObject({ seq: 1 })
      const content = [
        { reasoningContent: { redactedContent: bytes } },
        { toolUse: { toolUseId: 'tooluse_1', name: 'look', input: {} } },
      ]
      const turn = await taken(thread)
      await turn.record({ output: { message: { role: 'assistant', content } }, stopReason: 'tool_use', $metadata: {} })
      const read = (await (await fixture.process()).thread({ for: 'bedrock' }).messages()) as { content: unknown[] }[]
      expect(read.slice(0, 2)).toEqual([input, { role: 'assistant', content }])
      await turn.finish()
    })

    test('[B57] calls that arrive with their results are already settled', async () => {
      const { here, thread, turn } = await begun('Look.', { for: 'lenient', format: 'ai-sdk' })
      const call = { type: 'tool-call', toolCallId: 'call_a', toolName: 'look', input: {} }
      const result = {
        type: 'tool-result',
        toolCallId: 'call_a',
        toolName: 'look',
        output: { type: 'text', value: 'a cat' },
      }
      const responseMessages = [
        { role: 'assistant', content: [call] },
        { role: 'tool', content: [result] },
      ]
      expect(await turn.record(generated(responseMessages, 'tool-calls'))).toEqual([])
      expect(turn.open).toBe(true)
      await turn.record(generated([{ role: 'assistant', content: [{ type: 'text', text: 'Seen.' }] }], 'stop'))
      expect(turn.status).toBe('done')
      expect(await thread.messages()).toMatchObject([
        { role: 'user' },
        { role: 'assistant' },
        { role: 'tool' },
        { role: 'assistant' },
      ])
      expect(await kindsOf(here)).not.toContain('call-settle')
    })

    test.each([
      ['called again', undefined, [looked]],
      ['called again', undefined, [{ type: 'text', text: 'Let me see.' }, looked, { type: 'step-start' }]],
      ['called again', undefined, [looked, { type: 'text', text: ' ' }]],
      ['not called again', 'done', [looked, { type: 'step-start' }, { type: 'text', text: 'A cat.' }]],
    ])('[B224] after a response whose calls are all answered the model is %s', async (_, status, parts) => {
      const { turn } = await begun('Look.', { for: 'lenient', format: 'ai-sdk-ui' })
      expect(await turn.record({ id: 'm', role: 'assistant', parts })).toEqual([])
      expect({ status: turn.status, isOpen: turn.open }).toEqual({ status, isOpen: status === undefined })
      if (turn.open) await turn.finish()
    })
  })
}

/** A call with its result, as a user interface has it. */
const looked = { type: 'tool-look', toolCallId: 'call_a', state: 'output-available', input: {}, output: 'a cat' }

/** The rest of a stream of Anthropic’s that says these words. */
const anthropicWords = (text: string): object[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
  { type: 'message_stop' },
]

/** What `generateText` gives back, as far as it matters. */
const generated = (messages: readonly object[], finishReason: string) => ({
  finishReason,
  response: { id: 'r', modelId: 'm', messages },
  steps: [{ finishReason, response: { messages } }],
  content: [],
  toolCalls: [],
})
