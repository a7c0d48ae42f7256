import * as api from '@opentelemetry/api'
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type JournalOptions, run, type TelemetryApi } from '../../../src/journal/index.ts'
import { calls, type Reply, scripted } from '../../journal/contract/model.ts'
import { exported, isError, journalAt, span, spans, tree } from './spans.ts'

const tools = { look: { execute: () => ({ seen: 'a cat' }) } }
const asking = () => [[['look', { where: 'under the bed' }, 'call_a'] as const], 'A cat.'] as const

const ran = async (telemetry: JournalOptions['telemetry'], replies: readonly Reply[] = asking()) => {
  const journal = await journalAt(undefined, telemetry === undefined ? {} : { telemetry })
  const thread = journal.thread('t', { model: 'gpt-5' })
  await thread.submit('What is there?')
  return run(thread, { model: scripted(...replies), tools })
}
const usual = [['invoke_agent', ['chat gpt-5'], ['execute_tool look'], ['chat gpt-5']]]

afterEach(() => vi.unstubAllEnvs())

describe('content', () => {
  test('[OT17] nothing that was said is in a span, nor arguments, results or the words of errors', async () => {
    await ran(undefined)
    expect(tree()).toEqual(usual)
    for (const words of ['What is there', 'under the bed', 'a cat', 'A cat.']) expect(exported()).not.toContain(words)
  })

  test('[OT18] with `captureContent` it is, as the conventions write it', async () => {
    await ran({ captureContent: true })
    const [first, last] = spans('chat').map(({ attributes }) => attributes)
    const asked = [{ role: 'user', parts: [{ type: 'text', content: 'What is there?' }] }]
    const call = { type: 'tool_call', id: 'call_a', name: 'look', arguments: { where: 'under the bed' } }
    expect(read(first['gen_ai.input.messages'])).toEqual(asked)
    expect(read(first['gen_ai.output.messages'])).toEqual([
      { role: 'assistant', parts: [call], finish_reason: 'tool_call' },
    ])
    expect(read(last['gen_ai.input.messages'])).toEqual([
      ...asked,
      { role: 'assistant', parts: [call] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_a', response: '{"seen":"a cat"}' }] },
    ])
    expect(read(last['gen_ai.output.messages'])).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'A cat.' }], finish_reason: 'stop' },
    ])
    const tool = span('execute_tool').attributes
    expect(read(tool['gen_ai.tool.call.arguments'])).toEqual({ where: 'under the bed' })
    expect(read(tool['gen_ai.tool.call.result'])).toEqual({ seen: 'a cat' })
  })

  test('[OT18] an error then says why, and so does an interrupt', async () => {
    await expect(ran({ captureContent: true }, [new Error('overloaded')])).rejects.toThrow()
    expect([span('chat'), span('invoke_agent')].map(({ status }) => status.message)).toEqual(
      Array(2).fill('overloaded'),
    )
  })

  test.each([
    ['true', true],
    ['SPAN_ONLY', true],
    ['span_and_event', true],
    ['EVENT_ONLY', false],
    ['false', false],
    ['', false],
  ])('[OT18] the environment can say so too: %j', async (value, captures) => {
    vi.stubEnv('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT', value)
    await ran(undefined)
    expect(exported().includes('under the bed')).toBe(captures)
    await ran({ captureContent: !captures })
    expect(spans('execute_tool').map(({ attributes }) => 'gen_ai.tool.call.arguments' in attributes)).toEqual([
      captures,
      !captures,
    ])
  })
})

describe('options', () => {
  test('[OT19] `telemetry: false` makes no spans', async () => {
    expect(await ran(false)).toEqual({ status: 'done', turn: 1 })
    expect(tree()).toEqual([])
  })

  test('[OT20] a tracer and an API that are given are used', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const given: TelemetryApi = api
    await ran({ api: given, tracer: provider.getTracer('mine') })
    expect(tree()).toEqual([])
    const names = exporter.getFinishedSpans().map(({ name, instrumentationScope }) => [instrumentationScope.name, name])
    expect(names).toEqual([
      ['mine', 'chat gpt-5'],
      ['mine', 'execute_tool look'],
      ['mine', 'chat gpt-5'],
      ['mine', 'invoke_agent'],
    ])
  })

  test('[OT20] an agent has a name, and model calls that are traced elsewhere have no spans', async () => {
    await ran({ agentName: 'Travel', chatSpans: false })
    expect(tree()).toEqual([['invoke_agent Travel', ['execute_tool look']]])
    const { attributes } = span('invoke_agent')
    expect(attributes).toMatchObject({ 'gen_ai.agent.name': 'Travel', 'gen_ai.usage.output_tokens': 2 })
  })

  test('[OT21] what is not sampled is not recorded, and neither is what stands in it', async () => {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({
      sampler: new ParentBasedSampler({ root: new AlwaysOffSampler() }),
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    })
    const inner = provider.getTracer('mine')
    const seen: boolean[] = []
    const journal = await journalAt(undefined, { telemetry: { tracer: inner } })
    const thread = journal.thread('t')
    await thread.submit('Look.')
    const look = {
      execute: () => {
        seen.push(api.trace.getActiveSpan()?.isRecording() === false)
        inner.startActiveSpan('inside', span => span.end())
      },
    }
    expect(await run(thread, { model: scripted([['look']], 'A cat.'), tools: { look } })).toMatchObject({ turn: 1 })
    expect(seen).toEqual([true])
    expect(exporter.getFinishedSpans()).toEqual([])
  })
})

describe('telemetry that fails', () => {
  const broken = (): never => {
    throw new Error('the exporter is broken')
  }
  const working = api.trace.getTracer('x')
  const processor = { onStart: () => {}, onEnd: () => {}, shutdown: async () => {}, forceFlush: async () => {} }
  const traced = (changes: Partial<typeof processor>) => {
    const tracer = new BasicTracerProvider({ spanProcessors: [{ ...processor, ...changes }] }).getTracer('x')
    return { tracer }
  }
  const spanWith = (changes: object) => ({
    tracer: {
      startSpan: (...args: Parameters<typeof working.startSpan>) => Object.assign(working.startSpan(...args), changes),
    },
  })
  const contextWith = (changes: object) => ({
    api: { ...api, context: Object.assign(Object.create(api.context), changes) },
  })
  const failing: Record<string, JournalOptions['telemetry']> = {
    'a processor that throws at the start': traced({ onStart: broken }),
    'a processor that throws at the end': traced({ onEnd: broken }),
    'a tracer that throws': { tracer: { startSpan: broken } },
    'a tracer that gives nothing': { tracer: { startSpan: () => undefined as never } },
    'a span that throws at whatever is told': spanWith({ setAttributes: broken, addEvent: broken, setStatus: broken }),
    'a span that throws when it is asked': spanWith({ isRecording: broken, spanContext: broken, end: broken }),
    'a context that throws': contextWith({ with: broken }),
    'a context that throws behind the work': contextWith({
      with: (_: unknown, work: () => void) => {
        work()
        broken()
      },
    }),
    'a context that does nothing': contextWith({ with: () => {} }),
    'a context that does all twice, and once more later': contextWith({
      with: (_: unknown, work: () => void) => {
        for (const _ of [1, 2]) work()
        setImmediate(work)
      },
    }),
    'a context that is not there': contextWith({ active: undefined }),
    'an API of another version': { api: { trace: {}, context: {} } as never },
    'an API that is none': { api: {} as never },
    'an API that throws at every look': { api: new Proxy({}, { get: broken }) as never },
  }

  test.each(Object.keys(failing))('[OT22] %s harms no turn', async name => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const [first, last] = asking()
    let performed = 0
    const journal = await journalAt(undefined, { telemetry: failing[name] ?? false })
    const thread = journal.thread('t')
    await thread.submit('Look.')
    const look = { execute: () => ++performed }
    const failed = { execute: () => Promise.reject(new TypeError('no')) }
    const model = scripted([...first, ['failed']], last)
    expect(await run(thread, { model, tools: { look, failed } })).toEqual({ status: 'done', turn: 1 })
    await new Promise(setImmediate)
    expect(performed).toBe(1)
    const results = model.asked[1].flatMap(message =>
      (message as { role: string; content: string }).role === 'tool' ? [(message as { content: string }).content] : [],
    )
    expect(results).toEqual(['1', 'no'])
    await thread.submit('Again.')
    const error = new Error('overloaded')
    await expect(run(thread, { model: scripted(error) })).rejects.toBe(error)
    expect(await thread.status()).toMatchObject({ last: { turn: 2, status: 'failed' } })
    expect(warnings.mock.calls.length).toBeLessThanOrEqual(1)
    warnings.mockRestore()
  })

  test('[OT22] it is a warning, once', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    await ran({ tracer: { startSpan: broken } })
    expect(warnings.mock.calls).toEqual([['telemetry failed: the exporter is broken', { code: 'ANTIPHON_TELEMETRY' }]])
    warnings.mockRestore()
  })

  test('[OT22] a span that was ended elsewhere is left as it is', async () => {
    const journal = await journalAt()
    const thread = journal.thread('t')
    await thread.submit('Look.')
    const turn = await thread.turn()
    turn?.trace.within(() => api.trace.getActiveSpan()?.end())
    const [call] = (await turn?.record(calls(['look']))) ?? []
    await turn?.perform(call, () => 'a cat')
    await turn?.finish()
    expect(tree()).toEqual([['invoke_agent', ['execute_tool look']]])
    expect(isError(span('invoke_agent'))).toBe(false)
  })
})

const read = (json: unknown): unknown => JSON.parse(String(json))
