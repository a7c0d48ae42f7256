import { describe, expect, test } from 'vitest'
import { decodeHistoryDocument } from '../../../../src/apps/viewer/document/decode-history.ts'
import type { DecodedDocument } from '../../../../src/apps/viewer/document/decoded-document.ts'
import { DocumentModel } from '../../../../src/apps/viewer/document/document-model.ts'
import type { OpenCallFacts, ThreadDocument } from '../../../../src/apps/viewer/protocol.ts'
import type { Codec } from '../../../../src/codecs/codec.ts'
import { codecs } from '../../../../src/codecs/index.ts'
import type { CallPart, ResultPart } from '../../../../src/core/conversation.ts'
import { rules } from '../../../../src/core/rules/index.ts'
import { drawMessageRecords } from '../../../../src/doctor/drawing.ts'
import { judge } from '../../../../src/doctor/judge.ts'
import { MessageAssembler as Records, storeFormat } from '../../../../src/doctor/record-format.ts'
import { healRequest } from '../../../../src/index.ts'
import { openJournal } from '../../../../src/journal/index.ts'
import { readTape } from '../../../../src/observe/tape/index.ts'
import { history } from '../../../laws/history.ts'
import { codecIds, readersOf } from '../../../laws/try-laws.ts'
import { interrupted, recording } from '../../../observe/tape/recording.ts'
import { calls, openDocument, openValue, result, user, whole } from './open-history.ts'

test.each(codecIds)('[VS8] a request body in %s is repaired as healRequest repairs it, and stays whole', format => {
  const codec: Codec = codecs[format]
  const { root } = codec.format
  const dialects = readersOf(format)
  let drawn = 0
  for (let seed = 0; seed < 60; seed++) {
    const { messages } = history(format, seed)
    const body = { model: 'gpt-5', temperature: 0.5, ...(seed % 3 === 0 ? { tools: [] } : {}), [root]: messages }
    const options = { format, for: dialects[seed % dialects.length] }
    const decoded = decodeHistoryDocument(body, options) as DecodedDocument
    const { body: healedBody, repairs } = healRequest(body, options)
    const healed = healedBody as Record<string, unknown>
    expect(decoded.healed?.()).toEqual(healed)
    expect(healed.temperature).toBe(0.5)
    // The steps show what the rules about the history do; limits of the request are repaired before them.
    if (repairs.some(({ rule }) => !historyRules.has(rule))) continue
    drawn++
    const model = new DocumentModel(decoded)
    const conversation = { ...codec.decode(messages), messages: decoded.messages }
    const last = model.snapshot(model.opened.steps.length).messages
    expect(JSON.stringify(codec.encode(last, conversation, messages))).toEqual(JSON.stringify(healed[root]))
  }
  expect(drawn).toBeGreaterThan(20)
})

const historyRules = new Set(rules.map(({ id }) => id))

test('[VS8] an object that only wraps a list is checked as its list, and stays around it', async () => {
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
  ]
  const { service, opened } = await openValue({ title: 'A chat', messages })
  expect(opened.diagnostics.map(({ rule }) => rule)).toEqual(['unanswered-call'])
  const healed = JSON.parse((await service.healed()) as string)
  expect(Object.keys(healed)).toEqual(['title', 'messages'])
  expect(healed.messages.length).toBe(3)
  const request = await openValue({ model: 'claude-sonnet-4-5', messages })
  expect(request.opened.diagnostics.map(({ rule }) => rule)).toEqual(['unanswered-call', 'undeclared-tools'])
})

describe('threads', () => {
  /** A thread whose last step has a call that waits for an approval, and one that has its result. */
  async function parkedThread(): Promise<ThreadDocument> {
    await using journal = await openJournal('memory:')
    const thread = journal.thread('t', { for: 'openai' })
    await thread.submit('Weather, please.')
    const turn = await thread.turn()
    if (!turn) throw new Error('no turn')
    const [first, second] = await turn.record({
      ...completion,
      choices: [{ index: 0, message: calls('call_1', 'call_2'), finish_reason: 'tool_calls' }],
    })
    await turn.perform(first, () => 'sunny')
    await turn.parkCall(second, 'approval')
    const open: OpenCallFacts = {
      id: second.id,
      providerId: 'call_2',
      name: second.name,
      input: '{}',
      state: 'approval',
      since: 0,
    }
    return {
      ...{ kind: 'thread', name: 't', format: 'openai-chat', for: 'openai', history: await thread.messages() },
      thread: { state: 'parked', head: 1, updatedAt: 0, turns: 1, open: [open], agents: [], waiting: [], notes: [] },
    }
  }
  const completion = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'gpt-5' }

  test('[VS9] a waiting call is drawn as waiting, without the placeholder that the model gets', async () => {
    const document = await parkedThread()
    expect(document.history.length).toBe(4)
    const { service, opened } = await openDocument(document)
    expect(opened).toMatchObject({
      rows: 3,
      steps: [],
      diagnostics: [],
      counts: { calls: 2, results: 1, unanswered: 0 },
    })
    expect((await whole(service)).arcs).toEqual([
      { kind: 'paired', name: 'get_weather', id: 'call_1', from: 1, to: 2, lane: 0 },
      { kind: 'waiting', name: 'get_weather', id: 'call_2', from: 1, lane: 1 },
    ])
    expect(JSON.parse((await service.healed()) as string).length).toBe(3)
  })

  test('[VS9] a thread can be checked for another provider', async () => {
    const { service } = await openDocument(await parkedThread())
    const opened = await service.open(await parkedThread(), { for: 'mistral' })
    expect(opened.dialect).toBe('mistral')
    expect(opened.steps.length).toBeGreaterThan(0)
    expect((await whole(service, opened.steps.length)).arcs.map(({ kind }) => kind)).toEqual(['paired', 'waiting'])
  })
})

describe('stores', () => {
  const call = (id: string): CallPart => ({
    kind: 'call',
    id,
    name: 'bash',
    input: {},
    callKind: 'function',
    by: 'client',
  })
  const answer = (id: string): ResultPart => ({
    kind: 'result',
    id,
    content: 'done',
    callKind: 'function',
    by: 'client',
  })
  const wire = storeFormat({ root: 'lines', locate: ({ origin }, part) => `line ${(part?.slot ?? origin ?? 0) + 1}` })

  /** A store in which a call has no result, another has two, and a third is named as waiting. */
  function stored() {
    const records = new Records()
    records.push(0, [{ role: 'user', parts: [{ kind: 'text', text: 'Go on.' }] }])
    records.push(1, [{ role: 'assistant', parts: [call('a')] }])
    records.push(2, [{ role: 'user', parts: [{ kind: 'text', text: 'Well?' }] }])
    records.push(3, [{ role: 'assistant', parts: [call('b')] }])
    records.push(4, [{ role: 'tool', parts: [answer('b')] }])
    records.push(5, [{ role: 'tool', parts: [answer('b')] }])
    records.push(6, [{ role: 'assistant', parts: [call('c')] }])
    const found = judge(records.messageRecords, { format: wire, dialect: 'anthropic' }, { pendingCalls: ['c'] })
    const names = Array.from({ length: 7 }, (_, index) => ({
      at: `line ${index + 1}`,
      text: `{"number":${index},"kept":"whole"}`,
    }))
    return {
      ...drawMessageRecords(records.messageRecords, found, names),
      kind: 'stored',
      name: 's',
      system: 'Toy',
      state: 'broken',
      notes: [],
    } as const
  }

  test('[VS10] a conversation of a store is drawn as the doctor judged it, with its records', async () => {
    const { service, opened } = await openDocument(JSON.parse(JSON.stringify(stored())))
    expect(opened.dialects).toEqual([])
    expect(opened.diagnostics.map(({ rule, at, rows }) => [rule, at, rows[0]])).toEqual([
      ['duplicate-result', 'line 6', 5],
      ['unanswered-call', 'line 2', 1],
    ])
    expect(opened.steps.map(({ description }) => description)).toEqual([
      'Remove a second result of bash (b)',
      'Add a placeholder for bash (a): no result was recorded',
    ])
    const { arcs, rows } = await whole(service)
    expect(arcs.map(({ kind, id }) => [kind, id])).toEqual([
      ['open', 'a'],
      ['paired', 'b'],
      ['duplicate', 'b'],
      ['waiting', 'c'],
    ])
    expect(rows.map(({ at }) => at)).toEqual(['1', '2', '3', '4', '5', '6', '7'].map(number => `line ${number}`))
    expect((await whole(service, 2)).arcs.map(({ kind }) => kind)).toEqual(['paired', 'paired', 'waiting'])
    expect((await service.content(0, 4)).blocks).toEqual([
      { kind: 'text', title: 'result', text: 'done' },
      { kind: 'json', title: 'line 5', value: { number: 4, kept: 'whole' } },
    ])
    expect(await service.search(0, '"number":3')).toEqual([3])
    expect(await service.healed()).toBeUndefined()
    const told: unknown[] = []
    await service.verdicts(verdict => told.push(verdict))
    expect(told).toEqual([])
  })
})

describe('tapes', () => {
  const tape = () => {
    const { tape, text } = recording({ redact: false })
    interrupted(tape)
    return { kind: 'tape', name: 'run.tape', entries: readTape(text()).entries, redacted: false, faults: [] } as const
  }

  test('[VS11] a tape shows what inspect returns, and each of its requests is a document', async () => {
    const { service, opened } = await openDocument(tape())
    expect(opened).toMatchObject({ rows: 0, steps: [] })
    expect(opened.unsupported).toBeUndefined()
    const { firstFailure, requests } = await service.inspection()
    expect(firstFailure?.request).toBe(2)
    expect(requests.map(({ verdict, request }) => [verdict, request.body])).toEqual([
      ['accepted', undefined],
      ['rejected', undefined],
      ['rejected', undefined],
    ])
    expect(await service.request(4)).toBeUndefined()
    const third = await service.request(3)
    expect(third).toMatchObject({ kind: 'history', name: 'run.tape, request 3', options: { for: 'anthropic' } })
    const request = await service.open(third as NonNullable<typeof third>)
    expect(request.diagnostics.map(({ rule }) => rule)).toEqual(['interleaved-message'])
    await expect(service.inspection()).rejects.toMatchObject({ code: 'no-tape' })
  })
})

test.each([
  ['a number', 7, 'neither a list of messages nor a request'],
  ['nothing', null, 'neither a list of messages nor a request'],
  ['a list of anything', [1, 'two', { three: 3 }], 'none of its messages has a known format'],
  ['a request with a text for a history', { model: 'gpt-5', input: 'Hello' }, '"input" is not a list of messages'],
])('[VS12] %s is not a history, and that is said', async (_, value, reason) => {
  const { service, opened } = await openValue(value)
  expect(opened.unsupported).toContain(reason)
  expect(opened).toMatchObject({ rows: 0, healedRows: 0, steps: [], diagnostics: [], dialects: [] })
  expect(await whole(service)).toEqual({ rows: [], arcs: [] })
  expect(await service.healed()).toBeUndefined()
})

test('[VS12] a provider that does not accept the format is reported, and so is text that is not JSON', async () => {
  const messages = [{ role: 'user', parts: [{ text: 'Hello' }] }]
  const { opened } = await openValue(messages, { format: 'gemini', for: 'mistral' })
  expect(opened.unsupported).toContain('mistral does not accept the format gemini')
  expect((await openDocument('{"kind":"history"')).opened.unsupported).toContain('JSON')
})

test('[VS13] the first messages of a history are drawn without diagnostics', async () => {
  const value = [user('Weather?'), calls('a', 'b'), result('x', 'lost'), calls('c')]
  const { service, opened } = await openDocument({ kind: 'history', name: 'h', value, total: 100_000 })
  expect(opened).toMatchObject({ rows: 4, steps: [], diagnostics: [] })
  expect((await whole(service)).arcs.find(({ id }) => id === 'c')?.kind).toBe('waiting')
  expect(await service.healed()).toBeUndefined()
})

test('[VS13] an empty list is an empty history', async () => {
  const { service, opened } = await openValue([])
  expect(opened).toMatchObject({ rows: 0, steps: [], diagnostics: [] })
  expect(opened.unsupported).toBeUndefined()
  expect(JSON.parse((await service.healed()) as string)).toEqual([])
  expect(await service.search(0, 'x')).toEqual([])
})

test('[VS18] bytes that are not an image are recognised at once, however much white space is in them', async () => {
  const url = `data:image/png;base64,${' '.repeat(300_000)}!`
  const { service } = await openValue([{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }])
  expect((await service.content(0, 0)).blocks.map(({ kind }) => kind)).toEqual(['json'])
})
