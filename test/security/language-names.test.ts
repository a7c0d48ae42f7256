import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { codecs } from '../../src/codecs/index.ts'
import { mimeOf } from '../../src/codecs/shared/pieces.ts'
import { replies } from '../../src/codecs/shared/replies.ts'
import { examineStores } from '../../src/doctor/doctor.ts'
import { systems } from '../../src/doctor/systems.ts'
import { check, convert, createHealer, detect, healRequest, repair, trim } from '../../src/index.ts'
import { toParts } from '../../src/integrations/mastra/stored-message.ts'
import { openJournal } from '../../src/journal/index.ts'
import { createTape, inspect, readTape } from '../../src/observe/tape/index.ts'
import { streamers } from '../codecs/replies-streams.ts'
import { all, inFolder } from '../doctor/contract.ts'
import { history, codecs as wires } from '../laws/history.ts'

const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']
const ownKeys = Reflect.ownKeys(Object.prototype)

/** Whatever was done, the language is as it was. */
afterEach(() => {
  expect(Reflect.ownKeys(Object.prototype)).toEqual(ownKeys)
  expect(Object.keys(Object.prototype)).toEqual([])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  expect(([] as { polluted?: unknown }).polluted).toBeUndefined()
})

/** The same value, as JSON gives it, with fields in every object that would change all objects if they were set carelessly. */
const tainted = <Value>(value: Value): Value => JSON.parse(taint(value)) as Value

function taint(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(taint).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).map(([key, field]) => `${JSON.stringify(key)}:${taint(field)}`)
  const evil = [
    '"__proto__":{"polluted":1,"role":"system","type":"text"}',
    '"constructor":{"prototype":{"polluted":1}}',
  ]
  return `{${[...fields, ...evil].join(',')}}`
}

/** Objects whose prototype was put in their place by data. */
function strange(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const found = [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)) ? [] : [at]
  return [...found, ...Object.entries(value).flatMap(([key, field]) => strange(field, `${at}.${key}`))]
}

describe.each(wires)('%s', format => {
  test('[SE9] fields with such names in every object of a history change nothing but themselves', () => {
    for (const seed of [2, 3, 6]) {
      const messages = tainted(history(format, seed).messages)
      const healed = repair(messages, { format })
      const { root } = codecs[format].format
      const made = [
        healed.messages,
        healed.repairs,
        check(messages, { format }),
        trim(messages, { format, maxMessages: 5 }),
        healRequest(tainted({ model: 'm', [root]: messages }), { format }),
        createHealer({ format }).push(...messages),
        ...wires.map(to => convert(messages, { from: format, to })),
      ]
      expect({ seed, strange: made.flatMap(one => strange(one)) }).toMatchObject({ strange: [] })
      detect(messages)
    }
  })
})

test.each(streamers)('[SE9] $name $format: nor in every chunk of a stream', ({ format, chunks }) => {
  const spoken = {
    reasoning: 'hm',
    text: 'so',
    calls: names.map(name => ({ id: name, name, json: '{"__proto__":{"polluted":1}}' })),
  }
  const fold = replies[format].fold()
  for (const chunk of chunks(spoken, text => [text])) fold.push(tainted(chunk))
  const { messages } = fold.end()
  expect(strange(messages)).toEqual([])
  expect(messages.length).toBeGreaterThan(0)
})

test.each(names)('[SE9] a journal keeps threads, keys and calls that are called %s', async name => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread(name, { for: 'openai' })
  const first = await thread.submit(JSON.parse('{"role":"user","content":"hi","__proto__":{"polluted":1}}'), {
    key: name,
  })
  expect(
    await thread.submit(JSON.parse('{"role":"user","content":"hi","__proto__":{"polluted":1}}'), { key: name }),
  ).toEqual(first)
  await using turn = await thread.turn()
  const tool_calls = [{ id: name, type: 'function', function: { name, arguments: '{"__proto__":{"polluted":1}}' } }]
  const response = tainted({
    choices: [{ message: { role: 'assistant', content: null, tool_calls }, finish_reason: 'tool_calls' }],
  })
  const [call] = (await turn?.record(response)) ?? []
  await turn?.perform(call, () => JSON.parse('{"__proto__":{"polluted":1},"done":true}'))
  expect(JSON.stringify(turn?.messages)).toContain('done')
  expect(strange(turn?.messages)).toEqual([])
  expect(JSON.stringify(await all(journal.threads()))).toContain(JSON.stringify(name))
})

test('[SE9] a tape is written and read with them', () => {
  const lines: string[] = []
  for (const redact of [true, false]) {
    const tape = createTape({ write: line => lines.push(line), redact })
    for (const name of names) {
      const request = tape.request({
        format: name,
        dialect: name,
        body: tainted({ model: name, messages: [{ role: name, content: name }] }),
      })
      tape.response(request, {
        status: 200,
        body: tainted({ choices: [{ message: { role: 'assistant', content: name } }] }),
      })
      tape.callStart({ id: name, name })
      tape.callEnd({ id: name, name })
      tape.repair({ request, repairs: [{ rule: name, at: name }] })
    }
  }
  const tape = readTape(lines.map(line => taint(JSON.parse(line))).join('\n'))
  inspect(tape.entries)
  expect(tape.entries.length).toBeGreaterThan(names.length * 8)
})

test.each(names)('[SE9] a medium at an address that ends in .%s has a type that is one', name => {
  expect(mimeOf({ kind: 'media', type: 'image', url: `https://example.test/a.${name}` })).toMatch(/^image\/\w+$/)
})

test.each(names)('[SE9] a call in the state %s, as Mastra keeps it, is in no other state', state => {
  const toolInvocation = { toolCallId: 'A', toolName: 'look', args: {}, state }
  const message = { id: 'm', role: 'assistant', content: { parts: [{ type: 'tool-invocation', toolInvocation }] } }
  expect(toParts(message)).toMatchObject({ parts: [{ state }] })
})

test.each(names)('[SE9] records of the kind %s in stores of others are records of no known kind', name =>
  inFolder(async folder => {
    const line = (type: string, payload: unknown): string =>
      JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', type, payload })
    const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] }
    const call = { type: 'function_call', name: 'look', arguments: '{}', call_id: 'A' }
    const output = { type: 'function_call_output', call_id: 'A', output: 'sunny' }
    const rollout = join(folder, 'rollout-2026-01-01T00-00-00-01990000-0000-7000-8000-000000000000.jsonl')
    const lines = [
      line('session_meta', {
        id: '01990000-0000-7000-8000-000000000000',
        timestamp: '2026-01-01T00:00:00.000Z',
        cwd: '/',
        originator: 'codex',
      }),
      line('response_item', user),
      line('response_item', call),
      line('response_item', { type: name, name, call_id: name }),
      line('event_msg', { type: name }),
      line(name, { type: name }),
      line('response_item', output),
    ]
    writeFileSync(rollout, `${lines.join('\n')}\n`)
    const events = join(folder, 'conversation', 'events')
    mkdirSync(events, { recursive: true })
    writeFileSync(join(folder, 'conversation', 'base_state.json'), '{"id":"1","kind":"x"}')
    const event = { id: 'aaaaaaaa-0000-4000-8000-000000000000', timestamp: '2026-01-01T00:00:00', source: 'agent' }
    writeFileSync(
      join(events, `event-00000-${event.id}.json`),
      `{"kind":"MessageEvent","id":"${event.id}","llm_message":{"role":"user","content":[{"type":"text","text":"hi"}]}}`,
    )
    writeFileSync(
      join(events, 'event-00001-bbbbbbbb-0000-4000-8000-000000000000.json'),
      `{"kind":"${name}","id":"bbbbbbbb-0000-4000-8000-000000000000","role":"result","result":7,"call":7}`,
    )
    const visits = await all(examineStores([folder], { systems }))
    expect(visits.map(one => (one.kind === 'unreadable' ? one.error.message : one.kind))).toEqual([
      'conversation',
      'conversation',
    ])
    for (const one of visits) expect(one).toMatchObject({ examination: { state: 'healthy' } })
  }),
)
