import * as api from '@opentelemetry/api'
import OpenAI from 'openai'
import { describe, expect, test, vi } from 'vitest'
import { type HealFetchOptions, healFetch } from '../../../src/integrations/fetch/index.ts'
import { run } from '../../../src/journal/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { chatMessages } from '../../integrations/fetch/clients/openai.ts'
import { failures, healthy, type Said } from '../../integrations/fetch/failures.ts'
import { eventNames, eventsOf, exported, journalAt, span, tracer, tree } from './spans.ts'

/** A request of the real client to a strict provider, in a span of the caller. */
const ask = async (messages: readonly Said[], options: HealFetchOptions = {}, provider = 'openai') => {
  await using strict = await startStrict({ provider })
  await tracer.startActiveSpan('request', async request => {
    await clientOf(strict.url, options).chat.completions.create({ model: 'prod', messages: chatMessages(messages) })
    request.end()
  })
  return strict.requests.map(({ verdict }) => (typeof verdict === 'string' ? verdict : verdict.status))
}

const clientOf = (url: string, options: HealFetchOptions = {}) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0, logLevel: 'off', fetch: healFetch(options) })

describe('healFetch', () => {
  test('[OT27] a repaired request is an event of the active span, by rule', async () => {
    const twice = [...failures.unanswered.slice(0, 2), ...failures.unanswered]
    expect(await ask(twice)).toEqual(['accepted'])
    expect(tree()).toEqual([['request']])
    expect(eventsOf(span('request'))).toEqual([
      [
        'antiphon.repair',
        {
          'antiphon.repair.rule': 'unanswered-call',
          'antiphon.repair.class': 'synthetic',
          'antiphon.repair.count': 2,
          'antiphon.dialect': 'openai',
        },
      ],
    ])
    for (const { text = '' } of twice as { text?: string }[]) if (text) expect(exported()).not.toContain(text)
  })

  test('[OT28] a refusal that led to a second try is one too', async () => {
    expect(await ask(failures.system, {}, 'qwen-template')).toEqual([400, 'accepted'])
    const events = eventsOf(span('request'))
    expect(events[0]).toEqual([
      'antiphon.refusal',
      {
        'antiphon.refusal.fact': 'tp-system-first',
        'antiphon.dialect': 'qwen-template',
        'http.response.status_code': 400,
      },
    ])
    expect(eventNames(span('request')).slice(1)).toEqual(['antiphon.repair'])
  })

  test('[OT29] a healthy request is none, and without a span nothing is made', async () => {
    await ask(healthy)
    expect(eventNames(span('request'))).toEqual([])
    await using strict = await startStrict({ provider: 'openai' })
    await clientOf(strict.url).chat.completions.create({ model: 'prod', messages: chatMessages(failures.unanswered) })
    expect(tree()).toEqual([['request']])
  })

  test('[OT29] `telemetry: false` makes no events, and an API that is given is used', async () => {
    await ask(failures.unanswered, { telemetry: false })
    expect(eventNames(span('request'))).toEqual([])
    const told: string[] = []
    const mine = { isRecording: () => true, addEvent: (name: string) => told.push(name) }
    const trace = Object.assign(Object.create(api.trace), { getActiveSpan: () => mine })
    await ask(failures.unanswered, { telemetry: { api: { ...api, trace } } })
    expect(told).toEqual(['antiphon.repair'])
  })

  test('[OT29] telemetry that fails harms no request', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const getActiveSpan = (): never => {
      throw new Error('no')
    }
    const trace = Object.assign(Object.create(api.trace), { getActiveSpan })
    for (const broken of [{ ...api, trace }, {} as never, { trace: {} } as never])
      expect(await ask(failures.unanswered, { telemetry: { api: broken } })).toEqual(['accepted'])
    warnings.mockRestore()
  })

  test('[OT30] in a run the repairs of a request stand in the span of the model call, with the real client', async () => {
    await using strict = await startStrict({ provider: 'openai' })
    const journal = await journalAt()
    const thread = journal.thread('t', { model: 'gpt-5' })
    await thread.submit('Are you there?')
    const client = clientOf(strict.url)
    const before = chatMessages(failures.unanswered)
    const model = ({ messages, signal }: { messages: never[]; signal: AbortSignal }) =>
      client.chat.completions.create({ model: 'gpt-5', messages: [...before, ...messages], stream: true }, { signal })
    expect(await run(thread, { model })).toEqual({ status: 'done', turn: 1 })
    expect(tree()).toEqual([['invoke_agent', ['chat gpt-5']]])
    expect(eventNames(span('chat'))).toEqual(['antiphon.repair'])
    expect(span('chat').attributes).toMatchObject({
      'gen_ai.request.stream': true,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.response.model': 'gpt-5',
    })
  })
})
