import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/core/dialects/index.ts'
import { check, convert, type DialectId, detect, heal, repair } from '../../src/index.ts'
import fixture from '../fixtures/ai-sdk-ui.json' with { type: 'json' }

const text = (words: string) => ({ type: 'text', text: words })
const mark = { type: 'step-start' }
const call = (id: string, fields: object = {}) => ({
  type: 'tool-look',
  toolCallId: id,
  input: { in: 'here' },
  ...fields,
})
const open = (id: string, fields: object = {}) => call(id, { state: 'input-available', ...fields })
const done = (id: string, output: unknown, fields: object = {}) =>
  call(id, { state: 'output-available', output, ...fields })
const user = (id: string) => ({ id, role: 'user', parts: [text(`${id} says`)] })
const assistant = (id: string, ...parts: unknown[]) => ({ id, role: 'assistant', parts })

/** The parts of the second message of three, healed. */
function healed(parts: unknown[], options: Parameters<typeof heal>[1] = {}): unknown[] {
  const messages = [user('m1'), assistant('m2', ...parts), user('m3')]
  const result = heal<unknown[]>(messages, { format: 'ai-sdk-ui', ...options })
  expect(result[0]).toBe(messages[0])
  expect(result.at(-1)).toBe(messages[2])
  return (result[1] as { parts: unknown[] }).parts
}

/** Every reader takes the second message of three as it is. */
function expectUntouched(parts: unknown[]): void {
  const messages = [user('m1'), assistant('m2', ...parts), user('m3')]
  for (const reader of Object.keys(dialects) as DialectId[]) {
    const changes = repair(messages, { format: 'ai-sdk-ui', for: reader }).repairs.map(({ rule, message }) => ({
      rule,
      message,
    }))
    expect(
      changes.filter(({ rule }) => !bridging.has(rule)),
      reader,
    ).toEqual([])
  }
  expect(heal(messages)).toBe(messages)
}

/** What a reader wants around a result, whatever it says. */
const bridging = new Set(['forbidden-follower'])

const placeholder = expect.stringContaining('[no result]')

describe('calls and results in one part', () => {
  test('a call that was stored twice in a step is kept once, with the output of the later copy', () => {
    expect(healed([open('a'), done('a', 'sunny')])).toEqual([done('a', 'sunny')])
  })

  test('one that was stored twice in a turn is kept where it has its output', () => {
    const said = [mark, { type: 'reasoning', text: 'Hm.' }, text('Let me.')]
    const later = assistant('m2', ...said, done('a', 'sunny'), mark, text('Sunny.'))
    const twice = heal([user('m1'), assistant('m2', ...said, open('a')), later, user('m3')])
    expect(twice).toEqual([user('m1'), later, user('m3')])
    expect(twice[1]).toBe(later)
    const inOneMessage = healed([mark, text('One.'), open('a'), done('b', 1), mark, done('a', 'sunny')])
    expect(inOneMessage).toEqual([mark, text('One.'), done('b', 1), mark, done('a', 'sunny')])
    const apart = [user('m1'), assistant('m2', open('a')), user('m3'), assistant('m4', done('a', 'sunny'))]
    expect(heal(apart)[1]).toMatchObject({ parts: [{ state: 'output-error' }] })
  })

  test('a call that comes again with the same id and the same output ran twice', () => {
    const messages = [user('m1'), assistant('m2', mark, done('a', 'busy'), mark, done('a', 'busy')), user('m3')]
    expect(heal(messages)).toBe(messages)
  })

  test('two calls of one id keep each its own output', () => {
    const [first, second] = healed([open('a', { input: 1 }), done('a', 'of 2', { input: 2 })]) as Record<
      string,
      unknown
    >[]
    expect(first).toEqual({ ...call('a', { input: 1 }), state: 'output-error', errorText: placeholder })
    expect(second).toEqual(done(second.toolCallId as string, 'of 2', { input: 2 }))
    expect(second.toolCallId).not.toBe('a')
  })

  test('calls without ids keep each its own output', () => {
    const bare = (fields: object) => ({ type: 'tool-look', input: {}, ...fields })
    const parts = healed([bare({ state: 'input-available' }), bare({ state: 'output-available', output: 'mine' })])
    expect(parts).toMatchObject([{ state: 'output-error' }, { state: 'output-available', output: 'mine' }])
  })

  test('an output that no state tells of is the result', () => {
    expect(healed([call('a', { output: 'sunny' }), open('b', { errorText: 'no net' })])).toEqual([
      done('a', 'sunny'),
      call('b', { state: 'output-error', errorText: 'no net' }),
    ])
  })

  test('arguments that never came are an empty object', () => {
    const [part] = healed([{ type: 'dynamic-tool', toolName: 'look', toolCallId: 'a', state: 'input-available' }])
    expect(part).toMatchObject({ state: 'output-error', input: {}, toolName: 'look' })
  })

  test('arguments that could not be read stand as they came: the reader takes them from there', () => {
    const failed = (rawInput: unknown) => ({
      type: 'tool-look',
      toolCallId: 'abcdefghi',
      state: 'output-error',
      rawInput,
      errorText: 'bad',
    })
    expectUntouched([failed({ city: 'Paris' })])
    const [part] = healed([failed('{"city":"Pa')], { for: 'anthropic' })
    expect(part).toEqual({ ...failed('{"city":"Pa'), input: { _cut_off: '{"city":"Pa' } })
    const [closed] = healed([{ type: 'tool-look', toolCallId: 'a', rawInput: { city: 'Paris' } }])
    expect(closed).toEqual({ ...failed({ city: 'Paris' }), toolCallId: 'a', errorText: placeholder })
  })

  test('a call whose arguments were still coming is not sent, and stays as it is', () => {
    const streaming = call('abcdefghi', { state: 'input-streaming', input: { in: 'he' } })
    expectUntouched([text('Let me.'), streaming])
    const messages = [user('m1'), assistant('m2', text('Let me.'), streaming)]
    for (const pending of ['keep', 'answer'] as const) expect(heal(messages, { pending })).toBe(messages)
    expect(healed([streaming, open('a')])[0]).toBe(streaming)
  })

  test('a tool that gave back nothing has answered', () => {
    expectUntouched([done('abcdefghi', null)])
    expectUntouched([call('abcdefghi', { state: 'output-available' })])
  })
})

describe('approvals', () => {
  test('one that was never given goes, one that was stays beside the placeholder', () => {
    const asked = { state: 'approval-requested', approval: { id: 'p1' } }
    const given = { state: 'approval-responded', approval: { id: 'p2', approved: true, reason: 'go' } }
    expect(healed([call('a', asked), call('b', given)])).toEqual([
      call('a', { state: 'output-error', errorText: placeholder }),
      call('b', { state: 'output-error', errorText: placeholder, approval: given.approval }),
    ])
  })

  test('a denied call says who denied it and why', () => {
    const approval = { id: 'p1', approved: false, signature: 's' }
    const denied = (reason: object) => call('a', { state: 'approval-responded', approval: { ...approval, ...reason } })
    expect(healed([denied({ reason: 'too dear' })])).toEqual([
      call('a', { state: 'output-denied', approval: { ...approval, reason: 'too dear' } }),
    ])
    expect(healed([denied({})])).toEqual([
      call('a', { state: 'output-denied', approval: { ...approval, reason: placeholder } }),
    ])
  })

  test('a granted call at the end is left alone while the others are answered', () => {
    const granted = call('a', { state: 'approval-responded', approval: { id: 'p', approved: true } })
    const messages = [user('m1'), assistant('m2', granted)]
    expect(heal(messages)).toBe(messages)
    const [, { parts }] = heal([user('m1'), assistant('m2', granted, open('b'))])
    expect(parts[0]).toBe(granted)
    expect(parts[1]).toMatchObject({ state: 'output-error' })
  })
})

describe('steps', () => {
  const steering = { type: 'steering-message', id: 's1', parts: [text('Faster, please.')] }

  test('text after calls stays with them, and gets a step of its own after a rejection', () => {
    const parts = [mark, done('a', 'sunny'), done('b', 'dry'), text('Sunny and dry.')]
    expect(healed(parts)).toEqual(parts)
    expect(healed(parts, { for: 'anthropic' })).toEqual(parts)
    expect(healed(parts, { for: 'anthropic', cautious: true })).toEqual([...parts.slice(0, 3), mark, parts[3]])
  })

  test('calls that must stand alone stay in one message, a step each', () => {
    const metadata = { usage: 3 }
    const parallel = { ...assistant('m2', mark, done('a', 1), done('b', 2)), metadata }
    const single = { ...assistant('m2', mark, done('a', 1), mark, done('b', 2)), metadata }
    expect(heal([user('m1'), parallel, user('m3')], { for: 'llama-template' })[1]).toEqual(single)
  })

  test('what the user threw in ends a step, and stays', () => {
    const parts = healed([open('a'), steering, text('Done.')])
    expect(parts).toEqual([call('a', { state: 'output-error', errorText: placeholder }), steering, text('Done.')])
    expect(parts[1]).toBe(steering)
  })

  test('what the user threw in is a turn of the user, for every reader', () => {
    expectUntouched([mark, text('One.'), steering, mark, text('Two.')])
    expectUntouched([mark, text('One.'), steering, text('Two.')])
  })

  test('what the user threw in at the end joins the next message of the user, where turns must alternate', () => {
    const last = { ...assistant('m2', mark, text('One.'), steering), metadata: 1 }
    expect(heal([user('m1'), last, user('m3')], { for: 'gemini', cautious: true })).toEqual([
      user('m1'),
      { ...last, parts: [mark, text('One.')] },
      { ...user('m3'), parts: [text('Faster, please.'), text('m3 says')] },
    ])
    const first = { ...assistant('m2', steering, mark, text('One.')), metadata: 1 }
    expect(heal([user('m1'), first, user('m3')], { for: 'gemini', cautious: true })).toEqual([
      { ...user('m1'), parts: [text('m1 says'), text('Faster, please.')] },
      { ...first, parts: [mark, text('One.')] },
      user('m3'),
    ])
  })

  test('a bridge in front of what the user threw in is a step of the same message', () => {
    const parts = [mark, done('abcdefghi', 1), steering, text('Two.')]
    expect(healed(parts, { for: 'mistral' })).toEqual([
      ...parts.slice(0, 2),
      mark,
      text('(no reply was recorded)'),
      ...parts.slice(2),
    ])
  })

  test('what the user threw in goes along to another shape', () => {
    const messages = [user('m1'), assistant('m2', text('One.'), steering, text('Two.'))]
    expect(convert(messages, { to: 'openai-chat' })).toEqual([
      { role: 'user', content: 'm1 says' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'Faster, please.' },
      { role: 'assistant', content: 'Two.' },
    ])
  })

  test('of what the user threw in only what the reader cannot take goes', () => {
    const half = { ...steering, parts: [text('Faster.'), { type: 'data-x', data: 1 }, null] }
    expect(healed([text('One.'), half, text('Two.')])[1]).toEqual({ ...steering, parts: [text('Faster.')] })
    expect(healed([done('a', 1), { ...steering, parts: [] }, text('Two.')])).toEqual([done('a', 1), mark, text('Two.')])
  })

  test("the provider's own call waits at the end and goes elsewhere", () => {
    const search = open('p', { providerExecuted: true })
    const messages = [user('m1'), assistant('m2', search)]
    expect(heal(messages)).toBe(messages)
    expect(healed([search, text('Hm.')])).toEqual([text('Hm.')])
  })
})

describe('messages', () => {
  test('a long conversation comes back as the same reference, for readers of its ids', () => {
    for (const reader of ['lenient', 'anthropic'] as const) {
      expect(check(fixture, { for: reader })).toEqual([])
      expect(heal(fixture, { for: reader })).toBe(fixture)
    }
    const found = check(fixture, { for: 'openai' }).map(({ rule }) => rule)
    expect(new Set(found)).toEqual(new Set(['foreign-provider-call']))
  })

  test('a call in a message of the user moves into one of the assistant, and the rest keeps its id', () => {
    const wrong = { id: 'm2', role: 'user', metadata: 7, parts: [text('one'), done('a', 'sunny'), text('two')] }
    expect(heal([user('m1'), wrong, user('m3')])).toEqual([
      user('m1'),
      { ...wrong, parts: [text('one')] },
      { id: 'antiphon-2-m2', role: 'assistant', parts: [done('a', 'sunny')] },
      { id: 'antiphon-2-m2-2', role: 'user', parts: [text('two')] },
      user('m3'),
    ])
  })

  test('so does one whose output no state tells of', () => {
    const wrong = { id: 'm2', role: 'user', parts: [call('a', { errorText: 'no net' }), text('two')] }
    expect(heal([user('m1'), wrong])).toEqual([
      user('m1'),
      { id: 'antiphon-2-m2', role: 'assistant', parts: [call('a', { state: 'output-error', errorText: 'no net' })] },
      { ...wrong, parts: [text('two')] },
    ])
  })

  test('made-up messages have unused ids, and the same ones however long the history is', () => {
    const start = [user('m1'), assistant('m2', done('abcdefghi', 1)), user('m3')]
    const longer = [...start, assistant('m4', text('So.')), user('m5')]
    const idsOf = (messages: unknown[]) =>
      heal(messages as { id: string }[], { for: 'mistral-template' }).map(({ id }) => id)
    expect(idsOf(start)).toEqual(['m1', 'm2', 'antiphon-2-m2', 'm3'])
    expect(idsOf(longer).slice(0, 4)).toEqual(idsOf(start))
    const taken = [start[0], start[1], { ...user('antiphon-2-m2'), parts: [text('mine')] }]
    expect(idsOf(taken)).toEqual(['m1', 'm2', 'antiphon-2-m2-2', 'antiphon-2-m2'])
  })
})

describe('messages of version 4', () => {
  const invocation = (fields: object) => ({
    type: 'tool-invocation',
    toolInvocation: { toolCallId: 'a', toolName: 'look', args: { in: 'here' }, ...fields },
  })
  const answered = (result: unknown, fields: object = {}) => invocation({ state: 'result', ...fields, result })

  test('are left as they are if their calls are answered', () => {
    const thought = { type: 'reasoning', reasoning: 'Hm.', details: [{ type: 'text', text: 'Hm.', signature: 's' }] }
    const image = { type: 'file', mimeType: 'image/png', data: 'aGk=' }
    const steps = [
      mark,
      thought,
      answered('sunny', { step: 0 }),
      mark,
      answered(null, { step: 1, toolCallId: 'b' }),
      text('So.'),
      image,
    ]
    const messages = [user('m1'), assistant('m2', ...steps), user('m3')]
    for (const reader of ['lenient', 'anthropic', 'openai'] as const)
      expect(heal(messages, { for: reader })).toBe(messages)
  })

  test.each(['call', 'partial-call'])('have a placeholder where a call stands as %s', state => {
    expect(healed([invocation({ state, step: 0 }), text('Hm.')])).toEqual([
      answered(placeholder, { step: 0 }),
      text('Hm.'),
    ])
  })

  test('have a result that a store has left no key of', () => {
    expect(healed([invocation({ state: 'result' })])).toEqual([answered('')])
  })

  test('have calls with ids and results of their own', () => {
    const [first, second] = healed([answered(1), answered(2, { args: {} })]) as (typeof invocation)[]
    expect(first).toEqual(answered(1))
    expect(second).toEqual(answered(2, { args: {}, toolCallId: expect.not.stringMatching(/^a$/) }))
  })

  test('are told from other shapes without parts too, and are not passed as healthy then', () => {
    const [{ toolInvocation }] = [answered('sunny')]
    const messages = [
      { id: 'm1', role: 'user', content: 'Look.' },
      { id: 'm2', role: 'assistant', content: '', toolInvocations: [toolInvocation] },
    ]
    expect(detect(messages)).toBe('ai-sdk-ui')
    expect(check(messages)).toContainEqual(expect.objectContaining({ rule: 'unreadable-message', at: 'messages[1]' }))
  })
})
