import { describe, expect, test } from 'vitest'
import { agentFramework } from '../../../../src/doctor/systems/agent-framework/index.ts'
import { type HealedText, healText } from '../../heal-text.ts'

const healSnapshot = (messages: unknown[], more: object = {}): Promise<HealedText> =>
  healText(agentFramework, 't1.json', JSON.stringify({ messages, state: null, interrupt: null, ...more }))

const healLines = (lines: readonly (object | string)[], ending = '\n'): Promise<HealedText> =>
  healText(
    agentFramework,
    's1.jsonl',
    lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + ending,
  )

const messagesIn = ({ text }: HealedText) => JSON.parse(text).messages
const linesIn = ({ text }: HealedText) =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

const unknown = '[no result] No result of this call was recorded. Whether it ran is not known.'
const rejected = 'Error: Tool call invocation was rejected by user.'

const user = (content: string) => ({ id: `u-${content}`, role: 'user', content })
const said = (content: string) => ({ id: `a-${content}`, role: 'assistant', content })
const step = (...ids: string[]) => ({
  id: `s-${ids}`,
  role: 'assistant',
  toolCalls: ids.map(id => ({ id, type: 'function', function: { name: 'deploy', arguments: '{"build": 812}' } })),
})
const tool = (id: string, content: string) => ({ id: `t-${id}`, role: 'tool', toolCallId: id, content })
const question = {
  id: 'q1',
  type: 'function',
  function: { name: 'confirm_changes', arguments: '{"function_name": "deploy", "function_call_id": "c1"}' },
}
const asked = { ...step('c1'), toolCalls: [...step('c1').toolCalls, question] }

describe('snapshots of AG-UI threads', () => {
  test('[DF3] calls that an interrupt names stay open, however it names them', async () => {
    const messages = [user('go'), step('c1'), said('May I?')]
    for (const interrupt of [
      [{ id: 'c1', reason: 'tool_call' }],
      [{ id: 'i1', toolCallId: 'c1' }],
      [{ id: 'i1', metadata: { agent_framework: { function_call: { call_id: 'c1' } } } }],
      [{ id: 'i1', value: { function_call: { call_id: 'c1' } } }],
    ]) {
      const { examination, text } = await healSnapshot(messages, { interrupt })
      expect(examination.state).toBe('pending')
      expect(text).toBe(JSON.stringify({ messages, state: null, interrupt }))
    }
    expect((await healSnapshot(messages, { interrupt: [] })).broken).toEqual([
      'unanswered-call at messages[1].toolCalls[0]',
    ])
  })

  test('[DF4] a decision in the place of a result becomes the known outcome of the call', async () => {
    const left = [user('go'), step('c1', 'c2'), tool('c1', '{"accepted": true}'), tool('c2', '{"accepted": false}')]
    const healed = await healSnapshot([...left, said('ok')])
    expect(messagesIn(healed).slice(2, 4)).toEqual([tool('c1', unknown), tool('c2', rejected)])
    expect(healed.examination.dropped.map(({ at }) => at)).toEqual(['messages[2]', 'messages[3]'])
    const edited = await healSnapshot([user('go'), step('c1'), tool('c1', '{"accepted": true, "build": 813}')])
    expect(messagesIn(edited)[2]).toEqual(tool('c1', unknown))
  })

  test('[DF4] of a decision and the result of the same call the result stays', async () => {
    const healed = await healSnapshot([
      user('go'),
      step('c1'),
      tool('c1', '{"accepted": true}'),
      said('wait'),
      tool('c1', 'deployed'),
    ])
    expect(messagesIn(healed)).toEqual([user('go'), step('c1'), tool('c1', 'deployed'), said('wait')])
  })

  test('[DF4] text that may be tool output is not a decision', async () => {
    const messages = [user('go'), step('c1'), tool('c1', '{"accepted": true, "order": 7}'), said('ok')]
    expect((await healSnapshot(messages)).examination.state).toBe('healthy')
  })

  test('[DF4] a decision in a user message is removed once its call is answered', async () => {
    const approval = (approved: boolean) => ({ function_approvals: [{ id: 'c1', call_id: 'c1', approved }] })
    for (const [approved, outcome] of [
      [true, unknown],
      [false, rejected],
    ] as const) {
      const decision = { ...user(''), ...approval(approved) }
      const healed = await healSnapshot([user('go'), step('c1'), decision, said('ok')])
      const [, , answer, last, ...rest] = messagesIn(healed)
      expect(answer).toMatchObject({ role: 'tool', toolCallId: 'c1', content: outcome })
      expect([last, ...rest]).toEqual([said('ok')])
      expect(healed.examination.dropped.map(({ content }) => JSON.parse(content))).toEqual([decision])
    }
  })

  test('[DF4] a decision in a user message is removed if its call is done, or missing', async () => {
    for (const id of ['c1', 'c9']) {
      const decision = { ...user(''), function_approvals: [{ id, call_id: id, approved: true }] }
      const healed = await healSnapshot([user('go'), step('c1'), tool('c1', 'done'), decision, said('ok')])
      expect(messagesIn(healed)).toEqual([user('go'), step('c1'), tool('c1', 'done'), said('ok')])
      expect(healed.examination.dropped.map(({ content }) => JSON.parse(content))).toEqual([decision])
    }
  })

  test('[DF4] decisions next to text, or on several calls of which one is done, are removed', async () => {
    const approvals = (...ids: string[]) => ({
      function_approvals: ids.map(id => ({ id, call_id: id, approved: true })),
    })
    const spoken = [user('go'), step('c1'), tool('c1', 'done'), { ...user('yes'), ...approvals('c1') }, said('ok')]
    const healed = await healSnapshot(spoken)
    expect(messagesIn(healed)[3]).toEqual(user('yes'))
    expect(healed.broken).toEqual(['orphan-approval at messages[3]'])
    const mixed = [
      user('go'),
      step('c1', 'c2'),
      tool('c1', 'done'),
      { ...user(''), ...approvals('c1', 'c2') },
      said('ok'),
    ]
    const both = messagesIn(await healSnapshot(mixed))
    expect(both.map(({ role, content }: Record<string, unknown>) => [role, content])).toEqual([
      ['user', 'go'],
      ['assistant', undefined],
      ['tool', 'done'],
      ['tool', unknown],
      ['assistant', 'ok'],
    ])
  })

  test('[DF4] a decision on a question decides the call it is about, and is removed', async () => {
    const decision = { ...user(''), function_approvals: [{ id: 'q1', call_id: 'q1', approved: false }] }
    const interrupt = [{ id: 'i', toolCallId: 'c2' }]
    const waiting = [user('and?'), step('c2')]
    const done = [user('go'), asked, tool('c1', 'deployed')]
    const healed = await healSnapshot([...done, decision, said('ok'), ...waiting], { interrupt })
    expect(healed.broken).toEqual(['orphan-approval at messages[3]'])
    expect(messagesIn(healed)).toEqual([...done, said('ok'), ...waiting])
    const open = messagesIn(await healSnapshot([user('go'), asked, decision, said('ok')]))
    expect(open.map(({ role, content }: Record<string, unknown>) => [role, content])).toEqual([
      ['user', 'go'],
      ['assistant', undefined],
      ['tool', rejected],
      ['assistant', 'ok'],
    ])
  })

  test('[DF9] the question of the framework needs no result, and waits with its call', async () => {
    for (const id of ['c1', 'q1']) {
      const waiting = await healSnapshot([user('go'), asked, said('May I?')], {
        interrupt: [{ id: 'i', toolCallId: id }],
      })
      expect([waiting.examination.state, waiting.broken]).toEqual(['pending', []])
    }
    const done = [user('go'), asked, tool('c1', 'deployed'), said('ok')]
    const healthy = await healSnapshot(done)
    expect(healthy.examination.state).toBe('healthy')
    expect(messagesIn(healthy)).toEqual(done)
  })

  test('[DF5] a result that is made up has the keys of the others, in their order', async () => {
    const [, , made] = messagesIn(await healSnapshot([user('go'), step('c1'), said('x')]))
    expect(Object.keys(made)).toEqual(['id', 'role', 'content', 'toolCallId', 'error'])
  })

  test('[DF5] a snapshot is known inside of an object that is laid out in lines', async () => {
    const snapshot = { messages: [user('go'), said('x')], interrupt: null }
    const { examination } = await healText(agentFramework, 't.json', JSON.stringify({ scope: 's', snapshot }, null, 2))
    expect(examination.state).toBe('healthy')
  })

  test('[DF5] a snapshot inside a document of an application is repaired there', async () => {
    const snapshot = { messages: [user('go'), step('c1'), said('x'), tool('c1', 'y')], interrupt: null }
    const { text } = await healText(agentFramework, 't.json', JSON.stringify({ scope: 's', snapshot, at: 1 }))
    const { messages } = snapshot
    const healed = { ...snapshot, messages: [messages[0], messages[1], messages[3], messages[2]] }
    expect(text).toBe(JSON.stringify({ scope: 's', snapshot: healed, at: 1 }))
  })

  test('[DF5] numbers, escapes and spaces of a message that changes stay as they were', async () => {
    const before = `{"messages": [{"id": "u", "role": "user", "content": "gr\\u00fcn"}, {"id": "a", "role": "assistant",
 "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
 {"id": "t", "role": "tool", "content": "{\\"accepted\\": true}", "tool_call_id": "c", "cost":  1.0, "at": 1e5, "by": "J\\u00f6rg"}],
 "interrupt": null}`
    const { text } = await healText(agentFramework, 't.json', before)
    expect(text).toBe(before.replace('"{\\"accepted\\": true}"', JSON.stringify(unknown)))
  })
})

const line = (role: string, ...contents: object[]) => ({ type: 'message', role, contents, additional_properties: {} })
const text = (words: string) => ({ type: 'text', text: words })
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'deploy', arguments: '{}' })
const result = (id: string, words: string) => ({ type: 'function_result', call_id: id, result: words })
const request = (id: string) => ({ type: 'function_approval_request', id, function_call: call(id) })
const decision = (id: string, approved: boolean) => ({
  type: 'function_approval_response',
  id,
  approved,
  function_call: call(id),
})

describe('history files', () => {
  test('[DF6] an approval that was asked for without its call waits too', async () => {
    const { examination } = await healLines([line('user', text('go')), line('assistant', request('a'))])
    expect(examination.state).toBe('pending')
  })

  test('[DF7] the report names the turn since which a line is torn', async () => {
    const turn = [line('user', text('go')), line('assistant', text('ok'))]
    const { examination } = await healLines([...turn, ...turn, '{"type": "message", "role": "us'], '')
    expect(examination.since).toEqual({ turn: 2, at: 'line 5' })
  })

  test('[DF6] one result of a line moves alone, and the line keeps the rest', async () => {
    const healed = await healLines([
      line('user', text('go')),
      line('assistant', call('a')),
      line('assistant', text('hm'), call('b')),
      { ...line('tool', result('a', 'A'), result('b', 'B')), message_id: 'm9' },
    ])
    expect(
      linesIn(healed).map(({ role, contents }) => [role, contents.map((one: { call_id?: string }) => one.call_id)]),
    ).toEqual([
      ['user', [undefined]],
      ['assistant', ['a']],
      ['tool', ['a']],
      ['assistant', [undefined, 'b']],
      ['tool', ['b']],
    ])
  })

  test('[DF6] a call whose approval is undecided stays open, also before later text', async () => {
    const waiting = [line('user', text('go')), line('assistant', call('a'), call('b'), request('a'))]
    for (const lines of [waiting, [...waiting, line('user', text('well?')), line('assistant', text('Decide.'))]]) {
      const { examination, text: after } = await healLines(lines)
      expect(examination.state).toBe('pending')
      expect(after).toBe(`${lines.map(one => JSON.stringify(one)).join('\n')}\n`)
    }
  })

  test('[DF6] a decision that was never acted on becomes the result of its call, unless the next run will', async () => {
    const asked = [line('user', text('go')), line('assistant', call('a'), request('a'))]
    expect((await healLines([...asked, line('user', decision('a', true))])).examination.state).toBe('pending')
    for (const [approved, outcome] of [
      [true, unknown],
      [false, rejected],
    ] as const) {
      const end = line('assistant', text('ok'))
      const healed = await healLines([...asked, line('user', decision('a', approved)), end])
      expect(healed.broken).toEqual(['unanswered-call at line 3'])
      expect(linesIn(healed)).toEqual([...asked, line('tool', result('a', outcome)), end])
    }
  })

  test('[DF6] a decision directly after its call stays between it and its result', async () => {
    const lines = [
      line('user', text('go')),
      line('assistant', call('a'), request('a')),
      line('user', decision('a', true)),
      line('assistant', text('one moment')),
      line('tool', result('a', 'done')),
      line('assistant', text('ok')),
    ]
    const healed = await healLines(lines)
    expect(linesIn(healed)).toEqual([0, 1, 2, 4, 3, 5].map(index => lines[index]))
  })

  test('[DF7] the rest of a line after a crash is removed, and a record that was appended to it stays', async () => {
    const [first, second] = [line('user', text('go')), line('assistant', text('ok'))]
    const torn = JSON.stringify(line('tool', result('x', 'y'))).slice(0, 40)
    const glued = await healLines([first, torn + JSON.stringify(second)])
    expect(linesIn(glued)).toEqual([first, second])
    expect(glued.examination.dropped).toEqual([{ at: 'line 2', rule: 'torn-record', content: torn }])
    const joined = await healLines([JSON.stringify(first) + JSON.stringify(second)])
    expect(linesIn(joined)).toEqual([first, second])
    expect(joined.broken).toEqual(['joined-records at line 1'])
    const cut = await healLines([first, second, torn], '')
    expect(cut.text).toBe(`${JSON.stringify(first)}\n${JSON.stringify(second)}\n`)
  })

  test('[DF7] roles are written as the first releases wrote them where those are there', async () => {
    const old = (role: string, ...contents: object[]) => ({
      type: 'chat_message',
      role: { type: 'role', value: role },
      contents,
    })
    const lines = [old('user', text('go')), old('assistant', call('a')), old('user', text('on'))]
    expect(linesIn(await healLines(lines))[2]).toEqual(old('tool', result('a', unknown)))
  })
})

describe('what the Agent Framework cannot have written', () => {
  test.each([
    [
      'a snapshot that was cut',
      't.json',
      '{"messages": [{"id": "u", "role": "user"',
      /it is not a store of agent-framework/,
    ],
    ['bytes that are not text', 's.jsonl', Buffer.from([0xff, 0xfe, 0x00]), /it is not a store of agent-framework/],
    ['an empty file', 's.jsonl', '', /the file is empty/],
    [
      'one line that was cut',
      's.jsonl',
      '{"type": "message", "role": "user", "contents": [',
      /its only line is cut off/,
    ],
    ['records in msgpack', 's.jsonl', packed(), /it is a history in msgpack, which is not read/],
  ])('[DF8] %s is one clear line', async (_, name, content, words) => {
    await expect(healText(agentFramework, name, content)).rejects.toThrow(words)
  })

  test('[DF8] messages and contents of unknown kinds stay as they are', async () => {
    const lines = [
      line('user', text('go'), { type: 'hologram', data: 1 }),
      line('narrator', text('meanwhile')),
      line('assistant', call('a'), { type: 'usage', usage_details: {} }),
      line('tool', result('a', 'A'), { type: 'hologram' }),
    ]
    const { examination, text: after } = await healLines(lines)
    expect(examination.state).toBe('healthy')
    expect(after).toBe(`${lines.map(one => JSON.stringify(one)).join('\n')}\n`)
  })
})

/** One record: its length in four bytes, and a map in msgpack. */
function packed(): Buffer {
  const record = Buffer.concat([Buffer.from([0x82]), word('role'), word('user'), word('contents'), Buffer.from([0x90])])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(record.length + 20)
  return Buffer.concat([length, record, Buffer.alloc(20)])
}

function word(text: string): Buffer {
  return Buffer.concat([Buffer.from([0xa0 + text.length]), Buffer.from(text)])
}
