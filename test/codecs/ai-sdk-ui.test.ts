import { describe, expect, test } from 'vitest'
import { check, heal, repair } from '../../src/index.ts'
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

const placeholder = expect.stringContaining('[no result]')

describe('calls and results in one part', () => {
  test('a call that was stored twice in a step is kept once, with the output of the later copy', () => {
    expect(healed([open('a'), done('a', 'sunny')])).toEqual([done('a', 'sunny')])
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
    const [part] = healed([
      { type: 'dynamic-tool', toolName: 'look', toolCallId: 'a', state: 'input-streaming', rawInput: '{"in' },
    ])
    expect(part).toMatchObject({ state: 'output-error', input: {}, rawInput: '{"in', toolName: 'look' })
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
  test('text behind calls gets a step of its own where the reader wants results at once', () => {
    const parts = [mark, done('a', 'sunny'), done('b', 'dry'), text('Sunny and dry.')]
    expect(healed(parts)).toEqual(parts)
    expect(healed(parts, { for: 'anthropic' })).toEqual([...parts.slice(0, 3), mark, parts[3]])
  })

  test('calls that must stand alone stay in one message, a step each', () => {
    const metadata = { usage: 3 }
    const parallel = { ...assistant('m2', mark, done('a', 1), done('b', 2)), metadata }
    const single = { ...assistant('m2', mark, done('a', 1), mark, done('b', 2)), metadata }
    expect(heal([user('m1'), parallel, user('m3')], { for: 'llama-template' })[1]).toEqual(single)
  })

  test('what the user threw in ends a step, and stays', () => {
    const steering = { type: 'steering-message', id: 's1', parts: [text('Faster, please.')] }
    expect(healed([open('a'), steering, text('Done.')])).toEqual([
      call('a', { state: 'output-error', errorText: placeholder }),
      steering,
      text('Done.'),
    ])
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
    for (const reader of ['lenient', 'anthropic', 'openai'] as const) {
      expect(check(fixture, { for: reader })).toEqual([])
      expect(heal(fixture, { for: reader })).toBe(fixture)
    }
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

  test('made-up messages have ids that nobody has, and the same ones however long the history is', () => {
    const start = [user('m1'), assistant('m2', done('abcdefghi', 1)), user('m3')]
    const longer = [...start, assistant('m4', text('So.')), user('m5')]
    const idsOf = (messages: unknown[]) =>
      heal(messages as { id: string }[], { for: 'mistral-template' }).map(({ id }) => id)
    expect(idsOf(start)).toEqual(['m1', 'm2', 'antiphon-2-m2', 'm3'])
    expect(idsOf(longer).slice(0, 4)).toEqual(idsOf(start))
    const taken = [start[0], start[1], { ...user('antiphon-2-m2'), parts: [text('mine')] }]
    expect(idsOf(taken)).toEqual(['m1', 'm2', 'antiphon-2-m2-2', 'antiphon-2-m2'])
  })

  test('messages of an older version, whose calls stand in a part of another form, are left as they are', () => {
    const invocation = { state: 'call', toolCallId: 'a', toolName: 'look', args: {} }
    const messages = [user('m1'), assistant('m2', { type: 'tool-invocation', toolInvocation: invocation }), user('m3')]
    expect(repair(messages)).toMatchObject({ changed: false, remaining: [] })
  })
})
