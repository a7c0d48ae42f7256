import { type Span, SpanKind } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { describe, expect, test } from 'vitest'
import { MemoryStore, run } from '../../../src/journal/index.ts'
import type { Store } from '../../../src/journal/stores/store.ts'
import { later } from '../../journal/contract/later.ts'
import { calls, chunks, forever, says, scripted, stream } from '../../journal/contract/model.ts'
import { withMethods } from '../../journal/contract/with-methods.ts'
import { ended, eventNames, eventsOf, exported, isError, journalAt, span, spans, tracer, tree } from './spans.ts'

const tools = {
  look: { execute: () => tracer.startActiveSpan('inside look', traced('a cat')) },
  fail: {
    execute: () => {
      throw Object.assign(new TypeError('the password is hunter2'))
    },
  },
  buy: { approval: true, execute: () => 'bought' },
}

const started = async (text = 'Look.', options = {}) => {
  const journal = await journalAt()
  const thread = journal.thread('user-42', { model: 'gpt-5', ...options })
  await thread.submit(text)
  return { journal, thread }
}

describe('run', () => {
  test('[OT1] a turn is a span, with one for each model call and each tool in it', async () => {
    const { thread } = await started()
    const model = scripted([['look', {}, 'call_a']], 'A cat.')
    expect(await run(thread, { model, tools })).toEqual({ status: 'done', turn: 1 })
    expect(tree()).toEqual([['invoke_agent', ['chat gpt-5'], ['execute_tool look', ['inside look']], ['chat gpt-5']]])
    const turn = span('invoke_agent')
    expect(turn.kind).toBe(SpanKind.INTERNAL)
    expect(turn.instrumentationScope.name).toBe('antiphon')
    expect(isError(turn)).toBe(false)
    expect(turn.attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'openai',
      'gen_ai.conversation.id': 'user-42',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.usage.input_tokens': 2,
      'gen_ai.usage.output_tokens': 2,
      'antiphon.turn.number': 1,
      'antiphon.turn.epoch': 1,
      'antiphon.turn.status': 'done',
      'antiphon.turn.steps': 2,
    })
    expect(eventNames(turn)).toEqual(['antiphon.input', 'antiphon.response', 'antiphon.response'])
  })

  test('[OT2] a model call says who was asked and answered, why it ended and what it cost', async () => {
    const { thread } = await started()
    await run(thread, { model: scripted([['look', {}, 'call_a']], 'A cat.'), tools })
    const [first, last] = spans('chat')
    expect(first.kind).toBe(SpanKind.CLIENT)
    expect(first.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.conversation.id': 'user-42',
      'gen_ai.request.model': 'gpt-5',
      'gen_ai.response.id': 'chatcmpl-1',
      'gen_ai.response.model': 'gpt-5',
      'gen_ai.response.finish_reasons': ['tool_call'],
      'gen_ai.usage.input_tokens': 1,
      'gen_ai.usage.output_tokens': 1,
    })
    expect(last.attributes['gen_ai.response.finish_reasons']).toEqual(['stop'])
  })

  test('[OT3] a streamed answer is one span until it is folded, and the model is active in it to its last piece', async () => {
    const { thread } = await started()
    const model = scripted(async function* () {
      yield* stream(chunks(['A ']))
      tracer.startActiveSpan('inside the stream', inner => inner.end())
      yield* stream(chunks(['cat.']))
    })
    await run(thread, { model })
    expect(tree()).toEqual([['invoke_agent', ['chat gpt-5', ['inside the stream']]]])
    const chat = span('chat')
    expect(chat.attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'gen_ai.response.finish_reasons': ['stop'],
    })
    expect(ended()).toEqual(['inside the stream', 'chat gpt-5', 'invoke_agent'])
  })

  test('[OT4] a tool is a span named after it, and what it traces stands in it, also of calls side by side', async () => {
    const { thread } = await started()
    const both = later<void>()
    let running = 0
    const side = (name: string) => async () => {
      if (++running === 2) both.keep()
      await both.promise
      return tracer.startActiveSpan(`inside ${name}`, traced(name))
    }
    const model = scripted(
      [
        ['one', {}, 'call_1'],
        ['two', {}, 'call_2'],
      ],
      'Done.',
    )
    await run(thread, { model, tools: { one: { execute: side('one') }, two: { execute: side('two') } } })
    expect(tree()).toEqual([
      [
        'invoke_agent',
        ['chat gpt-5'],
        ['execute_tool one', ['inside one']],
        ['execute_tool two', ['inside two']],
        ['chat gpt-5'],
      ],
    ])
    expect(span('execute_tool one').kind).toBe(SpanKind.INTERNAL)
    expect(span('execute_tool one').attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'one',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.tool.type': 'function',
      'antiphon.call.id': expect.stringMatching(/-\d+-0$/),
      'antiphon.result.status': 'done',
    })
  })

  test('[OT5] a tool that throws or takes too long is an error of its span, and of no other', async () => {
    const { thread } = await started()
    const slow = { execute: () => forever, timeoutMs: 5 }
    await run(thread, { model: scripted([['fail'], ['slow']], 'Sorry.'), tools: { ...tools, slow } })
    expect(span('execute_tool fail').attributes).toMatchObject({
      'error.type': 'TypeError',
      'antiphon.result.status': 'error',
    })
    expect(span('execute_tool slow').attributes).toMatchObject({
      'error.type': 'timeout',
      'antiphon.result.status': 'made-up',
    })
    const failed = ['execute_tool fail', 'execute_tool slow', 'invoke_agent', 'chat'].flatMap(spans).map(isError)
    expect(failed).toEqual([true, true, false, false, false])
    expect(exported()).not.toContain('hunter2')
  })

  test('[OT6] a model that fails is an error of its span and of the turn, by its type and never by its words', async () => {
    const { thread } = await started()
    const error = Object.assign(new Error('key sk-secret is wrong'), { status: 401 })
    await expect(run(thread, { model: scripted(error) })).rejects.toBe(error)
    expect(tree()).toEqual([['invoke_agent', ['chat gpt-5']]])
    for (const failed of [span('invoke_agent'), span('chat')]) {
      expect(isError(failed)).toBe(true)
      expect(failed.attributes['error.type']).toBe('401')
    }
    expect(span('invoke_agent').attributes['antiphon.turn.status']).toBe('failed')
    expect(exported()).not.toContain('sk-secret')
  })

  test('[OT7] a stream that breaks off is an error of both, and is told as an answer that was recorded', async () => {
    const { thread } = await started()
    const broken = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
    await expect(run(thread, { model: scripted(() => stream(chunks(['A ']).slice(0, 1), broken)) })).rejects.toBe(
      broken,
    )
    expect(span('chat').attributes).toMatchObject({
      'error.type': 'ECONNRESET',
      'gen_ai.response.finish_reasons': ['cut'],
    })
    expect(span('invoke_agent').attributes).toMatchObject({
      'error.type': 'ECONNRESET',
      'antiphon.turn.status': 'failed',
    })
    expect(eventNames(span('invoke_agent'))).toEqual(['antiphon.input', 'antiphon.response'])
  })

  test('[OT8] an interruption is an event and no error', async () => {
    const { thread } = await started()
    const model = scripted([['wait']])
    const wait = {
      execute: async (_: never, { signal }: { signal: AbortSignal }) => {
        void thread.interrupt('I have seen enough of Lisbon')
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    }
    expect(await run(thread, { model, tools: { wait } })).toEqual({ status: 'interrupted', turn: 1 })
    expect(tree()).toEqual([['invoke_agent', ['chat gpt-5'], ['execute_tool wait']]])
    const turn = span('invoke_agent')
    expect(turn.attributes['antiphon.turn.status']).toBe('interrupted')
    expect(eventsOf(turn)).toContainEqual(['antiphon.interrupt', { 'antiphon.interrupt.by': 'request' }])
    expect(span('execute_tool wait').attributes).toMatchObject({ 'antiphon.result.state': 'interrupted' })
    expect([turn, span('execute_tool wait')].map(isError)).toEqual([false, false])
    expect(exported()).not.toContain('Lisbon')
  })

  test('[OT8] a model that is interrupted, by new input too, says so', async () => {
    const { thread } = await started()
    const model = scripted(async ({ signal }) => {
      void thread.submit('Faster!', { whenBusy: 'interrupt' })
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }, 'Yes.')
    expect(await run(thread, { model })).toEqual({ status: 'done', turn: 2 })
    expect(tree()).toEqual([
      ['invoke_agent', ['chat gpt-5']],
      ['invoke_agent', ['chat gpt-5']],
    ])
    const [first, second] = spans('invoke_agent')
    expect([first, second].map(({ attributes }) => attributes['antiphon.turn.status'])).toEqual(['interrupted', 'done'])
    expect(eventsOf(first)).toContainEqual(['antiphon.interrupt', { 'antiphon.interrupt.by': 'input' }])
    expect(spans('chat')[0].attributes['antiphon.chat.status']).toBe('interrupted')
    expect(isError(spans('chat')[0])).toBe(false)
  })

  test('[OT9] the turn is a child of the span of its caller', async () => {
    const { thread } = await started()
    await tracer.startActiveSpan('request', async request => {
      await run(thread, { model: scripted([['look']], 'A cat.'), tools })
      request.end()
    })
    expect(tree()).toEqual([
      ['request', ['invoke_agent', ['chat gpt-5'], ['execute_tool look', ['inside look']], ['chat gpt-5']]],
    ])
  })

  test('[OT9] what a run does beside, a check of an approval for one, stands below the turn', async () => {
    const { thread } = await started()
    const check = () => tracer.startActiveSpan('inside the check', traced(false))
    await run(thread, { model: scripted([['look']], 'A cat.'), tools: { look: { ...tools.look, approval: check } } })
    expect(tree()).toEqual([
      ['invoke_agent', ['chat gpt-5'], ['inside the check'], ['execute_tool look', ['inside look']], ['chat gpt-5']],
    ])
  })
})

describe('approvals', () => {
  test('[OT10] a turn that parks ends its span, and the process that goes on with it has one with a link to it', async () => {
    const store = new MemoryStore()
    const [here, there] = [await journalAt(store), await journalAt(store)]
    const thread = here.thread('t', { model: 'gpt-5' })
    await thread.submit('Buy it.')
    expect(await run(thread, { model: scripted([['buy', {}, 'call_b'], ['look']]), tools })).toMatchObject({
      status: 'parked',
    })
    const [call] = await thread.openCalls()
    await there.thread('t').approve(call.id, 'a birthday')
    await run(there.thread('t', { model: 'gpt-5' }), { model: scripted('Bought.'), tools })
    expect(tree()).toEqual([
      ['invoke_agent', ['chat gpt-5'], ['execute_tool look', ['inside look']]],
      ['invoke_agent', ['execute_tool buy'], ['chat gpt-5']],
    ])
    const [first, second] = spans('invoke_agent')
    expect([first, second].map(({ attributes }) => attributes['antiphon.turn.status'])).toEqual(['parked', 'done'])
    expect([first, second].map(({ attributes }) => attributes['antiphon.turn.number'])).toEqual([1, 1])
    expect(second.links.map(({ context }) => context)).toEqual([first.spanContext()])
    const about = { 'gen_ai.tool.name': 'buy', 'gen_ai.tool.call.id': 'call_b', 'antiphon.call.id': call.id }
    expect(eventsOf(first)).toContainEqual(['antiphon.approval.request', about])
    expect(eventsOf(second)).toEqual([
      ['antiphon.resume', { 'antiphon.calls.open': 1, 'antiphon.calls.settled': 0 }],
      ['antiphon.approval.decision', { ...about, 'antiphon.approval.approved': true }],
      ['antiphon.response', expect.anything()],
    ])
    expect(exported()).not.toContain('birthday')
  })

  test('[OT11] a decision that comes while the turn runs, a result from outside and a denial are events of it', async () => {
    const { thread } = await started()
    const outside = { ...tools, ask: {} }
    const model = scripted([['buy', {}, 'call_b'], ['ask', {}, 'call_c'], ['hold']], 'Well.')
    const hold = {
      execute: async () => {
        const open = await thread.openCalls()
        const [buy, ask] = ['buy', 'ask'].map(name => open.find(call => call.name === name)?.id ?? '')
        await thread.deny(buy)
        await thread.settle(ask, 'from afar')
      },
    }
    await run(thread, { model, tools: { ...outside, hold } })
    const events = eventsOf(span('invoke_agent')).filter(([name]) => !/input|response/.test(name))
    const about = (name: string, id: string) => ({
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'antiphon.call.id': expect.any(String),
    })
    expect(events).toEqual([
      ['antiphon.approval.request', about('buy', 'call_b')],
      ['antiphon.outside.request', about('ask', 'call_c')],
      ['antiphon.approval.decision', { ...about('buy', 'call_b'), 'antiphon.approval.approved': false }],
      [
        'antiphon.result',
        { ...about('buy', 'call_b'), 'antiphon.result.status': 'made-up', 'antiphon.result.state': 'denied' },
      ],
      ['antiphon.result', { ...about('ask', 'call_c'), 'antiphon.result.status': 'done' }],
    ])
    expect(exported()).not.toContain('afar')
  })
})

describe('other owners', () => {
  test('[OT12] a loop written by hand has the spans of the turn and of its tools, and can put its own below them', async () => {
    const { thread } = await started()
    const turn = await thread.turn()
    const ask = (answer: unknown) => tracer.startActiveSpan('my model', traced(answer))
    const replies = [calls(['look', {}, 'call_a']), says('A cat.')]
    while (turn?.open) {
      const asked = await turn.record(turn.trace.within(() => ask(replies.shift())))
      for (const call of asked) await turn.perform(call, () => tools.look.execute())
    }
    await turn?.[Symbol.asyncDispose]()
    expect(tree()).toEqual([['invoke_agent', ['my model'], ['execute_tool look', ['inside look']], ['my model']]])
    const attributes = span('invoke_agent').attributes
    expect(attributes).toMatchObject({ 'antiphon.turn.status': 'done', 'gen_ai.usage.input_tokens': 2 })
    expect(eventNames(span('invoke_agent'))).toEqual(['antiphon.input', 'antiphon.response', 'antiphon.response'])
  })

  test('[OT13] what a worker does stands in spans of its own, whatever was active when it was started', async () => {
    const journal = await journalAt()
    const over = later<void>()
    const model = scripted([['look']], 'A cat.')
    const worker = tracer.startActiveSpan('start of the program', start => {
      const onEvent = (_: string, { kind }: { kind: string }) => kind === 'turn-end' && over.keep()
      const working = journal.work({ model, tools, thread: { for: 'openai' }, pollMs: 5, onEvent })
      start.end()
      return working
    })
    await journal.thread('t').submit('Look.')
    await over.promise
    await worker.stop()
    expect(tree()).toEqual([
      ['start of the program'],
      ['invoke_agent', ['chat'], ['execute_tool look', ['inside look']], ['chat']],
    ])
  })

  test('[OT14] an owner that was lost says so, and the one after it tells of the recovery and points back', async () => {
    let slept = 0
    const store = new MemoryStore({ now: () => Date.now() + slept })
    const [here, there] = [await journalAt(store), await journalAt(store)]
    await here.thread('t').submit('Look.')
    const lost = await here.thread('t').turn()
    const [call] = (await lost?.record(calls(['look', {}, 'call_a']))) ?? []
    const running = later<string>()
    const performing = lost?.perform(call, () => running.promise)
    await here.thread('t').openCalls()
    slept = 60_000
    await run(there.thread('t'), { model: scripted('Nobody knows.'), tools })
    running.keep('a cat')
    await expect(performing).rejects.toMatchObject({ code: 'fenced' })
    await lost?.[Symbol.asyncDispose]()
    const [first, second] = [1, 2].map(epoch => spans('invoke_agent').find(isOf(epoch)) as ReadableSpan)
    expect(first.attributes).toMatchObject({ 'antiphon.turn.status': 'fenced', 'error.type': 'fenced' })
    expect(isError(first)).toBe(true)
    expect(second.attributes['antiphon.turn.status']).toBe('done')
    expect(second.links.map(({ context }) => context)).toEqual([first.spanContext()])
    expect(eventsOf(second).slice(0, 2)).toEqual([
      ['antiphon.recovery', { 'antiphon.calls.open': 0, 'antiphon.calls.settled': 1 }],
      ['antiphon.result', expect.objectContaining({ 'antiphon.result.state': 'unknown', 'gen_ai.tool.name': 'look' })],
    ])
  })

  test('[OT15] a result that comes late, and an answer that cannot be recorded, are events of the turn', async () => {
    const store = new MemoryStore()
    const write: Store['write'] = async request => {
      if (request.entries.some(({ kind }) => kind === 'response-record') && records++ === 1)
        throw new Error('disk full')
      return MemoryStore.prototype.write.call(store, request)
    }
    let records = 0
    const journal = await journalAt(withMethods(store, { write }))
    const thread = journal.thread('t')
    await thread.submit('Look.')
    const slow = later<string>()
    const told = later<void>()
    const forget = thread.listen(entries => entries.some(({ kind }) => kind === 'call-late') && told.keep())
    const model = scripted([['slow', {}, 'call_a']], async () => {
      slow.keep('a cat')
      await told.promise
      return stream(chunks(['A cat.']))
    })
    await expect(
      run(thread, { model, tools: { slow: { execute: () => slow.promise, timeoutMs: 5 } } }),
    ).rejects.toThrow()
    forget()
    const turn = span('invoke_agent')
    expect(eventNames(turn).slice(2)).toEqual(['antiphon.result', 'antiphon.result.late', 'antiphon.retract'])
    expect(turn.attributes['antiphon.turn.status']).toBe('failed')
  })

  test('[OT16] a turn that its owner hands over, or leaves, says so', async () => {
    const { thread } = await started()
    const first = await thread.turn()
    await first?.handOver()
    const second = await thread.turn()
    await second?.[Symbol.asyncDispose]()
    expect(spans('invoke_agent').map(({ attributes }) => attributes['antiphon.turn.status'])).toEqual([
      'handed-over',
      'failed',
    ])
    expect(spans('invoke_agent')[1].attributes['error.type']).toBe('TurnAbandoned')
  })

  test('[OT16] a turn whose end cannot be written ends its span all the same, as left', async () => {
    const store = new MemoryStore()
    const write: Store['write'] = async request => {
      if (request.entries.some(({ kind }) => kind === 'turn-end')) throw new Error('disk full')
      return MemoryStore.prototype.write.call(store, request)
    }
    const thread = (await journalAt(withMethods(store, { write }))).thread('t')
    await thread.submit('Look.')
    await expect(run(thread, { model: scripted(new Error('overloaded')) })).rejects.toThrow('disk full')
    expect(tree()).toEqual([['invoke_agent', ['chat']]])
    expect(span('invoke_agent').attributes).toMatchObject({ 'antiphon.turn.status': 'left', 'error.type': '_OTHER' })
    expect(isError(span('invoke_agent'))).toBe(true)
  })

  test('[OT16] an interrupted turn that has lost its owner is brought to its end in a span', async () => {
    let slept = 0
    const store = new MemoryStore({ now: () => Date.now() + slept })
    const [here, there] = [await journalAt(store), await journalAt(store, { telemetry: false })]
    await here.thread('t').submit('Look.')
    await using _crashed = await there.thread('t').turn()
    await here.thread('t').interrupt()
    slept = 60_000
    expect(await run(here.thread('t'), { model: scripted() })).toMatchObject({ status: 'nothing' })
    expect(tree()).toEqual([['invoke_agent']])
    expect(span('invoke_agent').attributes['antiphon.turn.status']).toBe('interrupted')
    expect(eventNames(span('invoke_agent'))).toEqual(['antiphon.recovery'])
  })
})

/** What a span of one's own is around. */
const traced =
  <T>(value: T) =>
  (span: Span): T => {
    span.end()
    return value
  }

const isOf = (epoch: number) => (span: ReadableSpan) => span.attributes['antiphon.turn.epoch'] === epoch
