import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTape, inspect, readTape } from '../../../src/observe/tape/index.ts'
import { isTape } from '../../../src/observe/tape/read-tape.ts'
import { interrupted, recording } from './recording.ts'

describe('format', () => {
  test('[TP1] what is recorded is read back, with its time, its order and its writer', () => {
    const { tape, text } = recording({ redact: false })
    const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'Hi, 42.' }] }
    const request = tape.request({ url: 'https://api.openai.com/v1/chat/completions', format: 'openai-chat', body })
    tape.repair({ request, repairs: [{ rule: 'orphan-result', at: 'messages[0]', callId: 'call_1' }] })
    tape.response(request, {
      status: 200,
      reply: { messages: [{ role: 'assistant', content: 'Hello.' }], finish: 'stop' },
    })
    tape.callStart({ id: '', name: 'search', thread: 'ada' })
    tape.callEnd({ id: 'call_1', status: 'error' })
    tape.input({ content: 'More?' })
    tape.interrupt({ reason: 'enough' })
    expect(readTape(text())).toEqual({
      heads: [{ kind: 'tape', version: 1, at: 1100, from: 'one', redacted: false }],
      entries: [
        {
          ...{ at: 1200, order: 1, from: 'one', kind: 'request', id: 'one.1' },
          ...{ url: 'https://api.openai.com/v1/chat/completions', wire: 'openai-chat', body },
        },
        {
          ...{ at: 1300, order: 2, from: 'one', kind: 'repair', request: 'one.1' },
          repairs: [{ rule: 'orphan-result', at: 'messages[0]', callId: 'call_1' }],
        },
        {
          ...{ at: 1400, order: 3, from: 'one', kind: 'response', request: 'one.1', status: 200 },
          reply: { messages: [{ role: 'assistant', content: 'Hello.' }], finish: 'stop' },
        },
        { at: 1500, order: 4, from: 'one', thread: 'ada', kind: 'call-start', call: 'search', name: 'search' },
        { at: 1600, order: 5, from: 'one', kind: 'call-end', call: 'call_1', status: 'error' },
        { at: 1700, order: 6, from: 'one', kind: 'input', content: 'More?' },
        { at: 1800, order: 7, from: 'one', kind: 'interrupt', reason: 'enough' },
      ],
      faults: [],
      cut: false,
    })
  })

  test('[TP1] a body can come as JSON text, and what is not JSON stays text', () => {
    const { tape, text } = recording({ redact: false })
    tape.request({ body: '{"input":"Hi"}' })
    tape.request({ body: 'a=1&b=2' })
    expect(readTape(text()).entries).toMatchObject([{ body: { input: 'Hi' } }, { body: 'a=1&b=2' }])
  })

  test.each([true, false])('[TP2] no key and no header is kept, with redact %s', redact => {
    const { tape, text } = recording({ redact })
    const mcp = { type: 'mcp', server_label: 'crm', authorization: 'hidden-1', headers: { 'x-key': 'hidden-2' } }
    const request = tape.request({
      url: 'https://ada:hidden-3@example.test/v1/responses?key=hidden-4&api-version=2026-01-01#hidden-5',
      body: { input: 'Hi', tools: [mcp], mcp_servers: [{ name: 'crm', authorization_token: 'hidden-6' }] },
    })
    tape.request({ url: '/v1/chat?key=hidden-7', body: {} })
    tape.response(request, {
      status: 401,
      body: { error: { message: 'Incorrect API key provided: sk-hidden8abcdef' } },
    })
    tape.response(request, {
      status: 400,
      body: { error: { message: 'no Bearer hidden-9 and no "sk-proj-hidden10" here' } },
    })
    expect(text()).not.toMatch(/hidden/)
    expect(text()).toContain('https://example.test/v1/responses?api-version=2026-01-01"')
    expect(text()).toContain('"crm"')
  })

  test('[TP3] a tape that is cut anywhere is read up to there', () => {
    const { tape, text } = recording()
    interrupted(tape)
    const whole = readTape(text())
    for (let length = 0; length <= text().length; length++) {
      const part = text().slice(0, length)
      const { entries, faults, cut } = readTape(part)
      expect(faults).toEqual([])
      expect(entries).toEqual(whole.entries.slice(0, entries.length))
      const lines = part.split('\n')
      const isHalf = lines.at(-1) !== '' && text()[length] !== '\n' && length < text().length
      expect(cut).toBe(isHalf)
      expect(() => inspect(entries)).not.toThrow()
    }
  })

  test('[TP4] a line that cannot be read is reported with its number; all others are read', () => {
    const { tape, text } = recording()
    interrupted(tape)
    const lines = text().split('\n')
    lines[3] = lines[3].slice(0, 40)
    lines.splice(6, 0, '', 'garbage', '{"kind":"request","at":1,"order":99,"from":"two"}', '[]')
    const { entries, faults } = readTape(lines.join('\r\n'))
    expect(entries).toHaveLength(readTape(text()).entries.length - 1)
    expect(faults).toEqual([
      { line: 4, reason: 'not JSON' },
      { line: 5, reason: '1 entry of the same writer missing before it' },
      { line: 8, reason: 'not JSON' },
      { line: 9, reason: 'not an entry of a tape' },
      { line: 10, reason: 'not an entry of a tape' },
    ])
  })

  test('[TP4] no text at all makes reading or inspecting throw', () => {
    const { tape, text } = recording()
    interrupted(tape)
    const mangled = fc
      .array(fc.tuple(fc.nat(text().length), fc.nat(40), fc.string()), { maxLength: 6 })
      .map(cuts => cuts.reduce((all, [at, length, put]) => all.slice(0, at) + put + all.slice(at + length), text()))
    const entry = fc.record({
      at: fc.oneof(fc.nat(), fc.jsonValue()),
      order: fc.nat(3),
      from: fc.constant('one'),
      kind: fc.constantFrom('request', 'response', 'call-start', 'call-end', 'repair', 'input', 'interrupt'),
      id: fc.constantFrom('a', 'b'),
      request: fc.constantFrom('a', 'b'),
      call: fc.constantFrom('a', '__proto__'),
      body: fc.jsonValue(),
      reply: fc.oneof(fc.jsonValue(), fc.record({ messages: fc.array(fc.jsonValue()) })),
      status: fc.oneof(fc.nat(600), fc.constant('done')),
      repairs: fc.constant([]),
      dialect: fc.constantFrom('openai', 'none', '__proto__'),
    })
    const made = fc.array(entry).map(entries => entries.map(one => JSON.stringify(one)).join('\n'))
    fc.assert(
      fc.property(fc.oneof(mangled, made, fc.string()), any => {
        const { entries } = readTape(any)
        inspect(entries)
        isTape(any)
      }),
      { numRuns: 2000 },
    )
  })

  test('[TP1] a newer version is reported, and only a tape is recognized as one', () => {
    const { text } = recording()
    expect(readTape(text().replace('"version":1', '"version":9')).faults).toEqual([
      { line: 1, reason: 'unsupported version 9 (supported: up to 1)' },
    ])
    expect([isTape(text()), isTape('[]'), isTape('{"role":"user"}\n'), isTape('')]).toEqual([true, false, false, false])
  })

  test('[TP5] what cannot be written is one warning and never thrown', () => {
    const told: string[] = []
    const failing = createTape({
      write: () => {
        throw new Error('the disk is full')
      },
      warn: words => told.push(words),
    })
    interrupted(failing)
    expect(told).toEqual(['the tape could not record an event: the disk is full'])
    const thrower = createTape({
      write: () => {
        throw new Error('again')
      },
      warn: () => {
        throw new Error('and again')
      },
    })
    expect(() => interrupted(thrower)).not.toThrow()
  })
})
