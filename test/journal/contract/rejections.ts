import { describe, expect, test } from 'vitest'
import { run } from '../../../src/journal/run.ts'
import type { RunEvent } from '../../../src/journal/run-event.ts'
import { entriesOf, type Fixture, kindsOf, those } from './fixture.ts'
import { says, stream } from './model.ts'

/** A provider rejects what a thread is rendered as: the run repairs it, and every later owner knows. */
export function checkRejections(fixture: Fixture): void {
  const started = async (text = 'Think.') => {
    const here = await fixture.process()
    const thread = here.journal.thread('t', { for: 'anthropic' })
    await thread.submit(text)
    return { here, thread }
  }

  describe('rejections', () => {
    test.each(Object.entries(errors))(
      '[B260] %s: the messages are repaired and the model is asked once more',
      async (_, fail) => {
        const { here, thread } = await started()
        const model = anthropic(fail)
        const heard: RunEvent[] = []
        await fixture.during(run(thread, { model }))
        model.reject('signed01')
        await thread.submit('And?')
        const ended = await fixture.during(run(thread, { model, onEvent: event => heard.push(event) }))
        expect(ended).toEqual({ status: 'done', turn: 2 })
        expect(model.asked).toHaveLength(3)
        expect(signaturesIn(model.asked[1])).toEqual(['signed01'])
        expect(signaturesIn(model.asked[2])).toEqual([])
        expect(wordsIn(model.asked[2])).toEqual(wordsIn(model.asked[1]))
        // A user interface hears of an ordinary turn.
        expect(heard.map(({ kind }) => kind).filter(kind => kind !== 'delta')).toEqual([
          'turn-start',
          'input',
          'response',
          'turn-end',
        ])
        expect((await kindsOf(here)).slice(-3)).toEqual(['rejection-learn', 'response-record', 'turn-end'])
      },
    )

    test('[B261] the lesson is an entry without anything that was said, and the next owner renders without the block', async () => {
      const { here, thread } = await started()
      const model = anthropic(errors['an error of the official SDK'])
      await fixture.during(run(thread, { model }))
      model.reject('signed01')
      await thread.submit('And?')
      await fixture.during(run(thread, { model }))
      const [lesson] = those(await entriesOf(here), 'rejection-learn')
      expect(lesson).toEqual({
        ...{ kind: 'rejection-learn', turn: 2, dialect: 'anthropic', format: 'anthropic' },
        ...{ marks: [expect.any(String)], rejections: [] },
        ...{ seq: expect.any(Number), at: expect.any(Number), epoch: expect.any(Number) },
      })
      expect(JSON.stringify(lesson)).not.toMatch(/signed01|Hm|Think/)
      const other = await fixture.process()
      const again = other.journal.thread('t', { for: 'anthropic' })
      await again.submit('And then?')
      expect(await fixture.during(run(again, { model }))).toEqual({ status: 'done', turn: 3 })
      expect(model.asked).toHaveLength(4)
      // Blocks that were not rejected are still there.
      expect(signaturesIn(model.asked[3])).toEqual(['signed02'])
      expect(those(await entriesOf(here), 'rejection-learn')).toHaveLength(1)
      // Another target is not concerned.
      expect(await other.journal.thread('t').messages({ for: 'openai' })).toEqual(
        await here.journal.thread('t').messages({ for: 'openai' }),
      )
    })

    test.each(Object.entries(notHealable))('[B262] %s: the turn fails after exactly one request', async (_, error) => {
      const { here, thread } = await started()
      const model = anthropic(() => error)
      await fixture.during(run(thread, { model }))
      model.reject('signed01')
      await thread.submit('And?')
      const failure = await fixture.during(run(thread, { model }).then(undefined, thrown => thrown))
      expect(failure).toBe(error)
      expect(model.asked).toHaveLength(2)
      expect((await kindsOf(here)).slice(-2)).toEqual(['input-admit', 'turn-end'])
      expect((await thread.status()).state).toBe('idle')
    })

    test('[B263] a second rejection fails the turn after two requests, and nothing is learnt', async () => {
      const { here, thread } = await started()
      const model = anthropic(errors['an error of the official SDK'])
      await fixture.during(run(thread, { model }))
      model.rejectAll()
      await thread.submit('And?')
      const failure = await fixture.during(run(thread, { model }).then(undefined, thrown => thrown))
      expect(failure).toMatchObject({ status: 400, message: expect.stringContaining('signature') })
      expect(model.asked).toHaveLength(3)
      expect(those(await entriesOf(here), 'rejection-learn')).toEqual([])
    })

    test('[B264] a history that became too long stays shortened until the turn ends, and the next turn tries it whole', async () => {
      const here = await fixture.process()
      const thread = here.journal.thread('t', { for: 'openai' })
      const asked: unknown[][] = []
      const model = ({ messages, step }: { messages: never[]; step: number }): unknown => {
        asked.push([...messages])
        const size = JSON.stringify(messages).length
        if (size > 30_000)
          throw Object.assign(
            new Error(
              `400 This model's maximum context length is 7500 tokens. However, your messages resulted in ${Math.round(size / 4)} tokens. Please reduce the length of the messages.`,
            ),
            { status: 400 },
          )
        return step < 3 ? call('read') : says('Read.')
      }
      const tools = { read: { execute: () => 'word '.repeat(2_500) } }
      await thread.submit('Read it all.')
      expect(await fixture.during(run(thread, { model, tools }))).toEqual({ status: 'done', turn: 1 })
      const rejected = asked.filter(messages => JSON.stringify(messages).length > 30_000).length
      expect(rejected).toBeGreaterThan(0)
      expect(those(await entriesOf(here), 'rejection-learn').length).toBeGreaterThan(0)
      const before = asked.length
      const other = (await fixture.process()).journal.thread('t', { for: 'openai' })
      await other.submit('And?')
      await fixture.during(run(other, { model: request => model({ ...request, step: 9 }), tools }))
      expect(asked.length).toBe(before + 2)
      // Another model takes all of it.
      const sizes: number[] = []
      await other.submit('And now?')
      const large = ({ messages }: { messages: never[] }): unknown => {
        sizes.push(JSON.stringify(messages).length)
        return says('All of it.')
      }
      await fixture.during(run(other, { model: large, tools }))
      expect(sizes).toHaveLength(1)
      expect(sizes[0]).toBeGreaterThan(30_000)
    })
  })
}

/** How SDKs throw what a provider answered. */
const errors: Record<string, (body: object) => unknown> = {
  'an error of the AI SDK': body =>
    Object.assign(new Error('Bad Request'), {
      statusCode: 400,
      responseBody: JSON.stringify(body),
      requestBodyValues: {},
    }),
  'an error of the official SDK': body =>
    Object.assign(new Error(`400 ${JSON.stringify(body)}`), { status: 400, error: body, headers: {} }),
  'an error with a cause': body =>
    new Error('the model failed', {
      cause: new Error('retries', { cause: Object.assign(new Error('x'), { status: 400, error: body }) }),
    }),
  'an error of several attempts': body =>
    Object.assign(new Error('Failed after 3 attempts'), {
      lastError: Object.assign(new Error('Bad Request'), { statusCode: 400, responseBody: JSON.stringify(body) }),
    }),
  'an HTTP client with the parsed body': body =>
    Object.assign(new Error('Request failed'), { response: { status: 400, data: body } }),
  'a Response': body => new Response(JSON.stringify(body), { status: 400 }),
  'an error with a Response': body =>
    Object.assign(new Error('HTTP error'), { response: new Response(JSON.stringify(body), { status: 400 }) }),
  'a message with the text of a Response': body => new Error(`HTTP 400: ${JSON.stringify(body)}`),
  'a stream that fails at once': body =>
    stream([], Object.assign(new Error(`400 ${JSON.stringify(body)}`), { status: 400, error: body })),
  'a stream that begins with an error': body => stream([body]),
}

const notHealable: Record<string, Error> = {
  'a wrong key': Object.assign(new Error('401 invalid x-api-key'), { status: 401 }),
  'a rate limit': Object.assign(new Error('429 rate_limit_error: This request would exceed your rate limit'), {
    status: 429,
  }),
  'an overload': Object.assign(new Error('529 Overloaded'), { status: 529 }),
  'no credit': Object.assign(new Error('400 Your credit balance is too low to access the Anthropic API.'), {
    status: 400,
  }),
  'a network error': new TypeError('fetch failed'),
  'a parameter of the caller': Object.assign(new Error('400 temperature: range: 0..1'), { status: 400 }),
}

interface Block {
  readonly type: string
  readonly text?: string
  readonly signature?: string
}

interface AnthropicMessage {
  readonly role: string
  readonly content: string | readonly Block[]
}

const blocksOf = (messages: readonly unknown[]): Block[] =>
  (messages as readonly AnthropicMessage[]).flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  )

const signaturesIn = (messages: readonly unknown[]): string[] =>
  blocksOf(messages).flatMap(({ signature }) => signature ?? [])

const wordsIn = (messages: readonly unknown[]): string[] => blocksOf(messages).flatMap(({ text }) => text ?? [])

/** A model that thinks, and signs what it thinks. Signatures can become invalid, as after a change of the account. */
function anthropic(fail: (body: object) => unknown) {
  const asked: unknown[][] = []
  const invalid = new Set<string>()
  let rejectsAll = false
  let signed = 0
  const model = ({ messages }: { messages: readonly unknown[] }): unknown => {
    asked.push([...messages])
    const place = (messages as readonly AnthropicMessage[]).findIndex(message =>
      signaturesIn([message]).some(signature => invalid.has(signature)),
    )
    if (place >= 0 || rejectsAll) {
      const message = `messages.${Math.max(place, 1)}.content.0: Invalid \`signature\` in \`thinking\` block`
      const failure = fail({ type: 'error', error: { type: 'invalid_request_error', message } })
      if (typeof failure === 'object' && failure !== null && Symbol.asyncIterator in failure) return failure
      throw failure
    }
    const signature = `signed0${++signed}`
    return {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', stop_reason: 'end_turn' },
      content: [
        { type: 'thinking', thinking: 'Hm.', signature },
        { type: 'text', text: `Answer ${signed}.` },
      ],
      usage: { input_tokens: 1, output_tokens: 1 },
    }
  }
  return Object.assign(model, {
    asked,
    reject: (signature: string) => invalid.add(signature),
    rejectAll: () => {
      rejectsAll = true
    },
  })
}

const call = (name: string) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 0, model: 'gpt-5' },
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `call_${++made}`, type: 'function', function: { name, arguments: '{}' } }],
      },
      finish_reason: 'tool_calls',
    },
  ],
})

let made = 0
