import { describe, expect, test } from 'vitest'
import { pieces } from '../../src/codecs/ai-sdk/pieces.ts'
import { placeholderTexts } from '../../src/core/placeholder.ts'
import { check, heal } from '../../src/index.ts'
import fixture from '../fixtures/ai-sdk.json' with { type: 'json' }

const options = { format: 'ai-sdk' } as const
const user = { role: 'user', content: 'Book it.' }
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })
const tool = (...content: unknown[]) => ({ role: 'tool', content })
const call = (toolCallId: string, fields: object = {}) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'book',
  input: {},
  ...fields,
})
const result = (toolCallId: string, output: unknown = { type: 'text', value: `${toolCallId} is done` }) => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'book',
  output,
})
const missing = (toolCallId: string) => result(toolCallId, { type: 'error-text', value: placeholderTexts.unknown })
const request = (toolCallId: string) => ({ type: 'tool-approval-request', approvalId: 'ap1', toolCallId })
const answer = (approved: boolean, reason?: string) => ({
  type: 'tool-approval-response',
  approvalId: 'ap1',
  approved,
  ...(reason === undefined ? {} : { reason }),
})

describe('ai-sdk', () => {
  test('a long conversation comes back as the same reference', () => {
    for (const reader of ['lenient', 'anthropic'] as const) {
      expect(check(fixture, { for: reader })).toEqual([])
      expect(heal(fixture, { for: reader })).toBe(fixture)
    }
    const found = check(fixture, { for: 'openai' }).map(({ rule }) => rule)
    expect(new Set(found)).toEqual(new Set(['foreign-provider-call']))
  })

  test('a made-up result joins the tool message in front of it, which keeps its other fields', () => {
    const told = { ...tool(result('a')), providerOptions: { acme: { seen: true } } }
    const asked = assistant(call('a'), call('b'))
    expect(heal([user, asked, told, user], options)).toEqual([
      user,
      asked,
      { ...told, content: [result('a'), missing('b')] },
      user,
    ])
  })

  test('in front of a result it is a message of its own, and that one is not touched', () => {
    const told = tool(result('b'))
    const healed = heal<unknown[]>([user, assistant(call('a'), call('b')), told, user], options)
    expect(healed.slice(2, 4)).toEqual([tool(missing('a')), told])
    expect(healed[3]).toBe(told)
  })

  test('what was read from one message stays in one, with what comes to stand in it', () => {
    const calls = assistant(call('a'), call('b'), call('c'))
    const early = tool(result('b'))
    expect(heal([early, user, calls, tool(result('a'), result('c'))], options)).toEqual([
      user,
      calls,
      tool(result('a'), result('b'), result('c')),
    ])
  })

  test('a denial is told in the words of the person who denied it', () => {
    const calls = assistant(call('a'), request('a'))
    const denied = (reason: string) => result('a', { type: 'execution-denied', reason })
    const [, , told] = heal<unknown[]>([user, calls, tool(answer(false, 'too dear'))], options)
    expect(told).toEqual(tool(denied('too dear'), answer(false, 'too dear')))
    const [, , untold] = heal<unknown[]>([user, calls, tool(answer(false))], options)
    expect(untold).toEqual(tool(denied(placeholderTexts.denied), answer(false)))
  })

  test('a request follows its call when that gets another id', () => {
    const calls = assistant({ ...call('x'), toolCallId: 7 }, { ...request('x'), toolCallId: 7 })
    expect(heal([user, calls, tool({ ...result('x'), toolCallId: 7 }, answer(true)), user], options)).toEqual([
      user,
      assistant(call('7'), request('7')),
      tool({ ...result('x'), toolCallId: '7' }, answer(true)),
      user,
    ])
  })

  test('an approval that is not in the last message runs nothing any more', () => {
    const calls = assistant(call('a'), call('b'), request('a'))
    expect(heal([user, calls, tool(answer(true)), tool(result('b'))], options)).toEqual([
      user,
      calls,
      tool(missing('a'), answer(true)),
      tool(result('b')),
    ])
  })

  test('of two requests with one id the first counts, once nothing is said between them any more', () => {
    const blank = { role: 'user', content: ' ' }
    const asked = [user, assistant(call('a'), request('a')), tool(answer(true), result('a'))]
    const open = { ...options, for: 'anthropic' } as const
    for (const granted of [true, false]) {
      const again = [blank, assistant(call('b'), request('b')), tool(answer(granted))]
      const healed = heal([...asked, ...again], open)
      const text = granted ? placeholderTexts['not-started'] : placeholderTexts.denied
      expect(healed.slice(0, 4)).toEqual([...asked, assistant(call('b'))])
      expect(JSON.stringify(healed.slice(4))).toContain(text)
      expect(check(healed, open)).toEqual([])
    }
    const late = heal(
      [
        user,
        asked[1],
        { role: 'assistant', content: 'Wait.' },
        blank,
        tool(answer(false)),
        assistant(call('b'), request('b')),
      ],
      open,
    )
    expect(check(late, open)).toEqual([])
    expect(late.flatMap(({ content }) => content)).not.toContainEqual(answer(false))
  })

  test('a history of version 4 is healed in its own spelling', () => {
    const { input: _, ...bare } = call('a')
    const old = assistant({ ...bare, args: {} }, { ...bare, toolCallId: 'b', args: {} })
    const { output: __, ...told } = result('a')
    const known = { ...told, result: { ok: true } }
    const lost = { ...told, toolCallId: 'b', result: placeholderTexts.unknown, isError: true }
    expect(heal([user, old, tool(known), user], options)).toEqual([user, old, tool(known, lost), user])
    expect(check([user, assistant({ ...bare, args: {} }), tool(known), user], options)).toEqual([])
  })

  test('results of the provider stand with its calls, also one step later, and those of the client do not', () => {
    const search = { ...call('srvtoolu_1'), toolName: 'web_search', providerExecuted: true }
    const found = { ...result('srvtoolu_1'), toolName: 'web_search' }
    const deferred = [user, assistant(search, call('a')), tool(result('a')), assistant(found), user]
    expect(heal(deferred, options)).toBe(deferred)
    expect(heal([user, assistant(search), user], options)).toEqual([user, user])
    expect(heal([user, assistant(call('a'), result('a')), user], options)).toEqual([
      user,
      assistant(call('a')),
      tool(result('a')),
      user,
    ])
  })

  test('steps stay apart where the client runs a call of one and the provider a call with its id in the next', () => {
    const steps = [assistant(call('a')), assistant(call('a', { providerExecuted: true }), call('b'))]
    const healed = heal([user, ...steps, tool(result('a'), result('b')), user], options)
    expect(healed).toEqual([user, steps[0], tool(missing('a')), steps[1], tool(result('a'), result('b')), user])
    expect(check(healed, options)).toEqual([])
  })

  test('a result that has no form of the library gets one', () => {
    const { output: _, ...bare } = result('a')
    for (const [output, formed] of [
      [undefined, { type: 'text', value: '' }],
      ['sunny', { type: 'text', value: 'sunny' }],
      [{ degrees: 24 }, { type: 'json', value: { degrees: 24 } }],
    ]) {
      const told = output === undefined ? bare : { ...bare, output }
      expect(heal([user, assistant(call('a')), tool(told)], options)[2]).toEqual(tool({ ...bare, output: formed }))
    }
  })
})

describe('pieces of ai-sdk', () => {
  test('images and files are read in the spelling of every version', () => {
    const image = { kind: 'media', type: 'image', mime: 'image/png', data: 'aGk=' }
    for (const block of [
      { type: 'image', image: 'aGk=', mediaType: 'image/png' },
      { type: 'image', image: 'data:image/png;base64,aGk=' },
      { type: 'file', data: 'aGk=', mediaType: 'image/png' },
      { type: 'file', data: { type: 'data', data: 'aGk=' }, mediaType: 'image/png' },
      { type: 'image-data', data: 'aGk=', mediaType: 'image/png' },
      { type: 'media', data: 'aGk=', mediaType: 'image/png' },
    ])
      expect(pieces.read(block)).toEqual(image)
    const url = 'https://example.test/a.pdf'
    const file = { kind: 'media', type: 'file', mime: 'application/pdf', name: 'a.pdf', url }
    for (const data of [url, { type: 'url', url }])
      expect(pieces.read({ type: 'file', data, mediaType: 'application/pdf', filename: 'a.pdf' })).toEqual(file)
    expect(pieces.read({ type: 'file', data: { type: 'reference', reference: {} }, mediaType: 'a/b' })).toBe(undefined)
  })

  test('what a result says comes back as it was', () => {
    for (const output of [
      { type: 'text', value: 'sunny' },
      { type: 'json', value: { degrees: 24 } },
      {
        type: 'content',
        value: [
          { type: 'text', text: 'sunny' },
          { type: 'image-url', url: 'https://example.test/a' },
        ],
      },
    ])
      expect(pieces.writeResult(pieces.readResult(output))).toEqual(output)
    expect(pieces.readResult({ type: 'execution-denied', reason: 'no' })).toEqual([{ kind: 'text', text: 'no' }])
    expect(pieces.readResult(undefined)).toEqual([])
  })
})
